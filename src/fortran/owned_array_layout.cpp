// SPDX-License-Identifier: BSD-3-Clause
#include "fortran/owned_array_layout.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <span>
#include <system_error>
#include <utility>

#include "api/array_layout.hpp"
#include "fortran/owned_layout.hpp"

// Last, because other headers remove its macro XREDIST_API.
#include "xredist/begin.h"

namespace xredist::core {
namespace {

FortranList list_of(const CFI_cdesc_t* array) {
  FortranList list{-1, {}};
  if (array == nullptr) return list;
  list.size = array->base_addr != nullptr ? size_of_vector(*array) : 0;
  for (CFI_index_t k = 0; k < std::min<CFI_index_t>(list.size, XREDIST_MAX_DIMS); ++k)
    list.entries[k] = integer_at(*array, k);
  return list;
}

// gfortran before version 12 adds 256 times the length to the type of characters.
bool is_text(const FortranArray& argument) {
  if (argument.address == nullptr || argument.rank != 0) return false;
  return argument.storage == Storage::foreign || (argument.type & 0xff) == (CFI_type_char & 0xff);
}

FortranArrayLayout layout_with(const CFI_cdesc_t* pattern) {
  FortranArrayLayout layout{};
  const FortranArray text = array_of(pattern);
  layout.pattern_length = -1;
  if (!is_text(text)) return layout;
  std::string_view letters(static_cast<const char*>(text.address), as_size(text.element_bytes));
  letters = letters.substr(0, letters.find_last_not_of(' ') + 1);
  layout.pattern_length = std::ssize(letters);
  letters.copy(layout.pattern, std::size(layout.pattern));
  return layout;
}

std::span<const std::int64_t> entries_of(const FortranList& list) { return {list.entries, as_size(list.size)}; }

// Returns a list as numbers of C, which a list of any size may be too large for. An absent list has no entries.
std::vector<int> integers(std::string_view name, const char* list_name, const FortranList& list, std::size_t dims,
                          int first) {
  if (list.size < 0) return {};
  demand_entries(Text() << name << list_name, list.size, name, dims);
  std::vector<int> numbers;
  for (const std::int64_t entry : entries_of(list))
    numbers.push_back(std::in_range<int>(entry - first) ? static_cast<int>(entry) - first : -1);
  return numbers;
}

// Replaces GEN_BLOCK and GEN_BLOCK(k) by BLOCK. Returns the number of intervals of each axis: k, 0 for one of each
// process, or -1 for an axis that has another distribution.
std::vector<std::int64_t> take_general_blocks(std::string& pattern, std::size_t dims) {
  constexpr std::string_view word = "GEN_BLOCK";
  const auto is_word = [&](std::size_t at) {
    const std::string_view found = std::string_view(pattern).substr(at, word.size());
    return std::ranges::equal(found, word, {}, capital);
  };
  std::vector<std::int64_t> intervals(dims, -1);
  std::size_t axis = 0;
  for (std::size_t at = 0; at < pattern.size() && axis < dims; ++at) {
    if (pattern[at] == ',') ++axis;
    if (axis == dims || !is_word(at)) continue;
    std::size_t end = at + word.size();
    std::int64_t count = 0;
    if (end < pattern.size() && pattern[end] == '(') {
      const char* const number = pattern.data() + end + 1;
      const auto [rest, error] = std::from_chars(number, pattern.data() + pattern.size(), count);
      if (error != std::errc() || count < 1 || *rest != ')') return intervals;  // xredist_axes refuses the word
      end = as_size(rest - pattern.data()) + 1;
    }
    pattern.replace(at, end - at, "BLOCK");
    intervals[axis] = count;
  }
  return intervals;
}

// The axes that a pattern and a grid describe.
struct PatternAxes {
  std::vector<xredist_axis> axes;
  std::vector<std::int64_t> intervals;  // as take_general_blocks returns them
};

PatternAxes axes_of(const FortranArrayLayout& of, std::string_view name) {
  const auto fail = [&](std::string_view text) { throw InvalidArgument(Text() << name << text); };
  if (of.pattern_length < 0) fail(": pattern is not a text");
  if (of.pattern_length == 0) fail(" is no layout: nothing was assigned to it, or its pattern is blank");
  if (of.pattern_length > max_pattern)
    fail(Text() << ": pattern has " << of.pattern_length << " characters, must have at most " << max_pattern);
  if (of.grid.size < 1 || of.grid.size > XREDIST_MAX_DIMS)
    fail(Text() << ".grid has " << std::max<std::int64_t>(of.grid.size, 0) << " entries, must have 1 .. "
                << int{XREDIST_MAX_DIMS} << ", one for each axis");
  const auto dims = as_size(of.grid.size);
  const std::vector<int> grid = integers(name, ".grid", of.grid, dims, 0);
  const std::vector<int> source = integers(name, ".source", of.source, dims, 0);
  std::vector<xredist_axis> axes(dims);
  std::string pattern(of.pattern, as_size(of.pattern_length));
  std::vector<std::int64_t> intervals = take_general_blocks(pattern, dims);
  const int code = xredist_axes(pattern.c_str(), static_cast<int>(dims), grid.data(), axes.data());
  if (code == XREDIST_INVALID_ARGUMENT) fail(Text() << ": " << xredist_error());
  demand_success(code);
  for (std::size_t k = 0; k < source.size(); ++k) axes[k].source = source[k];
  for (std::size_t k = 0; k < dims; ++k)
    if (intervals[k] == 0) intervals[k] = axes[k].procs;
  return {std::move(axes), std::move(intervals)};
}

}  // namespace

OwnedArrayLayout::OwnedArrayLayout(const FortranArrayLayout& of, std::string_view name, const ArrayLists& lists)
    : copies(of.copies), ranks(integers_of<int>(lists.ranks)) {
  PatternAxes described = axes_of(of, name);
  axes = std::move(described.axes);
  order = integers(name, ".order", of.order, axes.size(), 1);
  if (of.shape.size >= 0) {
    demand_entries(Text() << name << ".shape", of.shape.size, name, axes.size());
    const auto entries = entries_of(of.shape);
    shape.assign(entries.begin(), entries.end());
  }
  divide(name, described.intervals, lists);
  if (const Index positions = positions_of(get()); !ranks.empty() && std::ssize(ranks) != positions)
    throw InvalidArgument(Text() << "ranks" << lists.end << " has " << ranks.size() << " elements, must have "
                                 << positions << ", one for each process of the grid");
}

void OwnedArrayLayout::divide(std::string_view name, const std::vector<std::int64_t>& intervals,
                              const ArrayLists& lists) {
  std::int64_t partitions = 0, total = 0;
  for (const std::int64_t count : intervals)
    if (count >= 0) ++partitions, total += count;
  const auto demand_size = [&](const char* list, const CFI_cdesc_t* passed, std::int64_t needed, const char* of_what) {
    const std::int64_t size = passed != nullptr ? size_of_vector(*passed) : 0;
    if (size == needed) return;
    throw InvalidArgument(Text() << list << lists.end << " has " << size << " elements, must have " << needed << ": "
                                 << of_what << " of each axis of " << name << " with GEN_BLOCK");
  };
  demand_size("bounds", lists.bounds, total + partitions, "the bounds");
  if (lists.owners != nullptr) demand_size("owners", lists.owners, total, "the owners of the intervals");
  if (lists.places != nullptr) demand_size("places", lists.places, total, "the places of the intervals");
  bounds_ = integers_of<std::int64_t>(lists.bounds);
  places_ = integers_of<std::int64_t>(lists.places);
  owners_ = integers_of<int>(lists.owners);
  partitions_.reserve(as_size(partitions));
  std::size_t bound = 0, interval = 0;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    if (intervals[k] < 0) continue;
    partitions_.push_back({.count = intervals[k],
                           .bounds = &bounds_[bound],
                           .owners = owners_.empty() ? nullptr : &owners_[interval],
                           .places = places_.empty() ? nullptr : &places_[interval]});
    axes[k].partition = &partitions_.back();
    bound += as_size(intervals[k]) + 1, interval += as_size(intervals[k]);
  }
}

