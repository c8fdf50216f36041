// SPDX-License-Identifier: BSD-3-Clause
// Partitions, ranks and layouts of module xredist. Arrays have C descriptors, and are copied.
#pragma once

#include <ISO_Fortran_binding.h>
#include <mpi.h>

#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "api/arguments.hpp"
#include "fortran/arrays.hpp"
#include "fortran/info.hpp"

namespace xredist::core {

/// Returns the integers of an array of rank 1, of 4 or 8 bytes each; none if the argument is absent. A number that
/// Integer cannot represent becomes -1, which no function accepts.
template <class Integer>
std::vector<Integer> integers_of(const CFI_cdesc_t* array) {
  std::vector<Integer> values;
  if (array == nullptr || array->base_addr == nullptr) return values;
  for (CFI_index_t k = 0; k < size_of_vector(*array); ++k) {
    const char* from = static_cast<const char*>(array->base_addr) + k * array->dim[0].sm;
    std::int64_t wide = 0;
    std::int32_t narrow = 0;
    if (array->elem_len == sizeof wide)
      std::memcpy(&wide, from, sizeof wide);
    else
      std::memcpy(&narrow, from, sizeof narrow), wide = narrow;
    values.push_back(std::in_range<Integer>(wide) ? static_cast<Integer>(wide) : Integer{-1});
  }
  return values;
}

/// Returns the communicator that a Fortran program passes; MPI_COMM_NULL, which the C functions refuse, if MPI does not
/// run.
inline MPI_Comm communicator_from(xredist_int handle) {
  return mpi_error({"comm"}) ? MPI_COMM_NULL : MPI_Comm_f2c(static_cast<MPI_Fint>(handle));
}

/// Keeps the first error that is found here. The C functions report it, because they may be collective.
inline void keep_first(MaybeError& error, const std::string& sentence) {
  if (!error) error = ArgumentError{{}, sentence};
}

/// A partition with its arrays.
struct OwnedPartition {
  OwnedPartition(const CFI_cdesc_t* bounds_array, const CFI_cdesc_t* owners_array, const std::string& name,
                 MaybeError& error)
      : present(bounds_array != nullptr),
        bounds(integers_of<std::int64_t>(bounds_array)),
        owners(integers_of<int>(owners_array)) {
    if (!present && owners_array != nullptr)
      keep_first(error, "owners_" + name + " is present, but " + name + " is absent");
    if (!present) return;
    if (bounds.empty()) keep_first(error, name + " is empty, must have at least one bound");
    if (owners_array != nullptr && owners.size() + 1 != bounds.size()) {
      keep_first(error, "owners_" + name + " has " + std::to_string(owners.size()) +
                            " elements, must have one less than " + name + ", which has " +
                            std::to_string(bounds.size()));
      owners.clear();  // the caller reads as many owners as there are intervals, even of a wrong partition
    }
    owned = {std::ssize(bounds) - 1, bounds.data(), owners.empty() ? nullptr : owners.data()};
  }
  const xredist_partition* get() const { return present ? &owned : nullptr; }

  bool present;
  std::vector<std::int64_t> bounds;
  std::vector<int> owners;
  xredist_partition owned{};
};

/// The layout of module xredist.
struct FortranLayout {
  xredist_int nprow, npcol, mb, nb, rsrc, csrc;
};

/// Returns the layout of the C interface, with pointers into the other arguments. `name`: of `ranks`, in messages.
inline xredist_layout layout_from(const FortranLayout& x, const std::vector<int>& ranks, const char* name,
                                  const OwnedPartition& rows, const OwnedPartition& cols, MaybeError& error) {
  if (const std::int64_t size = std::int64_t{x.nprow} * x.npcol; !ranks.empty() && std::ssize(ranks) != size)
    keep_first(error, std::string(name) + " has " + std::to_string(ranks.size()) + " elements, must have " +
                          std::to_string(size) + ", one for each process of the grid");
  return {.nprow = narrowed(x.nprow),
          .npcol = narrowed(x.npcol),
          .mb = x.mb,
          .nb = x.nb,
          .rsrc = narrowed(x.rsrc),
          .csrc = narrowed(x.csrc),
          .ranks = ranks.empty() ? nullptr : ranks.data(),
          .rows = rows.get(),
          .cols = cols.get()};
}

}  // namespace xredist::core
