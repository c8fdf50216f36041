// SPDX-License-Identifier: BSD-3-Clause
#include "api/layout_arguments.hpp"

#include <algorithm>
#include <string>

#include "api/array_layout.hpp"
#include "layout/listed.hpp"

namespace xredist::core {
namespace {

// Returns the part of a message about number k of a list that tells of the numbers before it.
Text with_axes_before(std::span<const Named> axes, std::size_t k) {
  if (k == 0) return ": ";
  if (k > 1) return ": with the axes before it ";
  return Text() << ": with " << text_of(axes[0].name) << " = " << axes[0].value << " ";
}

// Checks that the processes of a grid are at most `size`. All numbers are at least 0, which stands for 1.
MaybeError grid_error(std::span<const Named> grid, Index size) {
  Index positions = 1;
  for (std::size_t k = 0; k < grid.size(); ++k) {
    const Index procs = std::max<Index>(grid[k].value, 1);
    if (procs > size / positions)
      return value_error(grid[k].name, grid[k].value,
                         Text() << with_axes_before(grid, k) << "the grid needs more than the " << size
                                << " processes of the communicator");
    positions *= procs;
  }
  return {};
}

// Checks that the ranks at the positions of a grid are different ones of `size` processes. NULL is accepted.
MaybeError ranks_error(std::string_view name, const int ranks[], Index positions, Index size) {
  if (ranks == nullptr) return {};
  std::vector<bool> seen(as_size(size), false);
  for (Index k = 0; k < positions; ++k) {
    const int rank = ranks[k];
    const auto error = [&](std::string_view rest) {
      return value_error({name, static_cast<int>(k), ".ranks[]"}, rank, Text() << ", " << rest);
    };
    if (rank < 0 || rank >= size) return error(Text() << "must be a rank of the communicator, 0 .. " << size - 1);
    if (at(seen, rank)) return error("which an earlier position has already");
    at(seen, rank) = true;
  }
  return {};
}

// Checks that the order has each axis once.
MaybeError order_error(std::string_view name, const xredist_array_layout& layout) {
  if (layout.order == nullptr) return {};
  std::vector<bool> seen(as_size(layout.dims), false);
  for (int k = 0; k < layout.dims; ++k) {
    const int axis = layout.order[k];
    const auto error = [&](std::string_view rest) {
      return value_error({name, k, ".order[]"}, Index{axis} + first_number(), rest);
    };
    if (axis < 0 || axis >= layout.dims)
      return error(Text() << ", must be an axis, " << first_number() << " .. " << layout.dims - 1 + first_number());
    if (at(seen, axis)) return error(", an axis that comes before");
    at(seen, axis) = true;
  }
  return {};
}

MaybeError size_error(std::string_view name, const xredist_array_layout& layout) {
  std::vector<Named> shape;
  for (int k = 0; layout.shape != nullptr && k < layout.dims; ++k)
    shape.push_back({{name, k, ".shape[]"}, layout.shape[k]});
  return shape_error(shape);
}

}  // namespace

LayoutArguments arguments_of(std::string_view name, const xredist_layout& layout) {
  const auto member = [&](const char* of) { return ArgumentRef{name, -1, of}; };
  const auto& [nprow, npcol, mb, nb, rsrc, csrc, ranks, rows, cols, reserved] = layout;
  return {name,
          {{rows, mb, rsrc, nprow, member(".rows"), member(".mb"), member(".rsrc"), "the grid's rows"},
           {cols, nb, csrc, npcol, member(".cols"), member(".nb"), member(".csrc"), "the grid's columns"}},
          {{member(".nprow"), nprow}, {member(".npcol"), npcol}},
          {}};
}

LayoutArguments arguments_of(std::string_view name, const xredist_array_layout& layout) {
  LayoutArguments arguments{name, {}, {}, {0, "1, or 0 for 1"}};
  for (int k = 0; k < layout.dims; ++k) {
    const auto member = [&](const char* of) { return ArgumentRef{name, k, of}; };
    const auto& [procs, block, source, partition, reserved] = layout.axes[k];
    arguments.axes.push_back({partition,
                              block,
                              source,
                              procs_of(layout.axes[k]),
                              member(".axes[].partition"),
                              member(".axes[].block"),
                              member(".axes[].source"),
                              nullptr,
                              {XREDIST_EVEN, "0, or XREDIST_EVEN"},
                              block == XREDIST_EVEN});
    arguments.grid.push_back({member(".axes[].procs"), procs});
  }
  arguments.grid.push_back({{name, -1, ".copies"}, layout.copies});
  return arguments;
}

MaybeError unreadable_error(std::string_view name, const xredist_layout* layout) {
  if (layout == nullptr) return null_error({name}, nullptr);
  return reserved_error({name, -1, ".reserved"}, layout->reserved);
}

MaybeError unreadable_error(std::string_view name, const xredist_array_layout* layout) {
  if (layout == nullptr) return null_error({name}, nullptr);
  if (layout->dims < 1 || layout->dims > XREDIST_MAX_DIMS)
    return value_error({name, -1, ".dims"}, layout->dims, Text() << ", must be in 1 .. " << int{XREDIST_MAX_DIMS});
  if (MaybeError error = first_of(
          {reserved_error({name, -1, ".reserved"}, layout->reserved), null_error({name, -1, ".axes"}, layout->axes)}))
    return error;
  for (int k = 0; k < layout->dims; ++k)
    if (MaybeError error = reserved_error({name, k, ".axes[].reserved"}, layout->axes[k].reserved)) return error;
  return {};
}

MaybeError layout_error(const LayoutArguments& arguments, const xredist_array_layout& layout, Index size) {
  for (const auto& [member, procs] : arguments.grid)
    if (MaybeError error = least_error(member, procs, arguments.least_procs)) return error;
  if (MaybeError error = grid_error(arguments.grid, size)) return error;
  for (const AxisArguments& axis : arguments.axes)
    if (MaybeError error = axis_error(axis)) return error;
  return first_of({ranks_error(arguments.name, layout.ranks, positions_of(layout), size),
                   order_error(arguments.name, layout), size_error(arguments.name, layout)});
}

template <class Layout>
MaybeError layout_error(std::string_view name, const Layout* layout, Index size) {
  if (MaybeError error = unreadable_error(name, layout)) return error;
  return layout_error(arguments_of(name, *layout), AsArray(*layout).get(), size);
}
template MaybeError layout_error(std::string_view, const xredist_layout*, Index);
template MaybeError layout_error(std::string_view, const xredist_array_layout*, Index);

MaybeError shape_error(std::span<const Named> shape, Index units) {
  Index elements = 1;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    const auto& [name, n] = shape[k];
    if (MaybeError error = bounds_error(name, n, Least{0}, max_elements / units)) return error;
    if (too_large(elements * units, n))
      return value_error(name, n,
                         Text() << with_axes_before(shape, k) << "these are 2^59 "
                                << (units > 1 ? "pieces of elements" : "elements") << " or more");
    elements *= n;
  }
  return {};
}

