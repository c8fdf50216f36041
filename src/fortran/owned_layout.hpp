// SPDX-License-Identifier: BSD-3-Clause
// Partitions, ranks and layouts of module xredist. Arrays have C descriptors, and are copied.
#pragma once

#include <ISO_Fortran_binding.h>

#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "api/arguments.hpp"
#include "api/failure.hpp"
#include "fortran/arrays.hpp"
#include "fortran/info.hpp"

namespace xredist::core {

/// Returns element k, from 0, of an array of rank 1 of integers of 4 or 8 bytes.
inline std::int64_t integer_at(const CFI_cdesc_t& array, CFI_index_t k) {
  const char* from = static_cast<const char*>(array.base_addr) + k * array.dim[0].sm;
  std::int64_t wide = 0;
  std::int32_t narrow = 0;
  if (array.elem_len == sizeof wide)
    std::memcpy(&wide, from, sizeof wide);
  else
    std::memcpy(&narrow, from, sizeof narrow), wide = narrow;
  return wide;
}

/// Returns the integers of an array of rank 1, of 4 or 8 bytes each; none if the argument is absent. A number that
/// Integer cannot represent becomes -1, which no function accepts.
template <class Integer>
std::vector<Integer> integers_of(const CFI_cdesc_t* array) {
  std::vector<Integer> values;
  if (array == nullptr || array->base_addr == nullptr) return values;
  for (CFI_index_t k = 0; k < size_of_vector(*array); ++k) {
    const std::int64_t value = integer_at(*array, k);
    values.push_back(std::in_range<Integer>(value) ? static_cast<Integer>(value) : Integer{-1});
  }
  return values;
}

/// Sets the first elements of an array of rank 1 of default integers.
template <class Integer>
void set_integers(const CFI_cdesc_t& array, const std::vector<Integer>& values) {
  char* to = static_cast<char*>(array.base_addr);
  for (const Integer value : values) {
    const auto integer = static_cast<xredist_int>(value);
    std::memcpy(to, &integer, sizeof integer);
    to += array.dim[0].sm;
  }
}

/// A partition with its arrays. Throws InvalidArgument if the arrays do not fit each other.
struct OwnedPartition {
  OwnedPartition(const CFI_cdesc_t* bounds_array, const CFI_cdesc_t* owners_array, const CFI_cdesc_t* places_array,
                 const std::string& name)
      : present(bounds_array != nullptr),
        bounds(integers_of<std::int64_t>(bounds_array)),
        places(integers_of<std::int64_t>(places_array)),
        owners(integers_of<int>(owners_array)) {
    if (present && bounds.empty()) throw InvalidArgument(Text() << name << " is empty, must have at least one bound");
    if (owners_array != nullptr) demand_intervals("owners_" + name, owners.size(), name);
    if (places_array != nullptr) demand_intervals("places_" + name, places.size(), name);
    if (!present) return;
    owned = {.count = std::ssize(bounds) - 1,
             .bounds = bounds.data(),
             .owners = owners.empty() ? nullptr : owners.data(),
             .places = places.empty() ? nullptr : places.data()};
  }
  /// Returns the partition, which refers to this object; NULL if there is none.
  const xredist_partition* get() const { return present ? &owned : nullptr; }

  bool present;
  std::vector<std::int64_t> bounds, places;
  std::vector<int> owners;
  xredist_partition owned{};

 private:
  // Throws unless an array of the program has an element for each interval.
  void demand_intervals(const std::string& array, std::size_t size, const std::string& name) const {
    if (!present) throw InvalidArgument(Text() << array << " is present, but " << name << " is absent");
    if (size + 1 != bounds.size())
      throw InvalidArgument(Text() << array << " has " << size << " elements, must have one less than " << name
                                   << ", which has " << bounds.size());
  }
};

/// The layout of module xredist.
struct FortranLayout {
  xredist_int nprow, npcol, mb, nb, rsrc, csrc;
};

/// A layout with its arrays. Throws InvalidArgument if they do not fit.
struct OwnedLayout {
  /// `name`: of `ranks_array`, in messages.
  OwnedLayout(const FortranLayout& of, const CFI_cdesc_t* ranks_array, const char* name, OwnedPartition of_rows,
              OwnedPartition of_cols)
      : numbers(of), ranks(integers_of<int>(ranks_array)), rows(std::move(of_rows)), cols(std::move(of_cols)) {
    if (const std::int64_t size = std::int64_t{of.nprow} * of.npcol; !ranks.empty() && std::ssize(ranks) != size)
      throw InvalidArgument(Text() << name << " has " << ranks.size() << " elements, must have " << size
                                   << ", one for each process of the grid");
  }
  /// Returns the layout of the C interface, which refers to this object.
  xredist_layout get() const {
    return {.nprow = narrowed(numbers.nprow),
            .npcol = narrowed(numbers.npcol),
            .mb = numbers.mb,
            .nb = numbers.nb,
            .rsrc = narrowed(numbers.rsrc),
            .csrc = narrowed(numbers.csrc),
            .ranks = ranks.empty() ? nullptr : ranks.data(),
            .rows = rows.get(),
            .cols = cols.get()};
  }

  FortranLayout numbers;
  std::vector<int> ranks;
  OwnedPartition rows, cols;
};

}  // namespace xredist::core
