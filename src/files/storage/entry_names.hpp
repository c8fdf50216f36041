// SPDX-License-Identifier: BSD-3-Clause
// Names of entries of lists in sentences, in C and in Fortran.
#pragma once

#include <array>

namespace xredist::files {

/// Makes sentences of this room name the arguments of Fortran while the object exists. Concerns the calling thread
/// only.
class InFortran {
 public:
  InFortran() noexcept;
  ~InFortran();
  InFortran(const InFortran&) = delete;
  InFortran& operator=(const InFortran&) = delete;
};

/// Returns the name of entry k, from 0, of a list, or of a member of the entry: layout.axes[1].procs in C,
/// layout.grid(2) in Fortran. k = -1: of the argument itself. Needs no memory.
std::array<char, 64> entry_name(const char* list, int k, const char* member = "") noexcept;

}  // namespace xredist::files
