// SPDX-License-Identifier: BSD-3-Clause
#include "storage/matrix.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "api/operation.hpp"
#include "storage/together.hpp"

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
  if (too_large(file.m, file.n))
    return value_error({"n"}, file.n, ": with m = " + std::to_string(file.m) + " these are 2^59 elements or more");
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

// The local rows and columns up to the end of the submatrix; none on a process without a part of the submatrix.
struct LocalSize {
  std::int64_t rows = 0, cols = 0;
};

LocalSize size_up_to_end(const xredist_layout& layout, const xredist_file& file, int rank) {
  LocalSize before, size;
  xredist_local_size(&layout, file.i - 1, file.j - 1, rank, &before.rows, &before.cols);
  xredist_local_size(&layout, file.i - 1 + file.m, file.j - 1 + file.n, rank, &size.rows, &size.cols);
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

MaybeError arguments_error(const DistributedMatrix& matrix, const xredist_file* passed, const Channel& channel) {
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

// A hash of values that processes compare (FNV-1a).
class Digest {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) sum_ = (sum_ ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  }
  void add(Index value) { add({reinterpret_cast<const char*>(&value), sizeof value}); }
  Index value() const { return static_cast<Index>(sum_ >> 2); }

 private:
  std::uint64_t sum_ = 0xcbf29ce484222325;
};

Index digest_of(const xredist_layout& layout, const xredist_file& file) {
  Digest digest;
  for (const Index value :
       {file.m, file.n, file.i, file.j, file.row, file.col, file.bytes, file.rows, file.cols, file.offset,
        Index{file.type}, Index{file.type_in_file}, Index{file.format}, Index{file.order}, Index{file.update},
        Index{layout.nprow}, Index{layout.npcol}, fingerprint(layout.rows), fingerprint(layout.cols)})
    digest.add(value);
  if (layout.rows == nullptr) digest.add(layout.mb), digest.add(layout.rsrc);
  if (layout.cols == nullptr) digest.add(layout.nb), digest.add(layout.csrc);
  for (const int rank : ranks_of(layout)) digest.add(rank);
  digest.add(file.name);
  if (file.descr != nullptr) digest.add(file.descr);
  return digest.value();
}

}  // namespace

Channel& channel_for_files(MPI_Comm comm) {
  demand(communicator_error(comm));
  LibraryLock lock;
  return channel_of(comm, lock);
}

xredist_file agreed_file(const DistributedMatrix& matrix, const xredist_file* passed, const MaybeError& found,
                         const Channel& channel) {
  xredist_file file{};
  Index compared[2] = {0, 0};  // the maximum and, negative, the minimum of all digests
  together(channel, [&] {
    demand(found);
    demand(arguments_error(matrix, passed, channel));
    file = with_defaults(*passed);
    compared[0] = digest_of(*matrix.layout, file);
    compared[1] = -compared[0];
  });
  LibraryLock lock;
  reduce(compared, 2, MPI_INT64_T, MPI_MAX, channel.comm(), lock->progress);
  if (compared[0] != -compared[1]) throw InvalidArgument("layout or file differs between processes");
  return file;
}

DistributedMatrix with_leading_dimension(const DistributedMatrix& matrix, const xredist_file& file, int rank) {
  DistributedMatrix complete = matrix;
  if (matrix.array.ld == 0) complete.array.ld = size_up_to_end(*matrix.layout, file, rank).rows;
  return complete;
}

}  // namespace xredist::core
