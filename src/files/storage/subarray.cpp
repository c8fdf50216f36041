// SPDX-License-Identifier: BSD-3-Clause
#include "storage/subarray.hpp"

#include <algorithm>
#include <cctype>

#include "file/npy.hpp"
#include "storage/entry_names.hpp"
#include "storage/shared_failure.hpp"

namespace xredist::files {
namespace {

constexpr Index max_offset = Index{1} << 60;  // bytes
constexpr Index max_bytes = Index{64} << 10;  // of an element without a type

// Sizes along each axis, their names in sentences, and the minimum of each.
struct Listed {
  Sizes Subarray::*sizes;
  std::array<const char*, 2> of_matrix;
  const char* of_array;
  Index least;

  const char* name(const Subarray& subarray, int axis) const {
    return subarray.is_matrix ? of_matrix.at(as_size(axis)) : of_array;
  }
};
constexpr std::array<Listed, 4> lists{{{&Subarray::shape, {"m", "n"}, "shape", 0},
                                       {&Subarray::first, {"i", "j"}, "first", 1},
                                       {&Subarray::first_in_file, {"row", "col"}, "first_in_file", 1},
                                       {&Subarray::whole, {"rows", "cols"}, "shape_in_file", 0}}};

void demand_letter(std::string_view letters, const char* list, const char* name, char letter) {
  if (letters.find(letter) != letters.npos) return;
  const bool prints = std::isprint(static_cast<unsigned char>(letter)) != 0;
  throw InvalidArgument(std::string(name) + " is " +
                        (prints ? std::string("'") + letter + "'" : "character " + std::to_string(letter)) +
                        ", must be " + list);
}

char capital(char letter) { return static_cast<char>(std::toupper(static_cast<unsigned char>(letter))); }

// Copies the members that matrices and arrays have in common.
template <class File>
Subarray with_elements_of(const File& file) {
  for (const std::int64_t word : file.reserved)
    if (word != 0)
      throw InvalidArgument("file.reserved is not 0: set members by name, or make all bytes of the struct 0 first");
  if (file.name == nullptr) throw InvalidArgument("file.name is NULL");
  const auto letter = [](char given, char otherwise) { return given == 0 ? otherwise : capital(given); };
  Subarray same{};
  same.name = file.name;
  same.type = letter(file.type, 0), same.type_in_file = letter(file.type_in_file, 0);
  same.bytes = file.bytes, same.descr = file.descr;
  same.format = letter(file.format, 'N'), same.order = letter(file.order, 'F');
  same.update = letter(file.update, 'N');
  same.offset = file.offset;
  if (file.consume != 0 && file.consume != 1) refuse("consume", file.consume, ", must be 0 or 1");
  same.consumes = file.consume == 1;
  same.progress = file.progress, same.progress_context = file.progress_context;
  return same;
}

void check_sizes(const Subarray& x) {
  for (const Listed& list : lists)
    for (int k = 0; k < x.dims; ++k) demand_bounds(x.name_of(list.sizes, k), (x.*list.sizes)[as_size(k)], list.least);
  for (int k = 0; k < x.dims; ++k)
    if (too_large({x.shape.data(), as_size(k) + 1}))
      refuse(x.name_of(&Subarray::shape, k), x.shape[as_size(k)],
             (x.is_matrix ? ": with m = " + std::to_string(x.shape[0]) : ": with the axes before it") +
                 " these are 2^59 elements or more");
  if (x.offset < 0 || x.offset > max_offset) refuse("offset", x.offset, ", must be in 0 .. 2^60");
}

// Checks the letters, and the size of the elements.
void check_elements(const Subarray& x) {
  constexpr const char *letters = "ISDCZ", *list = "I, S, D, C or Z";
  if (x.type == 0) {
    if (x.bytes == 0) throw InvalidArgument("type and bytes are 0, one of them must be set");
    if (x.bytes < 1 || x.bytes > max_bytes)
      refuse("bytes", x.bytes, ", must be in 1 .. " + std::to_string(max_bytes) + " if type is 0");
  } else {
    demand_letter(letters, list, "type", x.type);
    if (const Index size = bytes_of(x.type); x.bytes != 0 && x.bytes != size)
      refuse("bytes", x.bytes, ", must be 0 or " + std::to_string(size) + " for type = '" + x.type + "'");
  }
  demand_letter("NR", "N or R", "format", x.format);
  demand_letter("FC", "F or C", "order", x.order);
  demand_letter("NY", "N or Y", "update", x.update);
  if (x.type_in_file != 0) demand_letter(letters, list, "type_in_file", x.type_in_file);
  if (x.type_in_file != 0 && x.type == 0) throw InvalidArgument("type_in_file: type is 0");
  if (x.descr != nullptr && x.type != 0)
    throw InvalidArgument("descr: the elements have a type, whose description is known");
  if (x.offset != 0 && x.format == 'N') refuse("offset", x.offset, ", must be 0 for format N");
}

Subarray checked(const Subarray& subarray) {
  check_sizes(subarray);
  check_elements(subarray);
  return subarray;
}

}  // namespace

std::string Subarray::name_of(Sizes Subarray::*sizes, int axis) const {
  const char* const list = std::ranges::find(lists, sizes, &Listed::sizes)->name(*this, axis);
  return entry_name(list, is_matrix ? -1 : axis).data();
}

Subarray subarray_of(const xredist_file& file) {
  Subarray same = with_elements_of(file);
  same.is_matrix = true, same.dims = 2;
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
  if (file.shape == nullptr) throw InvalidArgument("file.shape is NULL");
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

void compare(const Subarray& x, ComparedArguments& arguments) {
  const auto add_list = [&](const Listed& list) {
    for (int k = 0; k < (x.is_matrix ? 2 : max_dims); ++k)  // processes may differ in their number of axes
      arguments.add({list.name(x, x.is_matrix ? k : 0), (x.*list.sizes)[as_size(k)], true, x.is_matrix ? -1 : k});
  };
  arguments.add({"file.name", digest_of(x.name)});
  std::for_each(lists.begin(), lists.end() - 1, add_list);
  arguments.add({"type", x.type});
  arguments.add(compared("bytes", x.bytes));
  arguments.add({"descr", x.descr == nullptr ? 0 : digest_of(x.descr)});
  arguments.add({"type_in_file", x.type_in_file});
  arguments.add({"format", x.format});
  arguments.add({"order", x.order});
  arguments.add({"update", x.update});
  add_list(lists.back());
  arguments.add(compared("offset", x.offset));
  arguments.add(compared("consume", x.consumes ? 1 : 0));
}

void refuse(const std::string& name, Index value, const std::string& rest) {
  throw InvalidArgument(name + " is " + std::to_string(value) + rest);
}

void demand_bounds(const std::string& name, Index value, Index least) {
  if (value < least) refuse(name, value, ", must be at least " + std::to_string(least));
  if (value > max_elements) refuse(name, value, ", must be at most " + std::to_string(max_elements));
}

void demand_end(const std::string& first_name, Index first, const std::string& count_name, Index count,
                std::string_view whole, Index end) {
  if (first - 1 <= end && count <= end - (first - 1)) return;
  refuse(count_name, count,
         (": with " + first_name + " = " + std::to_string(first) + " it reaches beyond ").append(whole) +
             std::to_string(end));
}

void demand_end(const Subarray& subarray, Sizes Subarray::*first, int axis, std::string_view whole, Index end) {
  demand_end(subarray.name_of(first, axis), (subarray.*first)[as_size(axis)], subarray.name_of(&Subarray::shape, axis),
             subarray.shape[as_size(axis)], whole, end);
}

}  // namespace xredist::files
