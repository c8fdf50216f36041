// SPDX-License-Identifier: BSD-3-Clause
#include "storage/matrix.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string>
#include <string_view>
#include <tuple>

#include "file/npy.hpp"
#include "storage/compared.hpp"
#include "storage/failure.hpp"

namespace xredist::files {
namespace {

constexpr Index max_offset = Index{1} << 60;  // bytes
constexpr Index max_bytes = Index{64} << 10;  // of an element without a type

[[noreturn]] void refuse(const std::string& sentence) { throw InvalidArgument(sentence); }

[[noreturn]] void refuse(const char* name, Index value, const std::string& rest) {
  refuse(std::string(name) + " is " + std::to_string(value) + rest);
}

void demand_bounds(const char* name, Index value, Index least) {
  if (value < least) refuse(name, value, ", must be at least " + std::to_string(least));
  if (value > max_elements) refuse(name, value, ", must be at most " + std::to_string(max_elements));
}

void demand_letter(std::string_view letters, const char* list, const char* name, char letter) {
  if (letters.find(letter) != letters.npos) return;
  const bool prints = std::isprint(static_cast<unsigned char>(letter)) != 0;
  refuse(std::string(name) + " is " +
         (prints ? std::string("'") + letter + "'" : "character " + std::to_string(letter)) + ", must be " + list);
}

char capital(char letter) { return static_cast<char>(std::toupper(static_cast<unsigned char>(letter))); }

xredist_file with_defaults(xredist_file file) {
  for (std::int64_t* first : {&file.i, &file.j, &file.row, &file.col})
    if (*first == 0) *first = 1;
  const auto letter = [](char& given, char otherwise) { given = given == 0 ? otherwise : capital(given); };
  letter(file.type, 0);
  letter(file.type_in_file, 0);
  letter(file.format, 'N');
  letter(file.order, 'F');
  letter(file.update, 'N');
  if (file.rows == 0) file.rows = file.row - 1 + file.m;
  if (file.cols == 0) file.cols = file.col - 1 + file.n;
  return file;
}

void check_sizes(const xredist_file& file) {
  for (const auto& [name, value, least] : {std::tuple<const char*, Index, Index>{"m", file.m, 0},
                                           {"n", file.n, 0},
                                           {"i", file.i, 1},
                                           {"j", file.j, 1},
                                           {"row", file.row, 1},
                                           {"col", file.col, 1},
                                           {"rows", file.rows, 0},
                                           {"cols", file.cols, 0}})
    demand_bounds(name, value, least);
  if (too_large(file.m, file.n))
    refuse("n", file.n, ": with m = " + std::to_string(file.m) + " these are 2^59 elements or more");
  if (file.offset < 0 || file.offset > max_offset) refuse("offset", file.offset, ", must be in 0 .. 2^60");
}

// Checks the letters, and the size of the elements.
void check_elements(const xredist_file& file) {
  for (const std::int64_t word : file.reserved)
    if (word != 0) refuse("file.reserved is not 0: set members by name, or make all bytes of the struct 0 first");
  constexpr const char *letters = "ISDCZ", *list = "I, S, D, C or Z";
  if (file.type == 0) {
    if (file.bytes == 0) refuse("type and bytes are 0, one of them must be set");
    if (file.bytes < 1 || file.bytes > max_bytes)
      refuse("bytes", file.bytes, ", must be in 1 .. " + std::to_string(max_bytes) + " if type is 0");
  } else {
    demand_letter(letters, list, "type", file.type);
    if (const Index size = bytes_of(file.type); file.bytes != 0 && file.bytes != size)
      refuse("bytes", file.bytes, ", must be 0 or " + std::to_string(size) + " for type = '" + file.type + "'");
  }
  demand_letter("NR", "N or R", "format", file.format);
  demand_letter("FC", "F or C", "order", file.order);
  demand_letter("NY", "N or Y", "update", file.update);
  if (file.type_in_file != 0) demand_letter(letters, list, "type_in_file", file.type_in_file);
  if (file.type_in_file != 0 && file.type == 0) refuse("type_in_file: type is 0");
  if (file.descr != nullptr && file.type != 0) refuse("descr: the elements have a type, whose description is known");
  if (file.offset != 0 && file.format == 'N') refuse("offset", file.offset, ", must be 0 for format N");
}

struct LocalSize {
  Index rows = 0, cols = 0;
};

LocalSize local_size(const xredist_layout& layout, Index m, Index n, int rank) {
  LocalSize size;
  demand_success(xredist_local_size(&layout, m, n, rank, &size.rows, &size.cols));
  return size;
}

// Returns the local rows and columns up to the end of the submatrix; none on a process without a part of it.
LocalSize size_up_to_end(const xredist_layout& layout, const xredist_file& file, int rank) {
  const LocalSize before = local_size(layout, file.i - 1, file.j - 1, rank);
  const LocalSize size = local_size(layout, file.i - 1 + file.m, file.j - 1 + file.n, rank);
  return size.rows > before.rows && size.cols > before.cols ? size : LocalSize{};
}

// Checks a layout on `size` processes, and that it has the submatrix.
void check_layout(const xredist_layout* layout, const xredist_file& file, int size) {
  if (layout == nullptr) refuse("layout is NULL");
  demand_bounds("layout.nprow", layout->nprow, 1);
  demand_bounds("layout.npcol", layout->npcol, 1);
  if (Index{layout->nprow} * layout->npcol > size)
    refuse("layout.nprow", layout->nprow,
           ": with npcol = " + std::to_string(layout->npcol) + " the grid needs more than the " + std::to_string(size) +
               " processes of the communicator");
  local_size(*layout, 0, 0, 0);
  demand_ranks(*layout, size);
  if (const xredist_partition* rows = layout->rows)
    demand_end("i", file.i, "m", file.m, "layout.rows, which ends at ", rows->bounds[rows->count]);
  if (const xredist_partition* cols = layout->cols)
    demand_end("j", file.j, "n", file.n, "layout.cols, which ends at ", cols->bounds[cols->count]);
}

void check_array(const DistributedMatrix& matrix, const xredist_file& file) {
  const auto [rows, cols] = size_up_to_end(*matrix.layout, file, rank_in(matrix.comm));
  if (rows == 0) return;
  const LocalArray& array = matrix.array;
  const std::string name(1, array.name);
  if (array.data == nullptr) refuse(name + " is NULL on a process that holds a part of it");
  const Index ld = array.ld != 0 ? array.ld : rows;
  if (ld < rows || ld > max_elements)
    refuse("ld" + name + " is " + std::to_string(ld) + ", must be in " + std::to_string(rows) +
           " .. 2^40: the local rows up to the end of the submatrix are " + std::to_string(rows));
  if (array.size && (*array.size < rows || (*array.size - rows) / ld < cols - 1))
    refuse(name + " has " + std::to_string(*array.size) +
           " elements, where the local part up to the end of the submatrix has " + std::to_string(rows) + " x " +
           std::to_string(cols) + " with the leading dimension " + std::to_string(ld));
}

xredist_file checked_file(const DistributedMatrix& matrix, const xredist_file* passed) {
  if (passed == nullptr) refuse("file is NULL");
  const xredist_file file = with_defaults(*passed);
  if (file.name == nullptr) refuse("file.name is NULL");
  check_sizes(file);
  check_layout(matrix.layout, file, size_of(matrix.comm));
  check_elements(file);
  check_array(matrix, file);
  return file;
}

// The arguments that all processes must pass alike.
auto compared_arguments(const DistributedMatrix& matrix, const xredist_file& file) {
  const xredist_layout& layout = *matrix.layout;
  const bool cyclic_rows = layout.rows == nullptr, cyclic_cols = layout.cols == nullptr;
  return std::array{
      Compared{"the function, xredist_write or xredist_read,", matrix.array.name},
      compared("layout.nprow", layout.nprow),
      compared("layout.npcol", layout.npcol),
      Compared{"layout.rows", digest_of(layout.rows)},
      Compared{"layout.cols", digest_of(layout.cols)},
      compared("layout.mb", cyclic_rows ? layout.mb : 0),
      compared("layout.nb", cyclic_cols ? layout.nb : 0),
      compared("layout.rsrc", cyclic_rows ? layout.rsrc : 0),
      compared("layout.csrc", cyclic_cols ? layout.csrc : 0),
      Compared{"layout.ranks", digest_of_ranks(layout)},
      Compared{"file.name", digest_of(file.name)},
      compared("m", file.m),
      compared("n", file.n),
      compared("i", file.i),
      compared("j", file.j),
      compared("row", file.row),
      compared("col", file.col),
      Compared{"type", file.type},
      compared("bytes", file.bytes),
      Compared{"descr", file.descr == nullptr ? 0 : digest_of(file.descr)},
      Compared{"type_in_file", file.type_in_file},
      Compared{"format", file.format},
      Compared{"order", file.order},
      Compared{"update", file.update},
      compared("rows", file.rows),
      compared("cols", file.cols),
      compared("offset", file.offset),
  };
}

}  // namespace

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

Index buffer_of(MPI_Comm comm) {
  std::array<char, 32> text{};
  demand_success(xredist_get_option(comm, "buffer", text.data(), text.size()));
  Index bytes = 0;
  std::from_chars(text.data(), text.data() + text.size(), bytes);
  return bytes;
}

void demand_end(const char* first_name, Index first, const char* count_name, Index count, std::string_view whole,
                Index end) {
  if (first - 1 <= end && count <= end - (first - 1)) return;
  refuse(count_name, count,
         (std::string(": with ") + first_name + " = " + std::to_string(first) + " it reaches beyond ").append(whole) +
             std::to_string(end));
}

xredist_file agreed_file(const DistributedMatrix& matrix, const xredist_file* passed, int callers) {
  const xredist_file file = on_all(matrix.comm, [&] {
    demand_success(callers);
    return checked_file(matrix, passed);
  });
  demand_equal(compared_arguments(matrix, file), matrix.comm);
  return file;
}

DistributedMatrix with_leading_dimension(const DistributedMatrix& matrix, const xredist_file& file) {
  DistributedMatrix complete = matrix;
  if (matrix.array.ld == 0) complete.array.ld = size_up_to_end(*matrix.layout, file, rank_in(matrix.comm)).rows;
  return complete;
}

}  // namespace xredist::files
