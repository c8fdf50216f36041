// SPDX-License-Identifier: BSD-3-Clause
#include "storage/subarray.hpp"

#include <algorithm>
#include <string>

#include "api/layout_arguments.hpp"
#include "api/matrix_operation.hpp"
#include "file/npy.hpp"
#include "layout/digest.hpp"

namespace xredist::files {
namespace {

constexpr Index max_offset = Index{1} << 60;  // bytes

// Sizes along each axis, their names in sentences, and the minimum of each.
struct Listed {
  Sizes Subarray::*sizes;
  std::array<const char*, 2> of_matrix, of_matrix_in_fortran;
  const char* of_array;
  Index least;

  ArgumentRef name(bool is_matrix, int axis) const {
    if (!is_matrix) return ArgumentRef{of_array, axis, "[]"};
    return {at(names_are_of_fortran() ? of_matrix_in_fortran : of_matrix, axis)};
  }
};
constexpr ArgumentRef file_name{"file", -1, ".name"};  // "file" in Fortran

constexpr std::array<Listed, 4> lists{
    {{&Subarray::shape, {"m", "n"}, {"m", "n"}, "shape", 0},
     {&Subarray::first, {"i", "j"}, {"i", "j"}, "first", 1},
     {&Subarray::first_in_file, {"row", "col"}, {"row", "col"}, "first_in_file", 1},
     {&Subarray::whole, {"rows", "cols"}, {"file_rows", "file_cols"}, "shape_in_file", 0}}};

// Copies the members that matrices and arrays have in common.
template <class File>
Subarray with_elements_of(const File& file) {
  demand(first_of({reserved_error({"file.reserved"}, file.reserved), null_error(file_name, file.name)}));
  const auto letter = [](char given, char otherwise) { return given == 0 ? otherwise : capital(given); };
  Subarray same{};
  same.name = file.name;
  same.type = letter(file.type, 0), same.type_in_file = letter(file.type_in_file, 0);
  same.bytes = file.bytes, same.descr = file.descr;
  same.format = letter(file.format, 'N'), same.order = letter(file.order, 'F');
  same.update = letter(file.update, 'N');
  same.offset = file.offset;
  if (file.consume != 0 && file.consume != 1) demand(value_error({"consume"}, file.consume, ", must be 0 or 1"));
  same.consumes = file.consume == 1;
  same.progress = file.progress, same.progress_context = file.progress_context;
  return same;
}

void check_sizes(const Subarray& x) {
  demand(shape_error(x.named(&Subarray::shape)));
  for (const Listed& list : lists)
    for (const auto& [name, size] : x.named(list.sizes)) demand(bounds_error(name, size, list.least));
  if (x.offset < 0 || x.offset > max_offset) demand(value_error({"offset"}, x.offset, ", must be in 0 .. 2^60"));
}

// Checks the letters, and the size of the elements.
void check_elements(const Subarray& x) {
  demand(elements_error(with_defaults({.type = x.type, .bytes = x.bytes})));
  demand(first_of({letter_error("NR", "N or R", {"format"}, x.format), letter_error("FC", "F or C", {"order"}, x.order),
                   letter_error("NY", "N or Y", {"update"}, x.update)}));
  if (x.type_in_file != 0) demand(letter_error("ISDCZ", "I, S, D, C or Z", {"type_in_file"}, x.type_in_file));
  if (x.type_in_file != 0 && x.type == 0) throw InvalidArgument("type_in_file: type is 0");
  if (x.descr != nullptr && x.type != 0)
    throw InvalidArgument("descr: the elements have a type, whose description is known");
  if (x.offset != 0 && x.format == 'N') demand(value_error({"offset"}, x.offset, ", must be 0 for format N"));
}

Subarray checked(const Subarray& subarray) {
  check_sizes(subarray);
  check_elements(subarray);
  return subarray;
}

}  // namespace

std::vector<Named> Subarray::named(Sizes Subarray::*sizes) const {
  const Listed& list = *std::ranges::find(lists, sizes, &Listed::sizes);
  std::vector<Named> all;
  all.reserve(as_size(dims));
  for (int k = 0; k < dims; ++k) all.push_back({list.name(is_matrix, k), at(this->*sizes, k)});
  return all;
}

Subarray subarray_of(const xredist_file& file, int dims) {
  Subarray same = with_elements_of(file);
  same.is_matrix = true, same.dims = dims;
  const auto from_1 = [](Index first) { return first == 0 ? 1 : first; };
  same.shape = {file.m, file.n}, same.whole = {file.rows, file.cols};
  same.first = {from_1(file.i), from_1(file.j)}, same.first_in_file = {from_1(file.row), from_1(file.col)};
  for (std::size_t k = 0; k < 2; ++k)
    if (same.whole[k] == 0) same.whole[k] = same.first_in_file[k] - 1 + same.shape[k];
  return checked(same);
}

Subarray subarray_of(const xredist_array_file& file, int dims) {
  Subarray same = with_elements_of(file);
  same.dims = dims;
  demand(null_error({"file.shape"}, file.shape));
  std::copy_n(file.shape, dims, same.shape.begin());
  const auto copy = [&](const std::int64_t* given, Sizes& to) {
    if (given != nullptr)
      std::copy_n(given, dims, to.begin());
    else
      std::fill_n(to.begin(), dims, 1);
  };
  copy(file.first, same.first), copy(file.first_in_file, same.first_in_file);
  if (file.shape_in_file != nullptr)
    std::copy_n(file.shape_in_file, dims, same.whole.begin());
  else
    for (std::size_t k = 0; k < as_size(dims); ++k) same.whole[k] = same.first_in_file[k] - 1 + same.shape[k];
  return checked(same);
}

Index bytes_of_element(const Subarray& x) { return x.type != 0 ? bytes_of(x.type) : x.bytes; }

Compared* list_subarray(const Subarray& x, int axes, Compared* next) {
  const auto add_sizes = [&](const Listed& list) {
    for (int k = 0; k < axes; ++k) *next++ = {list.name(x.is_matrix, k), at(x.*list.sizes, k)};
  };
  const auto fingerprint_of = [](const char* text) {
    Digest digest;
    digest.add(text);
    return digest.number();
  };
  *next++ = {file_name, fingerprint_of(x.name), differs};
  std::for_each(lists.begin(), lists.end() - 1, add_sizes);
  *next++ = {{"type"}, x.type, differs};
  *next++ = {{"bytes"}, x.bytes};
  *next++ = {{"descr"}, x.descr != nullptr ? fingerprint_of(x.descr) : 0, differs};
  *next++ = {{"type_in_file"}, x.type_in_file, differs};
  *next++ = {{"format"}, x.format, differs};
  *next++ = {{"order"}, x.order, differs};
  *next++ = {{"update"}, x.update, differs};
  add_sizes(lists.back());
  *next++ = {{"offset"}, x.offset};
  *next++ = {{"consume"}, x.consumes ? 1 : 0};
  return next;
}

}  // namespace xredist::files
