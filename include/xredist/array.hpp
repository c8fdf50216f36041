// SPDX-License-Identifier: BSD-3-Clause
/// array.h for C++17: plans for arrays of any number of axes.
///
///   xredist::ArrayLayout x("(*, BLOCK, BLOCK)", {1, 2, 2}), y("(BLOCK, *, BLOCK)", {2, 1, 2});
///   auto plan = xredist::array_plan<double>(comm, x, y, {{64, 48, 40}});
///   plan.execute(a, b);   // std::vector<double>, or pointers
///
/// The plan is an xredist::Plan. Functions throw std::bad_alloc if this process is out of memory, and xredist::Error
/// otherwise.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "xredist/array.h"
#include "xredist/xredist.hpp"

namespace xredist {

/// The distribution of one axis, as xredist_axis.
struct Axis {
  int procs = 1;
  std::int64_t block = 0;
  int source = 0;
  std::optional<Partition> partition = std::nullopt;
};

/// The distribution of an array, as xredist_array_layout; empty vectors stand for NULL.
struct ArrayLayout {
  std::vector<Axis> axes = {};
  std::vector<std::int64_t> shape = {};
  std::vector<int> order = {}, ranks = {};
  std::int64_t copies = 1;

  ArrayLayout() = default;
  /// Checks the axes, as far as they do not depend on a communicator.
  explicit ArrayLayout(std::vector<Axis> of_axes);
  /// Takes a pattern of HPF, "(BLOCK, CYCLIC(3), *)", and the shape of the grid.
  ArrayLayout(const std::string& pattern, const std::vector<int>& grid) {
    std::vector<xredist_axis> parsed(grid.size());
    check(xredist_axes(pattern.c_str(), static_cast<int>(grid.size()), grid.data(), parsed.data()));
    for (const xredist_axis& axis : parsed) axes.push_back({axis.procs, axis.block, axis.source, std::nullopt});
  }
};

/// The subarray that moves, as xredist_array_operation. The types are those of the plan. A list of each axis, if there
/// are any lists; an axis without a list has an empty one.
struct ArrayOperation {
  std::vector<std::int64_t> shape = {}, first_a = {}, first_b = {};
  bool conjugated = false;
  std::vector<std::vector<std::int64_t>> lists_a = {}, lists_b = {};
};

namespace detail {

/// An array layout in the form of the C interface, with pointers into the ArrayLayout.
class DescribedArray {
 public:
  DescribedArray(const char* name, const ArrayLayout& layout) {
    const std::size_t dims = layout.axes.size();
    demand(name, ".shape", layout.shape.size(), dims);
    demand(name, ".order", layout.order.size(), dims);
    auto positions = static_cast<std::size_t>(layout.copies > 0 ? layout.copies : 1);
    for (std::size_t k = 0; k < dims; ++k) {
      const Axis& axis = layout.axes[k];
      partitions_.push_back(described((std::string(name) + ".axes.partition").c_str(), axis.partition));
      positions *= static_cast<std::size_t>(axis.procs > 0 ? axis.procs : 1);
    }
    demand(name, ".ranks", layout.ranks.size(), positions);
    for (std::size_t k = 0; k < dims; ++k) {
      const Axis& axis = layout.axes[k];
      axes_.push_back({axis.procs, axis.block, axis.source, axis.partition ? &partitions_[k] : nullptr});
    }
    layout_.dims = static_cast<int>(dims);
    layout_.axes = axes_.data();
    layout_.shape = layout.shape.empty() ? nullptr : layout.shape.data();
    layout_.order = layout.order.empty() ? nullptr : layout.order.data();
    layout_.ranks = layout.ranks.empty() ? nullptr : layout.ranks.data();
    layout_.copies = layout.copies;
  }
  DescribedArray(const DescribedArray&) = delete;
  DescribedArray& operator=(const DescribedArray&) = delete;

  const xredist_array_layout* get() const { return &layout_; }

 private:
  static void demand(const char* name, const char* member, std::size_t size, std::size_t needed) {
    if (size != 0 && size != needed)
      invalid(std::string(name) + member + " has " + std::to_string(size) + " numbers, must have " +
              std::to_string(needed));
  }

  std::vector<xredist_partition> partitions_;
  std::vector<xredist_axis> axes_;
  xredist_array_layout layout_{};
};

/// An operation in the form of the C interface, with pointers into the ArrayOperation.
class DescribedOperation {
 public:
  DescribedOperation(const ArrayOperation& operation, std::size_t dims) {
    const auto numbers = [&](const char* name, const std::vector<std::int64_t>& given, bool may_be_empty) {
      if (given.size() != dims && !(may_be_empty && given.empty()))
        invalid(std::string("operation.") + name + " has " + std::to_string(given.size()) + " numbers, a has " +
                std::to_string(dims) + " axes");
      return given.empty() ? nullptr : given.data();
    };
    of_c.shape = numbers("shape", operation.shape, false);
    of_c.first_a = numbers("first_a", operation.first_a, true);
    of_c.first_b = numbers("first_b", operation.first_b, true);
    of_c.conj = operation.conjugated ? 'R' : 'N';
    of_c.lists_a = lists("lists_a", operation.lists_a, operation.shape, lists_a_);
    of_c.lists_b = lists("lists_b", operation.lists_b, operation.shape, lists_b_);
  }
  DescribedOperation(const DescribedOperation&) = delete;
  DescribedOperation& operator=(const DescribedOperation&) = delete;

  xredist_array_operation of_c{};

 private:
  using Pointers = std::vector<const std::int64_t*>;

