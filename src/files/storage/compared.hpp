// SPDX-License-Identifier: BSD-3-Clause
// Arguments that all processes must pass alike, and their comparison.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "file/numbers.hpp"
#include "xredist/array.h"

namespace xredist::files {

/// An argument that should be equal on all processes.
struct Compared {
  const char* name;
  Index value;                ///< more than -2^63
  bool shows_values = false;  ///< whether the sentence about a difference has the values
  int axis = -1;              ///< the argument is "<name>[axis]"; -1: it is "<name>"
};

/// Returns an argument whose values a sentence shows.
constexpr Compared compared(const char* name, Index value) { return {name, value, true}; }

/// The arguments of a call, in the order in which sentences name them. Has room for those of an array, and needs no
/// memory.
class ComparedArguments {
 public:
  /// Processes add the same number of arguments, also if their values differ.
  void add(const Compared& argument) { list_.at(count_++) = argument; }

  /// Compares the arguments by one reduction. All processes throw the same failure, about the first one that differs.
  /// Collective.
  void demand_equal(MPI_Comm comm) const;

 private:
  std::array<Compared, 112> list_{};
  std::size_t count_ = 0;
};

/// Return numbers that stand for texts, lists, partitions and axes. The digest of NULL is 0.
Index digest_of(std::string_view text);
Index digest_of(const xredist_partition* partition);
Index digest_of(const xredist_axis& axis);
/// `list`: NULL for 0, 1, 2 ...
Index digest_of_list(const int* list, Index count);

/// Throws InvalidArgument unless the ranks of `positions` processes, or NULL, are different numbers from 0 to size - 1.
void demand_ranks(const int* ranks, Index positions, int size);

}  // namespace xredist::files
