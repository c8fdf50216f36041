// SPDX-License-Identifier: BSD-3-Clause
// Files of matrices that array descriptors describe (blacs.h).
#include "scalapack/files.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include "scalapack/agree.hpp"
#include "scalapack/context.hpp"
#include "scalapack/stated.hpp"
#include "storage/files.hpp"
#include "xredist/blacs.h"

namespace xredist::core {
namespace {

// A routine whose processes agree on the descriptor of one matrix.
struct FileRoutine {
  Routine routine;
  Which which;
  char array;
  void (*work)(const DistributedMatrix&, const xredist_file*, const Failure*);
};
constexpr std::string_view write_names[] = {"DESCA", "M", "N", "ROWS", "COLS", "CTXT"};
constexpr std::string_view read_names[] = {"DESCB", "M", "N", "ROWS", "COLS", "CTXT"};
constexpr FileRoutine write_routine{
    {.name = "xredist_write_blacs", .arguments = write_names, .style = ErrorStyle::names}, Which::a, 'a', write_matrix};
constexpr FileRoutine read_routine{
    {.name = "xredist_read_blacs", .arguments = read_names, .style = ErrorStyle::names}, Which::b, 'b', read_matrix};

// The layout of a matrix on whose descriptor all processes of the context have agreed.
struct AgreedLayout {
  MatrixValues values;
  std::vector<int> ranks;
};

// Checks, on the members of the grid, that the submatrix ends within the matrix. Names are made for an error only.
MaybeError file_end_error(const FileRoutine& of, const xredist_int* desc, const xredist_file* file) {
  if (file == nullptr || !grid_of(desc[ctxt_]).member()) return {};
  const auto beyond = [&](const char* first_name, Index passed, const char* count_name, Index count, Entry entry) {
    const Index first = passed == 0 ? 1 : passed;
    if (first < 0 || ends_within(first, count, desc[entry])) return MaybeError();
    return end_error(first_name, first, {count_name}, count,
                     name_of(of.routine, {descriptor_name(of.which), entry}) + " = ", desc[entry]);
  };
  return first_of({beyond("i", file->i, "m", file->m, m_), beyond("j", file->j, "n", file->n, n_)});
}

// Checks the descriptor as redistributions do, for an empty submatrix: the submatrix is one of the arguments of the
// file. Fails on some processes only if memory runs out.
AgreedLayout agreed_layout_of(const FileRoutine& of, const MatrixArguments& matrix, const Failure* callers,
                              Context& context, const LibraryLock& lock) {
  const auto checked = attempt([&] {
    if (callers != nullptr) throw *callers;
    demand(of.routine, null_error({descriptor_name(of.which)}, matrix.desc));
    if (const Grid grid = grid_of(matrix.desc[ctxt_]); grid.member())
      demand(of.routine, matrix_error(of.routine, matrix, size_of(0, 0), grid));
  });
  const Question question{of.routine, {&matrix, 1}};
  const Values agreed = agree_by_reduction(question, view_of(question, context.rosters), checked.failure(),
                                           context.rosters, context.channel(), lock->progress);
  return {agreed.matrices[0], context.rosters.find(agreed.matrices[0].roster)->ranks};
}

void work_on_context(const FileRoutine& of, xredist_int ctxt, const MatrixArguments& matrix, void* data,
                     std::optional<Index> size, const xredist_file* file, const Failure* callers) {
  const InCall call(of.routine.name, size_in(ctxt, file));
  demand(first_of({mpi_error({"ctxt"}), context_error({"ctxt"}, ctxt)}));
  const MPI_Comm comm = communicator(ctxt);
  const auto [values, ranks] = [&] {
    LibraryLock lock;
    Context& context = context_for_plans(comm, lock);
    return on_context(context, lock, [&] { return agreed_layout_of(of, matrix, callers, context, lock); });
  }();
  const xredist_layout layout{.nprow = static_cast<int>(values.nprow),
                              .npcol = static_cast<int>(values.npcol),
                              .mb = values.mb,
                              .nb = values.nb,
                              .rsrc = static_cast<int>(values.rsrc),  // less than nprow
                              .csrc = static_cast<int>(values.csrc),
                              .ranks = ranks.data(),
                              .rows = matrix.rows,
                              .cols = matrix.cols};
  const Index ld = grid_of(matrix.desc[ctxt_]).member() ? matrix.desc[lld_] : 0;
  const auto checked = attempt([&] { demand(file_end_error(of, matrix.desc, file)); });
  of.work({comm, &layout, {of.array, data, ld, size}, fortran_integer}, file, checked.failure());
}

}  // namespace

void write_on_context(xredist_int ctxt, const xredist_int* desca, const xredist_partition* rows,
                      const xredist_partition* cols, void* a, std::optional<Index> size, const xredist_file* file,
                      const Failure* callers) {
  work_on_context(write_routine, ctxt, {Which::a, desca, 1, 1, rows, cols}, a, size, file, callers);
}

void read_on_context(xredist_int ctxt, const xredist_int* descb, const xredist_partition* rows,
                     const xredist_partition* cols, void* b, std::optional<Index> size, const xredist_file* file,
                     const Failure* callers) {
  work_on_context(read_routine, ctxt, {Which::b, descb, 1, 1, rows, cols}, b, size, file, callers);
}

}  // namespace xredist::core

using namespace xredist::core;

int xredist_write_blacs(xredist_int ctxt, const xredist_int* desca, const xredist_partition* rows,
                        const xredist_partition* cols, const void* a, const xredist_file* file) {
  return coded([&] { write_on_context(ctxt, desca, rows, cols, const_cast<void*>(a), {}, file, nullptr); });
}

int xredist_read_blacs(xredist_int ctxt, const xredist_int* descb, const xredist_partition* rows,
                       const xredist_partition* cols, void* b, const xredist_file* file) {
  return coded([&] { read_on_context(ctxt, descb, rows, cols, b, {}, file, nullptr); });
}
