// SPDX-License-Identifier: BSD-3-Clause
#include "storage/matrix.hpp"

#include <algorithm>
#include <string>

#include "storage/agreed_call.hpp"
#include "storage/entry_names.hpp"
#include "storage/shared_failure.hpp"

namespace xredist::files {
namespace {

struct LocalSize {
  Index rows = 0, cols = 0;
};

LocalSize local_size(const xredist_layout& layout, Index m, Index n, int rank) {
  LocalSize size;
  demand_success(xredist_local_size(&layout, m, n, rank, &size.rows, &size.cols));
  return size;
}

// Returns the local rows and columns up to the end of the submatrix; none on a process without a part of it.
LocalSize size_up_to_end(const xredist_layout& layout, const Subarray& x, int rank) {
  const LocalSize before = local_size(layout, x.first[0] - 1, x.first[1] - 1, rank);
  const LocalSize size = local_size(layout, x.first[0] - 1 + x.shape[0], x.first[1] - 1 + x.shape[1], rank);
  return size.rows > before.rows && size.cols > before.cols ? size : LocalSize{};
}

// Checks a layout on `size` processes, and that it has the submatrix.
void check_layout(const xredist_layout* layout, const Subarray& x, int size) {
  if (layout == nullptr) throw InvalidArgument("layout is NULL");
  demand_bounds("layout.nprow", layout->nprow, 1);
  demand_bounds("layout.npcol", layout->npcol, 1);
  if (Index{layout->nprow} * layout->npcol > size)
    refuse("layout.nprow", layout->nprow,
           ": with npcol = " + std::to_string(layout->npcol) + " the grid needs more than the " + std::to_string(size) +
               " processes of the communicator");
  local_size(*layout, 0, 0, 0);
  demand_ranks(layout->ranks, Index{layout->nprow} * layout->npcol, size);
  const auto check_end = [&](int axis, const char* name, const xredist_partition* partition) {
    if (partition != nullptr)
      demand_end(x, &Subarray::first, axis, std::string(entry_name(name, -1).data()) + ", which ends at ",
                 partition->bounds[partition->count]);
  };
  check_end(0, "layout.rows", layout->rows);
  check_end(1, "layout.cols", layout->cols);
}

// Checks a local array, and returns its leading dimension.
Index checked_ld(const DistributedMatrix& matrix, const Subarray& subarray) {
  const auto [rows, cols] = size_up_to_end(*matrix.layout, subarray, rank_in(matrix.comm));
  if (rows == 0) return 0;
  const LocalArray& array = matrix.array;
  const std::string name(1, array.name);
  if (array.data == nullptr) throw InvalidArgument(name + " is NULL on a process that holds a part of it");
  const Index ld = array.ld != 0 ? array.ld : rows;
  if (ld < rows || ld > max_elements)
    refuse("ld" + name, ld,
           ", must be in " + std::to_string(rows) + " .. 2^40: the local rows up to the end of the submatrix are " +
               std::to_string(rows));
  if (exceeds_memory(Wide{cols - 1} * ld + rows - 1, bytes_of_element(subarray)))
    throw InvalidArgument((array.ld != 0 ? "ld" + name + " is " + std::to_string(ld) : name) + exceeds_memory_text);
  if (array.size && (*array.size < rows || (*array.size - rows) / ld < cols - 1))
    throw InvalidArgument(name + " has " + std::to_string(*array.size) +
                          " elements, where the local part up to the end of the submatrix has " + std::to_string(rows) +
                          " x " + std::to_string(cols) + " with the leading dimension " + std::to_string(ld));
  return ld;
}

Call checked_call(const DistributedMatrix& matrix, const xredist_file* file) {
  if (file == nullptr) throw InvalidArgument("file is NULL");
  const Subarray subarray = subarray_of(*file);
  check_layout(matrix.layout, subarray, size_of(matrix.comm));
  auto array = std::make_unique<DistributedArray>(matrix.comm, *matrix.layout);
  array->data = matrix.array.data;
  array->strides = {1, checked_ld(matrix, subarray)};
  return {std::move(array), subarray};
}

void compare(const xredist_layout& layout, ComparedArguments& arguments) {
  const bool cyclic_rows = layout.rows == nullptr, cyclic_cols = layout.cols == nullptr;
  arguments.add(compared("layout.nprow", layout.nprow));
  arguments.add(compared("layout.npcol", layout.npcol));
  arguments.add({"layout.rows", digest_of(layout.rows)});
  arguments.add({"layout.cols", digest_of(layout.cols)});
  arguments.add(compared("layout.mb", cyclic_rows ? layout.mb : 0));
  arguments.add(compared("layout.nb", cyclic_cols ? layout.nb : 0));
  arguments.add(compared("layout.rsrc", cyclic_rows ? layout.rsrc : 0));
  arguments.add(compared("layout.csrc", cyclic_cols ? layout.csrc : 0));
  arguments.add({"layout.ranks", digest_of_list(layout.ranks, Index{layout.nprow} * layout.npcol)});
}

}  // namespace

Call agreed_call(const DistributedMatrix& matrix, const xredist_file* file, int callers) {
  return agreed_call(
      matrix.comm, callers, [&] { return checked_call(matrix, file); },
      [&](ComparedArguments& arguments) {
        arguments.add({"the function, xredist_write or xredist_read,", matrix.array.name});
        compare(*matrix.layout, arguments);
      });
}

}  // namespace xredist::files
