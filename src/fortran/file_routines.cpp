// SPDX-License-Identifier: BSD-3-Clause
// The routines of module xredist_files, whose optional arguments are pointers that may be NULL.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/failure.hpp"
#include "blacs/context_files.hpp"
#include "fortran/arrays.hpp"
#include "fortran/file_elements.hpp"
#include "fortran/info.hpp"
#include "fortran/owned_layout.hpp"
#include "scalapack/matrix_arguments.hpp"
#include "storage/files.hpp"

// Last, because other headers remove its macro XREDIST_API.
#include "xredist/begin.h"

namespace xredist::core {
namespace {

// The arguments that all routines have, in the order of the Fortran interface.
struct FilePlace {
  const xredist_int *m, *n, *i, *j;
  std::string_view file;  // padded with blanks
};
struct FileKeywords {
  const xredist_int *row, *col;
  const char *update, *type_in_file, *order, *format;
  const xredist_int *file_rows, *file_cols;
  const std::int64_t* offset;
  const char* descr;
  std::size_t descr_length;
  const bool* consume;
};

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

// Checks that the library can find the columns of an array. `ld`: LLD_, or 0. Throws InvalidArgument.
void check_columns(const std::string& name, const FortranArray& array, Index ld) {
  if (array.storage == Storage::foreign)
    throw InvalidArgument(name + " is described by a Fortran compiler that this library was not built with");
  if (array.storage == Storage::strided)
    throw InvalidArgument(name + " is not contiguous, nor a section of contiguous columns");
  if (array.storage == Storage::columns && ld != 0 && array.ld != ld)
    throw InvalidArgument(name + " is a section with the leading dimension " + std::to_string(array.ld) +
                          ", where entry 9 (LLD_) of the descriptor is " + std::to_string(ld));
}

// Returns LLD_, or 0 on a process that does not know it.
Index leading_dimension_in(const xredist_int* desc) {
  return !mpi_error({"ctxt"}) && grid_of(desc[ctxt_]).member() ? desc[lld_] : 0;
}

// The file of a call, its name and its description.
struct OwnedFile {
  OwnedFile(const FilePlace& place, const FileKeywords& keywords, const CFI_cdesc_t* array)
      : name(trimmed(place.file.data(), place.file.size())),
        elements(elements_of(array, keywords.descr, keywords.descr_length)) {
    const auto number = [](const auto* passed) { return passed != nullptr ? static_cast<std::int64_t>(*passed) : 0; };
    const auto letter = [](const char* passed) { return passed != nullptr && *passed != ' ' ? *passed : '\0'; };
    numbers.m = *place.m, numbers.n = *place.n, numbers.i = *place.i, numbers.j = *place.j;
    numbers.row = number(keywords.row), numbers.col = number(keywords.col);
    numbers.type = elements.type;
    if (numbers.type == 0) numbers.bytes = elements.array.element_bytes;
    numbers.update = letter(keywords.update), numbers.type_in_file = letter(keywords.type_in_file);
    numbers.order = letter(keywords.order), numbers.format = letter(keywords.format);
    numbers.rows = number(keywords.file_rows), numbers.cols = number(keywords.file_cols);
    numbers.offset = number(keywords.offset);
    numbers.consume = *keywords.consume ? 1 : 0;
    numbers = files::with_integers_of_c(numbers, elements.descr);
  }
  /// Returns the file of the C interface, which refers to this object.
  xredist_file get() const {
    xredist_file file = numbers;
    file.name = name.c_str();
    if (!elements.descr.empty()) file.descr = elements.descr.c_str();
    return file;
  }

  std::string name;
  Elements elements;
  xredist_file numbers{};
};

// The partitions of a matrix.
struct Partitions {
  const CFI_cdesc_t *rows, *cols, *owners_rows, *owners_cols;

