// SPDX-License-Identifier: BSD-3-Clause
// The routines of module xredist_files, whose optional arguments are pointers that may be NULL.
#include "scalapack/files.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/errors.hpp"
#include "fortran/arrays.hpp"
#include "fortran/info.hpp"
#include "fortran/layout.hpp"
#include "scalapack/move.hpp"
#include "storage/files.hpp"

namespace xredist::core {
namespace {

// The arguments that all routines have, in the order of the Fortran interface.
struct Place {
  const xredist_int *m, *n, *i, *j;
  std::string_view file;  // padded with blanks
};
struct Keywords {
  const xredist_int *row, *col;
  const char *update, *type_in_file, *order, *format;
  const xredist_int *file_rows, *file_cols;
  const std::int64_t* offset;
};

// The local array, and what the C interface says about the elements.
struct Elements {
  FortranArray array;
  char type = 0;
  const char* descr = nullptr;  // NumPy's description, of integers that 'I' does not name
};

Elements elements_of(const CFI_cdesc_t* passed) {
  Elements elements{.array = array_of(passed)};
  const Type type = element_type(elements.array);
  constexpr std::pair<Type, char> letters[] = {
      {fortran_integer, 'I'}, {Type::real, 'S'}, {Type::real64, 'D'}, {Type::complex, 'C'}, {Type::complex64, 'Z'}};
  for (const auto& [named, letter] : letters)
    if (named == type) elements.type = letter;
  if (elements.type == 0 && type == Type::integer) elements.descr = "<i4";
  if (elements.type == 0 && type == Type::integer64) elements.descr = "<i8";
  return elements;
}

// Returns the leading dimension of an array of rank 2; 0 for other arrays, which have the smallest one.
Index leading_dimension(const CFI_cdesc_t* passed, const FortranArray& array) {
  if (array.storage == Storage::columns) return array.ld;
  return is_readable(*passed) && passed->rank == 2 ? passed->dim[0].extent : 0;
}

// Returns the number of elements from the first to the last one, if it is known.
std::optional<Index> size_of(const FortranArray& array) {
  if (array.storage != Storage::columns)
    return array.elements == unknown_size ? std::nullopt : std::optional(array.elements);
  return array.cols == 0 ? 0 : (array.cols - 1) * array.ld + array.rows;
}

// Keeps an error of an array whose columns the library cannot find. `ld`: LLD_, or 0.
void check_columns(const char* name, const FortranArray& array, Index ld, MaybeError& error) {
  if (array.storage == Storage::foreign)
    keep_first(error, std::string(name) + " is described by a Fortran compiler that this library was not built with");
  else if (array.storage == Storage::strided)
    keep_first(error, std::string(name) + " is not contiguous, nor a section of contiguous columns");
  else if (array.storage == Storage::columns && ld != 0 && array.ld != ld)
    keep_first(error, std::string(name) + " is a section with the leading dimension " + std::to_string(array.ld) +
                          ", where entry 9 (LLD_) of the descriptor is " + std::to_string(ld));
}

// Returns LLD_, or 0 on a process that does not know it.
Index leading_dimension_in(const xredist_int* desc) {
  return !mpi_error({"ctxt"}) && grid_of(desc[ctxt_]).member() ? desc[lld_] : 0;
}

// `name`: holds the path as long as the result is used.
xredist_file file_of(const Place& place, const Keywords& keywords, const Elements& elements, std::string& name) {
  name = trimmed(place.file.data(), place.file.size());
  const auto number = [](const auto* passed) { return passed != nullptr ? static_cast<std::int64_t>(*passed) : 0; };
  const auto letter = [](const char* passed) { return passed != nullptr && *passed != ' ' ? *passed : '\0'; };
  xredist_file file{};
  file.name = name.c_str();
  file.m = *place.m, file.n = *place.n, file.i = *place.i, file.j = *place.j;
  file.row = number(keywords.row), file.col = number(keywords.col);
  file.type = elements.type;
  file.descr = elements.descr;
  if (file.type == 0) file.bytes = elements.array.element_bytes;
  file.update = letter(keywords.update), file.type_in_file = letter(keywords.type_in_file);
  file.order = letter(keywords.order), file.format = letter(keywords.format);
  file.rows = number(keywords.file_rows), file.cols = number(keywords.file_cols);
  file.offset = number(keywords.offset);
  return file;
}

// The partitions of a matrix.
struct Partitions {
  const CFI_cdesc_t *rows, *cols, *owners_rows, *owners_cols;
};

using OnContext = void (*)(xredist_int, const xredist_int*, const xredist_partition*, const xredist_partition*, void*,
                           std::optional<Index>, const xredist_file*, const MaybeError&);

int on_context(OnContext work, const char* array_name, const xredist_int* ctxt, const Place& place,
               const CFI_cdesc_t* array, const xredist_int* desc, const Keywords& keywords,
               const Partitions& partitions) {
  return coded([&] {
    MaybeError error;
    const OwnedPartition rows(partitions.rows, partitions.owners_rows, "rows", error);
    const OwnedPartition cols(partitions.cols, partitions.owners_cols, "cols", error);
    const Elements elements = elements_of(array);
    check_columns(array_name, elements.array, leading_dimension_in(desc), error);
    std::string name;
    const xredist_file file = file_of(place, keywords, elements, name);
    work(*ctxt, desc, rows.get(), cols.get(), elements.array.address, size_of(elements.array), &file, error);
  });
}

using OnCommunicator = void (*)(const DistributedMatrix&, const xredist_file*, const MaybeError&);

int on_communicator(OnCommunicator work, char array_name, const xredist_int* comm, const Place& place,
                    const CFI_cdesc_t* array, const FortranLayout* layout, const Keywords& keywords,
                    const CFI_cdesc_t* ranks, const Partitions& partitions) {
  return coded([&] {
    MaybeError error;
    const OwnedPartition rows(partitions.rows, partitions.owners_rows, "rows", error);
    const OwnedPartition cols(partitions.cols, partitions.owners_cols, "cols", error);
    const std::vector<int> of_grid = integers_of<int>(ranks);
    const xredist_layout of_matrix = layout_from(*layout, of_grid, "ranks", rows, cols, error);
    const Elements elements = elements_of(array);
    check_columns(std::string(1, array_name).c_str(), elements.array, 0, error);
    std::string name;
    const xredist_file file = file_of(place, keywords, elements, name);
    const LocalArray local{array_name, elements.array.address, leading_dimension(array, elements.array),
                           size_of(elements.array)};
    work({communicator_from(*comm), &of_matrix, local, fortran_integer}, &file, error);
  });
}

}  // namespace
}  // namespace xredist::core

