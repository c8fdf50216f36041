// SPDX-License-Identifier: BSD-3-Clause
// XREDIST_WRITE and XREDIST_READ of module xredist_files for matrices.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "api/failure.hpp"
#include "blacs/context_files.hpp"
#include "fortran/arrays.hpp"
#include "fortran/info.hpp"
#include "fortran/owned_file.hpp"
#include "fortran/owned_layout.hpp"
#include "storage/files.hpp"

// Last, because other headers remove its macro XREDIST_API.
#include "xredist/begin.h"

namespace xredist::core {
namespace {

// Returns the leading dimension of an array of rank 2; 0 for other arrays, which have the smallest one.
Index leading_dimension(const CFI_cdesc_t* passed, const FortranArray& array) {
  if (array.storage == Storage::columns) return array.ld;
  return is_readable(*passed) && passed->rank == 2 ? passed->dim[0].extent : 0;
}

// Returns the number of elements from the first to the last one, if it is known.
std::optional<Index> known_size_of(const FortranArray& array) {
  if (array.storage != Storage::columns)
    return array.elements == unknown_size ? std::nullopt : std::optional(array.elements);
  return array.cols == 0 ? 0 : (array.cols - 1) * array.ld + array.rows;
}

// Checks that the library can find the columns of an array. `ld`: LLD_, or 0. Throws InvalidArgument.
void check_columns(const std::string& name, const FortranArray& array, Index ld) {
  if (array.storage == Storage::foreign)
    throw InvalidArgument(Text() << name << " is described by a Fortran compiler that this library was not built with");
  if (array.storage == Storage::strided)
    throw InvalidArgument(Text() << name << " is not contiguous, nor a section of contiguous columns");
  if (array.storage == Storage::columns && ld != 0 && array.ld != ld)
    throw InvalidArgument(Text() << name << " is a section with the leading dimension " << array.ld
                                 << ", where entry 9 (LLD_) of the descriptor is " << ld);
}

// Returns LLD_, or 0 on a process that does not know it.
Index leading_dimension_in(const xredist_int* desc) {
  return !mpi_error({"ctxt"}) && grid_of(desc[ctxt_]).member() ? desc[lld_] : 0;
}

}  // namespace
}  // namespace xredist::core

using namespace xredist::core;

extern "C" {

// `name`: of the array, 'a' to write it and 'b' to read into it. On a context, the matrix has an array descriptor; on a
// communicator, it has a layout. Other arguments may be absent (NULL).
XREDIST_API void xredist_fortran_matrix_file(char name, const xredist_int* place, const CFI_cdesc_t* array,
                                             const xredist_file* numbers, XREDIST_KEYWORDS_ONLY, const char* file,
                                             std::size_t length, const char* descr, std::size_t descr_length,
                                             const CFI_cdesc_t* rows, const CFI_cdesc_t* cols,
                                             const CFI_cdesc_t* owners_rows, const CFI_cdesc_t* owners_cols,
                                             const CFI_cdesc_t* places_rows, const CFI_cdesc_t* places_cols,
                                             xredist_int* info, const xredist_int* desc, const FortranLayout* layout,
                                             const CFI_cdesc_t* ranks) {
  const bool writes = name == 'a';
  const int code = coded_with_files([&] {
    const FortranArray local = array_of(array);
    std::optional<OwnedLayout> owned;
    std::optional<OwnedFile<xredist_file>> owned_file;
    const auto made = attempt([&] {
      check_columns(std::string(1, name), local, desc != nullptr ? leading_dimension_in(desc) : 0);
      owned.emplace(layout != nullptr ? *layout : FortranLayout{}, ranks, "ranks",
                    OwnedPartition(rows, owners_rows, places_rows, "rows"),
                    OwnedPartition(cols, owners_cols, places_cols, "cols"));
      owned_file.emplace(*numbers, std::string_view(file, length), std::string_view(descr, descr_length), local);
    });
    const xredist_layout of_matrix = owned ? owned->get() : xredist_layout{};
    const xredist_file* const of_call = owned_file ? &owned_file->in_c : nullptr;
    if (desc != nullptr) {
      xredist_partitions partitions{};
      partitions.rows_a = of_matrix.rows, partitions.cols_a = of_matrix.cols;
      const auto work = writes ? xredist::files::write_on_context : xredist::files::read_on_context;
      work(*place, desc, partitions, local.address, known_size_of(local), of_call, made.failure());
    } else {
      const auto work = writes ? xredist::files::write_matrix : xredist::files::read_matrix;
      work({communicator_from(*place),
            &of_matrix,
            {local.address, leading_dimension(array, local), known_size_of(local)}},
           of_call, made.failure());
    }
  });
  set_info(writes ? "XREDIST_WRITE" : "XREDIST_READ", code, info, true);
}

}  // extern "C"