  OwnedPartition of_rows() const { return {rows, owners_rows, "rows"}; }
  OwnedPartition of_cols() const { return {cols, owners_cols, "cols"}; }
};

// The arguments of a call on a context.
struct FileOnContext {
  OwnedPartition rows, cols;
  OwnedFile file;
};

using WorkOnContext = void (*)(xredist_int, const xredist_int*, const xredist_partitions&, void*, std::optional<Index>,
                               const xredist_file*, const Failure*);

int on_context(WorkOnContext work, const char* array_name, const xredist_int* ctxt, const FilePlace& place,
               const CFI_cdesc_t* array, const xredist_int* desc, const FileKeywords& keywords,
               const Partitions& partitions) {
  return coded([&] {
    const FortranArray local = array_of(array);
    auto arguments = attempt([&] {
      check_columns(array_name, local, leading_dimension_in(desc));
      return FileOnContext{partitions.of_rows(), partitions.of_cols(), {place, keywords, array}};
    });
    const FileOnContext* const passed = arguments.get();
    xredist_partitions of_matrix{};
    xredist_file file{};
    if (passed != nullptr) {
      of_matrix.rows_a = passed->rows.get(), of_matrix.cols_a = passed->cols.get();
      file = passed->file.get();
    }
    work(*ctxt, desc, of_matrix, local.address, size_of(local), &file, arguments.failure());
  });
}

// The arguments of a call on a communicator.
struct FileOnCommunicator {
  OwnedLayout layout;
  OwnedFile file;
};

using WorkOnCommunicator = void (*)(const files::PassedMatrix&, const xredist_file*, const Failure*);

int on_communicator(WorkOnCommunicator work, char array_name, const xredist_int* comm, const FilePlace& place,
                    const CFI_cdesc_t* array, const FortranLayout* layout, const FileKeywords& keywords,
                    const CFI_cdesc_t* ranks, const Partitions& partitions) {
  return coded([&] {
    const FortranArray passed_array = array_of(array);
    auto arguments = attempt([&] {
      check_columns(std::string(1, array_name), passed_array, 0);
      return FileOnCommunicator{{*layout, ranks, "ranks", partitions.of_rows(), partitions.of_cols()},
                                {place, keywords, array}};
    });
    const FileOnCommunicator* const passed = arguments.get();
    const xredist_layout of_matrix = passed != nullptr ? passed->layout.get() : xredist_layout{};
    const xredist_file file = passed != nullptr ? passed->file.get() : xredist_file{};
    const files::LocalMatrix local{passed_array.address, leading_dimension(array, passed_array), size_of(passed_array)};
    work({communicator_from(*comm), &of_matrix, local}, &file, arguments.failure());
  });
}

}  // namespace
}  // namespace xredist::core

using namespace xredist::core;

// The arguments of routines of either direction, on a context and on a communicator, and their use.
#define XREDIST_FILE_AND_KEYWORDS                                                                                \
  const char *file, std::size_t length, XREDIST_KEYWORDS_ONLY, const xredist_int *row, const xredist_int *col,   \
      const char *update, const char *type_in_file, const char *order, const char *format,                       \
      const xredist_int *file_rows, const xredist_int *file_cols, const std::int64_t *offset, const char *descr, \
      std::size_t descr_length, const bool *consume, const CFI_cdesc_t *rows, const CFI_cdesc_t *cols,           \
      const CFI_cdesc_t *owners_rows, const CFI_cdesc_t *owners_cols
#define XREDIST_SUBMATRIX \
  const xredist_int *m, const xredist_int *n, const CFI_cdesc_t *array, const xredist_int *i, const xredist_int *j
#define XREDIST_ON_CONTEXT \
  const xredist_int *ctxt, XREDIST_SUBMATRIX, const xredist_int *desc, XREDIST_FILE_AND_KEYWORDS, xredist_int *info
#define XREDIST_ON_COMMUNICATOR                                                                       \
  const xredist_int *comm, XREDIST_SUBMATRIX, const FortranLayout *layout, XREDIST_FILE_AND_KEYWORDS, \
      const CFI_cdesc_t *ranks, xredist_int *info
#define XREDIST_PASSED_FILE_KEYWORDS \
  { row, col, update, type_in_file, order, format, file_rows, file_cols, offset, descr, descr_length, consume }
#define XREDIST_PASSED_PARTITIONS \
  { rows, cols, owners_rows, owners_cols }
#define XREDIST_PASSED_ON_CONTEXT \
  ctxt, {m, n, i, j, {file, length}}, array, desc, XREDIST_PASSED_FILE_KEYWORDS, XREDIST_PASSED_PARTITIONS
#define XREDIST_PASSED_ON_COMMUNICATOR \
  comm, {m, n, i, j, {file, length}}, array, layout, XREDIST_PASSED_FILE_KEYWORDS, ranks, XREDIST_PASSED_PARTITIONS

extern "C" {

XREDIST_API void xredist_fortran_write_blacs(XREDIST_ON_CONTEXT) {
  set_info("XREDIST_WRITE", on_context(xredist::files::write_on_context, "a", XREDIST_PASSED_ON_CONTEXT), info, true);
}

XREDIST_API void xredist_fortran_read_blacs(XREDIST_ON_CONTEXT) {
  set_info("XREDIST_READ", on_context(xredist::files::read_on_context, "b", XREDIST_PASSED_ON_CONTEXT), info, true);
}

XREDIST_API void xredist_fortran_write_comm(XREDIST_ON_COMMUNICATOR) {
  const int code = on_communicator(xredist::files::write_matrix, 'a', XREDIST_PASSED_ON_COMMUNICATOR);
  set_info("XREDIST_WRITE", code, info, true);
}

XREDIST_API void xredist_fortran_read_comm(XREDIST_ON_COMMUNICATOR) {
  const int code = on_communicator(xredist::files::read_matrix, 'b', XREDIST_PASSED_ON_COMMUNICATOR);
  set_info("XREDIST_READ", code, info, true);
}

}  // extern "C"
