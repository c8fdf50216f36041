// Memory that a call takes.
#pragma once

#include <optional>

#include "layout/axis.hpp"

namespace drivers {

using xredist::core::Index;

/// Watches the process's resident memory from here on: bytes by which it has grown at its peak, and by which it is
/// larger now. Nothing where the system does not tell (other than Linux).
class MemoryWatch {
 public:
  MemoryWatch();
  std::optional<Index> peak() const;
  std::optional<Index> kept() const;

 private:
  std::optional<Index> since(const char* entry) const;
  std::optional<Index> before_;
};

}  // namespace drivers