using namespace xredist::core;

#define XREDIST_FILE_KEYWORDS                                                                                      \
  const xredist_int *row, const xredist_int *col, const char *update, const char *type_in_file, const char *order, \
      const char *format, const xredist_int *file_rows, const xredist_int *file_cols, const std::int64_t *offset
#define XREDIST_PARTITIONS \
  const CFI_cdesc_t *rows, const CFI_cdesc_t *cols, const CFI_cdesc_t *owners_rows, const CFI_cdesc_t *owners_cols
#define XREDIST_PASSED_KEYWORDS \
  Keywords { row, col, update, type_in_file, order, format, file_rows, file_cols, offset }
#define XREDIST_PASSED_PARTITIONS \
  Partitions { rows, cols, owners_rows, owners_cols }

extern "C" {

XREDIST_API void xredist_fortran_write_blacs(const xredist_int* ctxt, const xredist_int* m, const xredist_int* n,
                                             const CFI_cdesc_t* a, const xredist_int* ia, const xredist_int* ja,
                                             const xredist_int* desca, const char* file, std::size_t length,
                                             XREDIST_KEYWORDS_ONLY, XREDIST_FILE_KEYWORDS, XREDIST_PARTITIONS,
                                             xredist_int* info) {
  const int code = on_context(write_on_context, "a", ctxt, {m, n, ia, ja, {file, length}}, a, desca,
                              XREDIST_PASSED_KEYWORDS, XREDIST_PASSED_PARTITIONS);
  set_info("XREDIST_WRITE", code, info, true);
}

XREDIST_API void xredist_fortran_read_blacs(const xredist_int* ctxt, const xredist_int* m, const xredist_int* n,
                                            const CFI_cdesc_t* b, const xredist_int* ib, const xredist_int* jb,
                                            const xredist_int* descb, const char* file, std::size_t length,
                                            XREDIST_KEYWORDS_ONLY, XREDIST_FILE_KEYWORDS, XREDIST_PARTITIONS,
                                            xredist_int* info) {
  const int code = on_context(read_on_context, "b", ctxt, {m, n, ib, jb, {file, length}}, b, descb,
                              XREDIST_PASSED_KEYWORDS, XREDIST_PASSED_PARTITIONS);
  set_info("XREDIST_READ", code, info, true);
}

XREDIST_API void xredist_fortran_write_comm(const xredist_int* comm, const xredist_int* m, const xredist_int* n,
                                            const CFI_cdesc_t* a, const xredist_int* i, const xredist_int* j,
                                            const FortranLayout* layout, const char* file, std::size_t length,
                                            XREDIST_KEYWORDS_ONLY, XREDIST_FILE_KEYWORDS, XREDIST_PARTITIONS,
                                            const CFI_cdesc_t* ranks, xredist_int* info) {
  const int code = on_communicator(write_matrix, 'a', comm, {m, n, i, j, {file, length}}, a, layout,
                                   XREDIST_PASSED_KEYWORDS, ranks, XREDIST_PASSED_PARTITIONS);
  set_info("XREDIST_WRITE", code, info, true);
}

XREDIST_API void xredist_fortran_read_comm(const xredist_int* comm, const xredist_int* m, const xredist_int* n,
                                           const CFI_cdesc_t* b, const xredist_int* i, const xredist_int* j,
                                           const FortranLayout* layout, const char* file, std::size_t length,
                                           XREDIST_KEYWORDS_ONLY, XREDIST_FILE_KEYWORDS, XREDIST_PARTITIONS,
                                           const CFI_cdesc_t* ranks, xredist_int* info) {
  const int code = on_communicator(read_matrix, 'b', comm, {m, n, i, j, {file, length}}, b, layout,
                                   XREDIST_PASSED_KEYWORDS, ranks, XREDIST_PASSED_PARTITIONS);
  set_info("XREDIST_READ", code, info, true);
}

}  // extern "C"