xredist_array_layout OwnedArrayLayout::get() const {
  return {.dims = static_cast<int>(axes.size()),
          .axes = axes.data(),
          .shape = shape.empty() ? nullptr : shape.data(),
          .order = order.empty() ? nullptr : order.data(),
          .ranks = ranks.empty() ? nullptr : ranks.data(),
          .copies = copies};
}

void demand_entries(std::string_view name, std::int64_t size, std::string_view layout_name, std::size_t dims) {
  if (size == static_cast<std::int64_t>(dims)) return;
  throw InvalidArgument(Text() << name << " has " << size << (size == 1 ? " entry, " : " entries, ") << layout_name
                               << " has " << dims << (dims == 1 ? " axis" : " axes"));
}

}  // namespace xredist::core

using namespace xredist::core;

extern "C" {

XREDIST_API FortranArrayLayout xredist_fortran_array_layout(const CFI_cdesc_t* pattern, const CFI_cdesc_t* grid,
                                                            XREDIST_KEYWORDS_ONLY, const CFI_cdesc_t* order,
                                                            const CFI_cdesc_t* shape, const CFI_cdesc_t* source,
                                                            const xredist_int* copies) {
  FortranArrayLayout layout = layout_with(pattern);
  layout.copies = copies != nullptr ? *copies : 1;
  layout.grid = list_of(grid), layout.order = list_of(order);
  layout.shape = list_of(shape), layout.source = list_of(source);
  return layout;
}

}  // extern "C"
