// SPDX-License-Identifier: BSD-3-Clause
// Memory that a call takes.
#pragma once

#include <optional>

#include "layout/axis.hpp"

namespace drivers {

using xredist::core::Index;

/// Watches the resident memory of the process from now on: by how many bytes it was larger at its peak, and by how many
/// it is larger now. Nothing if the system does not tell (other than Linux).
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
