// SPDX-License-Identifier: BSD-3-Clause
#include "storage/array.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "file/npy.hpp"
#include "storage/entry_names.hpp"
#include "storage/shared_failure.hpp"

namespace xredist::files {
namespace {

std::string of_axis(const char* list, int k, const char* member = "") { return entry_name(list, k, member).data(); }

// Returns the number of copies of a valid layout.
Index copies_of(const xredist_array_layout& layout) { return std::max(layout.copies, std::int64_t{1}); }

// Returns the number of processes of the grids of a valid layout.
Index positions_of(const xredist_array_layout& layout) {
  Index positions = copies_of(layout);
  for (int k = 0; k < layout.dims; ++k) positions *= std::max(layout.axes[k].procs, 1);
  return positions;
}

// Checks a layout on `size` processes.
void check_layout(const xredist_array_layout* layout, int size) {
  constexpr Sizes none{};
  Sizes local{};
  demand_success(xredist_array_local_shape(layout, none.data(), 0, local.data()));
  Index positions = 1;
  for (int k = 0; k < layout->dims; ++k) {
    positions *= std::max(layout->axes[k].procs, 1);
    if (positions > size)
      refuse(of_axis("layout.axes", k, ".procs"), layout->axes[k].procs,
             ": the grid needs more than the " + std::to_string(size) + " processes of the communicator");
  }
  if (layout->copies > size / positions)
    refuse("layout.copies", layout->copies,
           ": the grid needs more than the " + std::to_string(size) + " processes of the communicator");
  demand_ranks(layout->ranks, positions * copies_of(*layout), size);
}

// Checks that the layout has the subarray.
void check_ends(const xredist_array_layout& layout, const Subarray& subarray) {
  for (int k = 0; k < layout.dims; ++k) {
    const auto demand = [&](const std::string& whole, Index end) {
      demand_end(subarray, &Subarray::first, k, whole, end);
    };
    demand("the longest axis, which ends at ", max_elements);
    if (layout.shape != nullptr) {
      demand_bounds(of_axis("layout.shape", k), layout.shape[k], 0);
      if (too_large({layout.shape, as_size(k) + 1}))
        refuse(of_axis("layout.shape", k), layout.shape[k],
               ": with the axes before it these are 2^59 elements or more");
      demand(of_axis("layout.shape", k) + " = ", layout.shape[k]);
    }
    if (const xredist_partition* partition = layout.axes[k].partition)
      demand(of_axis("layout.axes", k, ".partition") + ", which ends at ", partition->bounds[partition->count]);
  }
}

// Returns the strides of a local array without gaps, with elements of `bytes` bytes. `name`: of the array.
Sizes strides_without_gaps(char name, const Sizes& extents, const xredist_array_layout& layout, Index bytes) {
  Sizes strides{};
  Index stride = 1;
  for (int k = 0; k < layout.dims; ++k) {
    const auto axis = as_size(layout.order != nullptr ? layout.order[k] : k);
    strides[axis] = stride;
    const Wide elements = Wide{stride} * std::max(extents[axis], Index{1});
    if (exceeds_memory(elements - 1, bytes)) throw InvalidArgument(std::string(1, name) + exceeds_memory_text);
    stride = static_cast<Index>(elements);
  }
  return strides;
}

// Checks the strides of a local array. Of an array that is read into, no two elements of the subarray may share memory.
// `ends`: local elements up to the end of the subarray; `held`: those of the subarray.
void check_strides(char name, const Sizes& strides, int dims, const Sizes& ends, const Sizes& held, Index bytes) {
  Sizes axes{};
  std::iota(axes.begin(), axes.end(), Index{0});
  const auto order = std::span(axes).first(as_size(dims));
  const auto rule = [&](Index k, const char* reason) {
    refuse(of_axis("strides", static_cast<int>(k)), strides[as_size(k)], reason);
  };
  for (const Index k : order)
    if (strides[as_size(k)] < 0 || strides[as_size(k)] > max_elements) rule(k, ", must be in 0 .. 2^40");
  std::ranges::sort(order, {}, [&](Index k) { return strides[as_size(k)]; });
  Wide reach = 0, end = 0;  // the last element of the subarray from its first one, and from the begin of the array
  for (const Index k : order) {
    const Index stride = strides[as_size(k)];
    if (name == 'b' && held[as_size(k)] > 1 && stride <= reach) rule(k, ": elements of b would share memory");
    reach += Wide{held[as_size(k)] - 1} * stride;
    end += Wide{ends[as_size(k)] - 1} * stride;
    if (exceeds_memory(end, bytes)) rule(k, exceeds_memory_text);
  }
}

// Checks the local array, and gives it to `array`.
void take_local_array(const PassedArray& passed, const Subarray& subarray, DistributedArray& array) {
  const Sizes held = array.local_part(subarray);
  if (std::any_of(held.begin(), held.begin() + subarray.dims, [](Index n) { return n == 0; })) return;
  if (passed.data == nullptr)
    throw InvalidArgument(std::string(1, passed.name) + " is NULL on a process that holds a part of it");
  array.data = passed.data;
  const Sizes ends = array.local_shape(ends_of(subarray));
  Sizes extents = ends;
  if (passed.layout->shape != nullptr) {
    Sizes whole{};
    std::copy_n(passed.layout->shape, subarray.dims, whole.begin());
    extents = array.local_shape(whole);
  }
  const Index bytes = bytes_of_element(subarray);
  if (passed.strides != nullptr)
    std::copy_n(passed.strides, subarray.dims, array.strides.begin());
  else
    array.strides = strides_without_gaps(passed.name, extents, *passed.layout, bytes);
  if (passed.fit.check != nullptr) passed.fit.check(passed.fit.caller, {extents, ends, held}, array.strides);
  check_strides(passed.name, array.strides, subarray.dims, ends, held, bytes);
}

Call checked_call(const PassedArray& passed, const xredist_array_file* file) {
  if (file == nullptr) throw InvalidArgument("file is NULL");
  check_layout(passed.layout, size_of(passed.comm));
  const Subarray subarray = subarray_of(*file, passed.layout->dims);
  check_ends(*passed.layout, subarray);
  auto array = std::make_unique<DistributedArray>(passed.comm, *passed.layout, subarray);
  take_local_array(passed, subarray, *array);
  return {std::move(array), subarray};
}

// The numbers of axes may differ, but not the numbers of arguments.
void compare(const xredist_array_layout& layout, ComparedArguments& arguments) {
  arguments.add(compared("layout.dims", layout.dims));
  for (int k = 0; k < max_dims; ++k)
    arguments.add({"layout.axes", k < layout.dims ? digest_of(layout.axes[k]) : 0, false, k});
  for (int k = 0; k < max_dims; ++k)
    arguments.add({"layout.shape", k < layout.dims && layout.shape != nullptr ? layout.shape[k] : -1, false, k});
  arguments.add(compared("layout.copies", copies_of(layout)));
  arguments.add({"layout.order", digest_of_list(layout.order, layout.dims)});
  arguments.add({"layout.ranks", digest_of_list(layout.ranks, positions_of(layout))});
}

}  // namespace

Call agreed_call(const PassedArray& passed, const xredist_array_file* file, int callers) {
  return agreed_call(
      passed.comm, callers, [&] { return checked_call(passed, file); },
      [&](ComparedArguments& arguments) {
        arguments.add({"the function, xredist_array_write or xredist_array_read,", passed.name});
        compare(*passed.layout, arguments);
      });
}

}  // namespace xredist::files
