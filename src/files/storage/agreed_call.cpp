// SPDX-License-Identifier: BSD-3-Clause
#include "storage/agreed_call.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include "api/compare.hpp"
#include "api/compared_arrays.hpp"
#include "api/layout_arguments.hpp"
#include "exchange/channels.hpp"
#include "exchange/communicator.hpp"

namespace xredist::files {
namespace {

constexpr LocalNames names_a{"a", "lda", "strides"}, names_b{"b", "ldb", "strides"};

// Checks that the layout has the subarray. Returns the distributed array, without its local part.
std::unique_ptr<DistributedArray> array_of(MPI_Comm comm, const ValidLayout& layout, const Subarray& subarray) {
  const xredist_array_layout& whole = layout.whole;
  demand(
      within_error(layout.arguments, subarray.named(&Subarray::first), subarray.named(&Subarray::shape), whole.shape));
  for (int k = 0; k < whole.dims && whole.shape != nullptr; ++k)
    demand(beyond_error({{layout.arguments.name, k, ".shape[]"}, whole.shape[k]}, whole.axes[k].partition));
  return std::make_unique<DistributedArray>(comm, whole, subarray);
}

// Checks that a local matrix of known size has its last column.
void demand_columns(const LocalArray& local, const ArrayPart& part, const LocalNames& names) {
  const Index rows = part.axes[0].held.end, cols = part.axes[1].held.end, ld = local.ld != 0 ? local.ld : rows;
  if (*local.size >= rows && (*local.size - rows) / ld >= cols - 1) return;
  throw InvalidArgument(Text() << names.array << " has " << *local.size
                               << " elements, where the local part up to the end of the submatrix has " << rows << " x "
                               << cols << " with the leading dimension " << ld);
}

// Gives an array the local array of a call, after checks. A file is written from A, and read to B.
void take_local(Direction direction, const LocalArray& local, const Subarray& subarray, DistributedArray& array) {
  const Index bytes = bytes_of_element(subarray);
  const ArrayPart part = array.part(subarray, bytes);
  if (!part.accessed) return;
  const bool reads = direction == Direction::read;
  Sizes own{};
  const bool has_own = local.data != nullptr && local.fit && local.fit(part, own);
  const LocalArguments passed{reads ? names_b : names_a, local.data, local.ld, has_own ? own.data() : local.strides,
                              reads};
  demand(local_error(passed, part, bytes));
  if (local.size) demand_columns(local, part, passed.names);
  array.data = local.data;
  if (passed.strides != nullptr) {
    std::copy_n(passed.strides, part.axes.size(), array.strides.begin());
    return;
  }
  Index stride = 1;
  for (const LocalAxis& axis : part.axes) {
    at(array.strides, axis.number) = stride;
    stride *= passed.ld != 0 ? passed.ld : axis.extent;
  }
}

template <int axes>
using ComparedCall = std::array<Compared, values_of_layout(axes) + values_of_subarray(axes)>;

template <int axes>
ComparedCall<axes> compared(const ValidLayout& layout, const Subarray& subarray) {
  ComparedCall<axes> all{};
  list_subarray(subarray, axes, list_layout(layout, axes, all.data()));
  return all;
}

// Compares the functions in which processes are, and then their arguments. Throws the same failure on all processes.
template <std::size_t n>
void demand_agreement(const char* function, Attempt<std::array<Compared, n>> mine, MPI_Comm comm) {
  LibraryLock lock;
  const MPI_Comm own = channel_of(comm, lock).comm();
  demand_same_function(function, own, lock->progress);
  agreed_values(std::move(mine), own, lock->progress);
}

}  // namespace

template <class Layout, class File>
Call agreed_call(Direction direction, const char* function, const Passed<Layout>& passed, const File* file,
                 const Failure* callers) {
  constexpr int axes = std::is_same_v<Layout, xredist_layout> ? 2 : max_dims;
  Call call;
  auto mine = attempt([&] {
    if (callers != nullptr) throw *callers;
    demand(first_of({null_error({"file"}, file), layout_error("layout", passed.layout, size_of(passed.comm))}));
    const AsArray whole(*passed.layout);
    const ValidLayout layout{arguments_of("layout", *passed.layout), whole.get()};
    call.subarray = subarray_of(*file, whole.get().dims);
    auto array = array_of(passed.comm, layout, call.subarray);
    take_local(direction, passed.local, call.subarray, *array);
    call.array = std::move(array);
    return compared<axes>(layout, call.subarray);
  });
  demand_agreement(function, std::move(mine), passed.comm);
  return call;
}
template Call agreed_call(Direction, const char*, const PassedMatrix&, const xredist_file*, const Failure*);
template Call agreed_call(Direction, const char*, const PassedArray&, const xredist_array_file*, const Failure*);

Index buffer_of(MPI_Comm comm) {
  demand(communicator_error(comm));
  LibraryLock lock;
  return channel_of(comm, lock).options().buffer;
}

}  // namespace xredist::files
