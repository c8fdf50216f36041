// SPDX-License-Identifier: BSD-3-Clause
#include "storage/agreed_call.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "api/compared_arrays.hpp"
#include "api/layout_arguments.hpp"
#include "api/same_call.hpp"
#include "exchange/channels.hpp"
#include "exchange/communicator.hpp"

namespace xredist::files {
namespace {

constexpr LocalNames names_a{"a", "lda", "strides"}, names_b{"b", "ldb", "strides"};

// Returns a local array as it was passed. A file is written from A, and read to B.
LocalArguments local_arguments(Direction direction, const void* data, Index ld, const Index* strides) {
  const bool reads = direction == Direction::read;
  return {reads ? names_b : names_a, data, ld, strides, reads};
}

// Checks that the layout has the subarray. Returns the distributed array, without its local part.
std::unique_ptr<DistributedArray> array_of(MPI_Comm comm, const ValidLayout& layout, const Subarray& subarray) {
  const xredist_array_layout& whole = layout.whole;
  demand(
      within_error(layout.arguments, subarray.named(&Subarray::first), subarray.named(&Subarray::shape), whole.shape));
  for (int k = 0; k < whole.dims && whole.shape != nullptr; ++k)
    demand(beyond_error({{layout.arguments.name, k, ".shape[]"}, whole.shape[k]}, whole.axes[k].partition));
  return std::make_unique<DistributedArray>(comm, whole, subarray);
}

// Gives an array the local part that a program passes, after checks.
void set_local_part(const LocalArguments& passed, const ArrayPart& part, Index bytes, DistributedArray& array) {
  demand(local_error(passed, part, bytes));
  array.data = const_cast<void*>(passed.data);
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

// Checks that a local matrix of known size has its last column.
void demand_columns(const LocalMatrix& local, const ArrayPart& part, const LocalNames& names) {
  const Index rows = part.axes[0].held.end, cols = part.axes[1].held.end, ld = local.ld != 0 ? local.ld : rows;
  if (!local.size || (*local.size >= rows && (*local.size - rows) / ld >= cols - 1)) return;
  throw InvalidArgument(std::string(names.array) + " has " + std::to_string(*local.size) +
                        " elements, where the local part up to the end of the submatrix has " + std::to_string(rows) +
                        " x " + std::to_string(cols) + " with the leading dimension " + std::to_string(ld));
}

// Gives an array the local matrix of a call.
void take_local(Direction direction, const LocalMatrix& local, const Subarray& subarray, DistributedArray& array) {
  const Index bytes = bytes_of_element(subarray);
  const ArrayPart part = array.part(subarray, bytes);
  if (!part.accessed) return;
  const LocalArguments passed = local_arguments(direction, local.data, local.ld, nullptr);
  set_local_part(passed, part, bytes, array);
  demand_columns(local, part, passed.names);
}

// Gives an array the local array of a call.
void take_local(Direction direction, const PassedArray& local, const Subarray& subarray, DistributedArray& array) {
  const Index bytes = bytes_of_element(subarray);
  const ArrayPart part = array.part(subarray, bytes);
  if (!part.accessed) return;
  Sizes own{};
  const bool has_own = local.data != nullptr && local.fit && local.fit(part, own);
  set_local_part(local_arguments(direction, local.data, 0, has_own ? own.data() : local.strides), part, bytes, array);
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

Call agreed_call(Direction direction, const PassedMatrix& matrix, const xredist_file* file, const Failure* callers) {
  Call call;
  auto mine = attempt([&] {
    if (callers != nullptr) throw *callers;
    demand(first_of({null_error({"file"}, file), layout_error("layout", matrix.layout, size_of(matrix.comm))}));
    const MatrixAsArray whole(*matrix.layout);
    const ValidLayout layout{arguments_of("layout", *matrix.layout), whole.get()};
    call.subarray = subarray_of(*file);
    auto array = array_of(matrix.comm, layout, call.subarray);
    take_local(direction, matrix.local, call.subarray, *array);
    call.array = std::move(array);
    return compared<2>(layout, call.subarray);
  });
  demand_agreement(direction == Direction::write ? "xredist_write" : "xredist_read", std::move(mine), matrix.comm);
  return call;
}

Call agreed_call(Direction direction, const PassedArray& passed, const xredist_array_file* file,
                 const Failure* callers) {
  Call call;
  auto mine = attempt([&] {
    if (callers != nullptr) throw *callers;
    demand(first_of({null_error({"file"}, file), layout_error("layout", passed.layout, size_of(passed.comm))}));
    const ValidLayout layout{arguments_of("layout", *passed.layout), *passed.layout};
    call.subarray = subarray_of(*file, passed.layout->dims);
    auto array = array_of(passed.comm, layout, call.subarray);
    take_local(direction, passed, call.subarray, *array);
    call.array = std::move(array);
    return compared<max_dims>(layout, call.subarray);
  });
  demand_agreement(direction == Direction::write ? "xredist_array_write" : "xredist_array_read", std::move(mine),
                   passed.comm);
  return call;
}

Index buffer_of(MPI_Comm comm) {
  demand(communicator_error(comm));
  LibraryLock lock;
  return channel_of(comm, lock).options().buffer;
}

}  // namespace xredist::files
