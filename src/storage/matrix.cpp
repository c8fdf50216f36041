// SPDX-License-Identifier: BSD-3-Clause
#include "storage/matrix.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/compare.hpp"
#include "api/local_arrays.hpp"
#include "api/operation.hpp"
#include "layout/digest.hpp"
#include "watch/watched.hpp"

namespace xredist::core {
namespace {

constexpr Index max_offset = Index{1} << 60;  // bytes

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

// The elements and the size of the submatrix, as plans check them.
xredist_operation operation_of(const xredist_file& file) {
  return core::with_defaults(
      xredist_operation{.m = file.m, .n = file.n, .ia = file.i, .ja = file.j, .type = file.type, .bytes = file.bytes});
}

MaybeError sizes_error(const xredist_file& file) {
  if (MaybeError error = first_of({bounds_error({"m"}, file.m, 0), bounds_error({"n"}, file.n, 0),
                                   bounds_error({"i"}, file.i, 1), bounds_error({"j"}, file.j, 1),
                                   bounds_error({"row"}, file.row, 1), bounds_error({"col"}, file.col, 1),
                                   bounds_error({"rows"}, file.rows, 0), bounds_error({"cols"}, file.cols, 0)}))
    return error;
  if (MaybeError error = product_error("m", file.m, {"n"}, file.n)) return error;
  if (file.offset < 0 || file.offset > max_offset)
    return value_error({"offset"}, file.offset, ", must be in 0 .. 2^60");
  return {};
}

MaybeError letters_error(const xredist_file& file) {
  if (MaybeError error = first_of({letter_error("NR", "N or R", {"format"}, file.format),
                                   letter_error("FC", "F or C", {"order"}, file.order),
                                   letter_error("NY", "N or Y", {"update"}, file.update)}))
    return error;
  if (file.type_in_file != 0 && !type_of(file.type_in_file))
    return letter_error("ISDCZ", "I, S, D, C or Z", {"type_in_file"}, file.type_in_file);
  if (file.type_in_file != 0 && file.type == 0) return ArgumentError{{"type_in_file"}, ": type is 0"};
  if (file.descr != nullptr && file.type != 0)
    return ArgumentError{{"descr"}, ": the elements have a type, whose description is known"};
  if (file.offset != 0 && file.format == 'N') return value_error({"offset"}, file.offset, ", must be 0 for format N");
  return {};
}

// Returns the local rows and columns up to the end of the submatrix; none on a process without a part of it.
LocalSize size_up_to_end(const xredist_layout& layout, const xredist_file& file, int rank) {
  const LocalSize before = local_size(&layout, file.i - 1, file.j - 1, rank);
  const LocalSize size = local_size(&layout, file.i - 1 + file.m, file.j - 1 + file.n, rank);
  return size.rows > before.rows && size.cols > before.cols ? size : LocalSize{};
}

MaybeError array_error(const DistributedMatrix& matrix, const xredist_file& file, int rank) {
  const auto [rows, cols] = size_up_to_end(*matrix.layout, file, rank);
  if (rows == 0) return {};
  const LocalArray& array = matrix.array;
  const std::string_view name(&array.name, 1);
  if (array.data == nullptr) return ArgumentError{{name}, " is NULL on a process that holds a part of it"};
  const Index ld = array.ld != 0 ? array.ld : rows;
  if (ld < rows || ld > max_elements)
    return ArgumentError{{},
                         std::string("ld").append(name) + " is " + std::to_string(ld) + ", must be in " +
                             std::to_string(rows) + " .. 2^40: the local rows up to the end of the submatrix are " +
                             std::to_string(rows)};
  if (!array.size || (*array.size >= rows && (*array.size - rows) / ld >= cols - 1)) return {};
  return ArgumentError{
      {name},
      " has " + std::to_string(*array.size) + " elements, where the local part up to the end of the submatrix has " +
          std::to_string(rows) + " x " + std::to_string(cols) + " with the leading dimension " + std::to_string(ld)};
}

MaybeError call_error(const DistributedMatrix& matrix, const xredist_file* passed, const Channel& channel) {
  if (passed == nullptr) return null_error({"file"}, passed);
  const xredist_file file = with_defaults(*passed);
  if (MaybeError error = first_of({null_error({"file", -1, ".name"}, file.name), sizes_error(file),
                                   layout_error("layout", matrix.layout, channel.size())}))
    return error;
  return first_of({partition_end_error("i", file.i, "m", file.m, "layout.rows", matrix.layout->rows),
                   partition_end_error("j", file.j, "n", file.n, "layout.cols", matrix.layout->cols),
                   elements_error(operation_of(file), matrix.integer), letters_error(file),
                   array_error(matrix, file, channel.rank())});
}

Index digest_of(std::string_view text) {
  Digest digest;
  digest.add(text);
  return digest.number();
}

Index digest_of(const std::vector<int>& numbers) {
  Digest digest;
  for (const int number : numbers) digest.add(number);
  return digest.number();
}

// The arguments that all processes must pass alike.
auto compared_arguments(const xredist_layout& layout, const xredist_file& file) {
  const auto in_layout = [](const char* member) { return ArgumentRef{"layout", -1, member}; };
  const bool cyclic_rows = layout.rows == nullptr, cyclic_cols = layout.cols == nullptr;
  return std::array{
      Compared{in_layout(".nprow"), layout.nprow},
      Compared{in_layout(".npcol"), layout.npcol},
      Compared{in_layout(".rows"), fingerprint(layout.rows), differs},
      Compared{in_layout(".cols"), fingerprint(layout.cols), differs},
      Compared{in_layout(".mb"), cyclic_rows ? layout.mb : 0},
      Compared{in_layout(".nb"), cyclic_cols ? layout.nb : 0},
      Compared{in_layout(".rsrc"), cyclic_rows ? layout.rsrc : 0},
      Compared{in_layout(".csrc"), cyclic_cols ? layout.csrc : 0},
      Compared{in_layout(".ranks"), digest_of(ranks_of(layout)), differs},
      Compared{{"file", -1, ".name"}, digest_of(file.name), differs},
      Compared{{"m"}, file.m},
      Compared{{"n"}, file.n},
      Compared{{"i"}, file.i},
      Compared{{"j"}, file.j},
      Compared{{"row"}, file.row},
      Compared{{"col"}, file.col},
      Compared{{"type"}, file.type, differs},
      Compared{{"bytes"}, file.bytes},
      Compared{{"descr"}, file.descr == nullptr ? 0 : digest_of(file.descr), differs},
      Compared{{"type_in_file"}, file.type_in_file, differs},
      Compared{{"format"}, file.format, differs},
      Compared{{"order"}, file.order, differs},
      Compared{{"update"}, file.update, differs},
      Compared{{"rows"}, file.rows},
      Compared{{"cols"}, file.cols},
      Compared{{"offset"}, file.offset},
  };
}

}  // namespace

Channel& channel_for_files(MPI_Comm comm) {
  demand(communicator_error(comm));
  LibraryLock lock;
  return channel_of(comm, lock);
}

xredist_file agreed_file(const DistributedMatrix& matrix, const xredist_file* passed, const Failure* callers,
                         const Channel& channel) {
  xredist_file file{};
  if (passed != nullptr) state_if_watched([&](Call& call) { call.m = passed->m, call.n = passed->n; });
  auto arguments = attempt([&] {
    if (callers != nullptr) throw *callers;
    demand(call_error(matrix, passed, channel));
    file = with_defaults(*passed);
    return compared_arguments(*matrix.layout, file);
  });
  LibraryLock lock;
  agreed_values(std::move(arguments), channel.comm(), lock->progress);
  return file;
}

DistributedMatrix with_leading_dimension(const DistributedMatrix& matrix, const xredist_file& file, int rank) {
  DistributedMatrix complete = matrix;
  if (matrix.array.ld == 0) complete.array.ld = size_up_to_end(*matrix.layout, file, rank).rows;
  return complete;
}

}  // namespace xredist::core
