// SPDX-License-Identifier: BSD-3-Clause
// The memory of an exchange.
#pragma once

#include <memory>

#include "exchange/inbox.hpp"
#include "exchange/outbox.hpp"
#include "exchange/segments.hpp"
#include "exchange/wire.hpp"

namespace xredist::core {

/// Buffers and requests, used by one exchange at a time and kept for the next: to free and allocate them anew would
/// cost more than a small exchange itself.
struct Workspace {
  Wire wire;
  Inbox inbox{wire};
  Outbox outbox{wire};
  Segments* segments = nullptr;     ///< set while it has the segment of shared memory
  std::unique_ptr<Workspace> next;  ///< in a list of workspaces that no exchange has

  /// Allocates buffers for the loads of both directions and what is stored, in this order. Returns the first byte.
  std::byte* reserve(const Cut& cut);
  static Index bytes_of(const Cut& cut) { return Index{2} * cut.slots * cut.piece_bytes + cut.stored; }
  Index size() const { return size_; }

 private:
  std::unique_ptr<std::byte[]> memory_;
  Index size_ = 0;
};

}  // namespace xredist::core
