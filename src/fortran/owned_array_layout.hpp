// SPDX-License-Identifier: BSD-3-Clause
// Layouts of arrays of any number of axes in module xredist. Axes and entries count from 1 there.
#pragma once

#include <ISO_Fortran_binding.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "api/failure.hpp"
#include "xredist/array.h"

namespace xredist::core {

inline constexpr int max_pattern = 512;

/// A list with an entry for each axis. A program may pass more entries, which are counted.
struct FortranList {
  std::int64_t size;  ///< -1: the argument is absent
  std::int64_t entries[XREDIST_MAX_DIMS];
};

/// The arguments of XREDIST_ARRAY_LAYOUT, which are checked when the layout is used: all processes of a plan then get
/// the error. Module xredist declares the same struct as xredist_array_layout.
struct FortranArrayLayout {
  std::int64_t pattern_length;  ///< -1: not a text; 0: no layout was assigned; above max_pattern: too long
  std::int64_t copies;
  FortranList grid, order, shape, source;
  char pattern[max_pattern];
};
static_assert(std::is_trivially_copyable_v<FortranArrayLayout> && sizeof(FortranArrayLayout) == 1040);

/// The lists of a layout that are arguments of the routines. `end`: of their names, "_a" in ranks_a.
struct ArrayLists {
  const CFI_cdesc_t *ranks, *bounds, *owners, *places;
  const char* end = "";
};

/// A layout with its arrays, as the C interface takes it. Throws InvalidArgument if they do not fit each other.
struct OwnedArrayLayout {
  /// `name`: of the layout, in messages.
  OwnedArrayLayout(const FortranArrayLayout& of, std::string_view name, const ArrayLists& lists);
  OwnedArrayLayout(OwnedArrayLayout&&) = default;  // the axes refer to memory that stays
  OwnedArrayLayout& operator=(OwnedArrayLayout&&) = delete;
  /// Returns the layout, which refers to this object.
  xredist_array_layout get() const;

  std::int64_t copies;
  std::vector<xredist_axis> axes;
  std::vector<std::int64_t> shape;
  std::vector<int> order, ranks;

 private:
  // Gives the axes with intervals their partitions. `intervals`: of each axis; -1: it has no partition.
  void divide(std::string_view name, const std::vector<std::int64_t>& intervals, const ArrayLists& lists);

  std::vector<std::int64_t> bounds_, places_;  // of all partitions, one after the other
  std::vector<int> owners_;
  std::vector<xredist_partition> partitions_;
};

/// Checks that a list of the program has an entry for each axis of a layout.
void demand_entries(std::string_view name, std::int64_t size, std::string_view layout_name, std::size_t dims);

}  // namespace xredist::core