  static const std::int64_t* const* lists(const char* name, const std::vector<std::vector<std::int64_t>>& given,
                                          const std::vector<std::int64_t>& shape, Pointers& pointers) {
    if (given.empty()) return nullptr;
    const auto error = [name](const std::string& rest) { invalid(std::string("operation.") + name + rest); };
    if (given.size() != shape.size())
      error(" has " + std::to_string(given.size()) + " lists, a has " + std::to_string(shape.size()) + " axes");
    for (std::size_t k = 0; k < given.size(); ++k) {
      if (!given[k].empty() && static_cast<std::int64_t>(given[k].size()) != shape[k])
        error("[" + std::to_string(k) + "] has " + std::to_string(given[k].size()) + " entries, must have " +
              std::to_string(shape[k]) + " as the subarray has elements");
      pointers.push_back(given[k].empty() ? nullptr : given[k].data());
    }
    return pointers.data();
  }

  Pointers lists_a_{}, lists_b_{};
};

}  // namespace detail

/// Returns the numbers of elements that process `rank` holds along each axis of an array.
inline std::vector<std::int64_t> local_shape(const ArrayLayout& layout, const std::vector<std::int64_t>& shape,
                                             int rank) {
  const detail::DescribedArray of_c("layout", layout);
  if (shape.size() != layout.axes.size())
    detail::invalid("shape has " + std::to_string(shape.size()) + " numbers, layout has " +
                    std::to_string(layout.axes.size()) + " axes");
  std::vector<std::int64_t> local(shape.size());
  check(xredist_array_local_shape(of_c.get(), shape.data(), rank, local.data()));
  return local;
}

inline ArrayLayout::ArrayLayout(std::vector<Axis> of_axes) : axes(std::move(of_axes)) {
  local_shape(*this, std::vector<std::int64_t>(axes.size()), 0);
}

namespace detail {

/// Returns the numbers of elements along each axis of the local array of process `rank`, for a subarray of this shape.
inline std::vector<std::int64_t> local_extents(const ArrayLayout& layout, const std::vector<std::int64_t>& shape,
                                               const std::vector<std::int64_t>& first,
                                               const std::vector<std::vector<std::int64_t>>& lists, int rank) {
  std::vector<std::int64_t> end = layout.shape.empty() ? shape : layout.shape;
  for (std::size_t k = 0; layout.shape.empty() && k < end.size(); ++k) {
    const bool listed = !lists.empty() && !lists[k].empty();
    end[k] = end_of(listed ? lists[k].data() : nullptr, first.empty() ? 1 : first[k], shape[k]);
  }
  return local_shape(layout, end, rank);
}

/// Returns the number of elements of this process's local array in a plan.
inline std::int64_t local_elements(MPI_Comm comm, const ArrayLayout& layout, const std::vector<std::int64_t>& shape,
                                   const std::vector<std::int64_t>& first,
                                   const std::vector<std::vector<std::int64_t>>& lists) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  constexpr std::int64_t max = std::numeric_limits<std::int64_t>::max();  // elements that no array has
  std::int64_t elements = 1;
  for (const std::int64_t n : local_extents(layout, shape, first, lists, rank)) {
    if (n == 0) return 0;
    elements = n > max / elements ? max : elements * n;
  }
  return elements;
}

}  // namespace detail

/// Makes a plan for arrays of elements A and B, as xredist_array_plan_create. Elements that have no letter are copied
/// as they are.
template <class A, class B = A>
Plan<A, B> array_plan(MPI_Comm comm, const ArrayLayout& a, const ArrayLayout& b, const ArrayOperation& operation) {
  std::optional<detail::DescribedArray> from, to;
  std::optional<detail::DescribedOperation> described;
  Operation types;
  xredist_plan* plan = nullptr;
  try {
    from.emplace("a", a), to.emplace("b", b);
    types = Plan<A, B>::with_types({});
    xredist_array_operation& of_c = described.emplace(operation, a.axes.size()).of_c;
    of_c.type = types.type, of_c.type_b = types.type_b, of_c.bytes = types.bytes;
  } catch (...) {
    xredist_array_plan_create(comm, nullptr, nullptr, nullptr, &plan);  // others may wait for this call
    throw;
  }
  check(xredist_array_plan_create(comm, from->get(), to->get(), &described->of_c, &plan));
  Plan<A, B> made(plan, types);
  made.expect_elements(detail::local_elements(comm, a, operation.shape, operation.first_a, operation.lists_a),
                       detail::local_elements(comm, b, operation.shape, operation.first_b, operation.lists_b));
  return made;
}

/// The ranks of B's grid, its last axis fastest, and the fractions of the elements that stay on their process with
/// these ranks (kept) and with b as passed (kept_before).
struct RelabelledArray {
  std::vector<int> ranks;
  double kept, kept_before;
};

/// Returns the result of xredist_array_relabel. The ranks may become b.ranks.
inline RelabelledArray relabelled(MPI_Comm comm, const ArrayLayout& a, const ArrayLayout& b,
                                  const ArrayOperation& operation) {
  const detail::DescribedArray from("a", a), to("b", b);
  detail::DescribedOperation described(operation, a.axes.size());
  described.of_c.bytes = 1;
  std::size_t positions = 1;
  for (const Axis& axis : b.axes) positions *= static_cast<std::size_t>(axis.procs > 0 ? axis.procs : 1);
  std::vector<int> ranks(positions);
  double kept[2];
  check(xredist_array_relabel(comm, from.get(), to.get(), &described.of_c, ranks.data(), kept));
  return {std::move(ranks), kept[0], kept[1]};
}

}  // namespace xredist
