// What an exchange works with.
#pragma once

#include <memory>

#include "exchange/inbox.hpp"
#include "exchange/outbox.hpp"
#include "exchange/segments.hpp"
#include "exchange/wire.hpp"

namespace xredist::core {

/// Memory and requests of one exchange at a time, kept from one to the next: freed and faulted in anew they would
/// cost more than a small exchange itself.
struct Workspace {
  Wire wire;
  Inbox inbox{wire};
  Outbox outbox{wire};
  Segments* segments = nullptr;     ///< whose memory for neighbours it has, if it has
  std::unique_ptr<Workspace> next;  ///< in a list of those that no exchange has

  /// Room for the loads of either direction, which this returns.
  std::byte* reserve(const Cut& cut);
  static Index bytes_of(const Cut& cut) { return Index{2} * cut.slots * cut.piece_bytes; }
  Index size() const { return size_; }

 private:
  std::unique_ptr<std::byte[]> memory_;
  Index size_ = 0;
};

}  // namespace xredist::core