MaybeError repeated_error(std::span<const ListArguments> lists, std::span<const Named> count) {
  for (std::size_t k = 0; k < lists.size(); ++k) {
    const auto& [name, entries] = lists[k];
    if (entries == nullptr) continue;
    const auto found = repeated_in({entries, as_size(count[k].value)});
    if (!found) continue;
    return ArgumentError{name, Text() << in_brackets(found->second) << " is " << entries[found->second] << ", as entry "
                                      << in_brackets(found->first) << " is: no element of B may be written twice"};
  }
  return {};
}

Index end_of(const std::int64_t* list, Index first, Index count) {
  return list == nullptr ? first + count : count == 0 ? 0 : *std::max_element(list, list + count);
}

Axis with_list(Axis axis, const std::int64_t* list, Index count, bool distinct) {
  if (list == nullptr) return axis;
  const std::span entries(list, as_size(count));
  return listed(axis, entries, 1, !distinct && repeated_in(entries));
}

MaybeError within_error(const LayoutArguments& layout, std::span<const Named> first, std::span<const Named> count,
                        const std::int64_t whole[], Index longest, std::span<const ListArguments> lists) {
  for (std::size_t k = 0; k < count.size(); ++k) {
    const ListArguments* list = !lists.empty() && lists[k].entries != nullptr ? &lists[k] : nullptr;
    if (list != nullptr && first[k].value != 1)
      return value_error(first[k].name, first[k].value, Text() << ", must be 1 with " << text_of(list->name));
    const auto error = [&](const ArgumentRef& of, Index end) {
      if (list != nullptr) return entries_error(*list, count[k].value, text_of(of), end);
      if (ends_within(first[k].value, count[k].value, end)) return MaybeError();
      return end_error(text_of(first[k].name), first[k].value, count[k].name, count[k].value,
                       Text() << text_of(of) << ", which ends at ", end);
    };
    if (MaybeError beyond = error({"the longest axis"}, longest)) return beyond;
    if (whole != nullptr)
      if (MaybeError beyond = error({layout.name, static_cast<int>(k), ".shape[]"}, whole[k])) return beyond;
    const AxisArguments& axis = layout.axes[k];
    if (const xredist_partition* partition = axis.partition)
      if (MaybeError beyond = error(axis.partition_name, partition->bounds[partition->count])) return beyond;
  }
  return {};
}

}  // namespace xredist::core
