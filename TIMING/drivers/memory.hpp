// Memory that a call takes.
#pragma once

#include <optional>

#include "layout/axis.hpp"

namespace drivers {

using xredist::core::Index;

/// Watches the process's resident memory from here on.
class MemoryWatch {
 public:
  MemoryWatch();

  /// Bytes by which it has grown at its peak; nothing where the system does not tell (other than Linux).
  std::optional<Index> peak() const;
  /// And by which it is larger now than in the beginning.
  std::optional<Index> kept() const;

 private:
  std::optional<Index> before_;
};

}  // namespace drivers
