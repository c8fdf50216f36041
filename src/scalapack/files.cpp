// SPDX-License-Identifier: BSD-3-Clause
// Files of matrices that array descriptors describe (blacs.h).
#include "scalapack/files.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include "api/outcome.hpp"
#include "scalapack/together.hpp"
#include "storage/files.hpp"
#include "xredist/blacs.h"

namespace xredist::core {
namespace {

// A routine whose processes agree on the descriptor of one matrix.
struct FileRoutine {
  Routine routine;
  Which which;
  char array;
  void (*work)(const DistributedMatrix&, const xredist_file*, const MaybeError&);
};
constexpr std::string_view write_names[] = {"DESCA", "M", "N", "ROWS_A", "COLS_A", "CTXT"};
constexpr std::string_view read_names[] = {"DESCB", "M", "N", "ROWS_B", "COLS_B", "CTXT"};
constexpr FileRoutine write_routine{
    {.name = "xredist_write_blacs", .arguments = write_names, .style = ErrorStyle::names, .one_matrix = true},
    Which::a,
    'a',
    write_matrix};
constexpr FileRoutine read_routine{
    {.name = "xredist_read_blacs", .arguments = read_names, .style = ErrorStyle::names, .one_matrix = true},
    Which::b,
    'b',
    read_matrix};

// The layout of a matrix on whose descriptor all processes of the context have agreed.
struct AgreedLayout {
  MatrixValues values;
  std::vector<int> ranks;
  MaybeError end_error;  // of this process: the submatrix does not end within the matrix
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

// Checks and compares the descriptor as redistributions do, for an empty submatrix: the submatrix is one of the
// arguments of the file. All processes throw the same error.
AgreedLayout agreed_layout_of(const FileRoutine& of, Operand<void*> matrix, const xredist_file* file,
                              const MaybeError& found, MPI_Comm comm) {
  LibraryLock lock;
  Context& context = context_for_plans(comm, lock);
  AgreedLayout agreed;
  const int code = coded([&] {
    Finding finding = finding_of([&] {
      return first_of({found, null_error({descriptor_name(of.which)}, matrix.desc)});
    });
    if (matrix.desc == nullptr) matrix.desc = outside_of_grid;
    MatrixMove move{.m = 0,
                    .n = 0,
                    .a = {nullptr, 1, 1, outside_of_grid},
                    .b = {nullptr, 1, 1, outside_of_grid},
                    .bytes = 1,
                    .elements = 0};
    if (of.which == Which::a)
      move.a = {matrix.data, 1, 1, matrix.desc, matrix.rows, matrix.cols};
    else
      move.b = matrix;
    const CallView view = view_of_one(of.which, move, context);
    agreed.values = agree_together(of.routine, move, view, std::move(finding), context, lock->progress)[of.which];
    agreed.ranks = context.rosters.find(agreed.values.roster)->ranks;
    agreed.end_error = file_end_error(of, matrix.desc, file);
  });
  try {
    demand_on_all(code, context.channel());
  } catch (...) {
    context.rosters.forget();
    throw;
  }
  return agreed;
}

void on_context(const FileRoutine& of, xredist_int ctxt, const Operand<void*>& matrix, std::optional<Index> size,
                const xredist_file* file, const MaybeError& found) {
  demand(first_of({mpi_error({"ctxt"}), context_error({"ctxt"}, ctxt)}));
  const MPI_Comm comm = communicator(ctxt);
  const auto [values, ranks, end_error] = agreed_layout_of(of, matrix, file, found, comm);
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
  of.work({comm, &layout, {of.array, matrix.data, ld, size}, fortran_integer}, file, end_error);
}

}  // namespace

void write_on_context(xredist_int ctxt, const xredist_int* desca, const xredist_partition* rows,
                      const xredist_partition* cols, void* a, std::optional<Index> size, const xredist_file* file,
                      const MaybeError& found) {
  on_context(write_routine, ctxt, {a, 1, 1, desca, rows, cols}, size, file, found);
}

void read_on_context(xredist_int ctxt, const xredist_int* descb, const xredist_partition* rows,
                     const xredist_partition* cols, void* b, std::optional<Index> size, const xredist_file* file,
                     const MaybeError& found) {
  on_context(read_routine, ctxt, {b, 1, 1, descb, rows, cols}, size, file, found);
}

}  // namespace xredist::core

using namespace xredist::core;

int xredist_write_blacs(xredist_int ctxt, const xredist_int* desca, const xredist_partition* rows,
                        const xredist_partition* cols, const void* a, const xredist_file* file) {
  return coded([&] { write_on_context(ctxt, desca, rows, cols, const_cast<void*>(a), {}, file, {}); });
}

int xredist_read_blacs(xredist_int ctxt, const xredist_int* descb, const xredist_partition* rows,
                       const xredist_partition* cols, void* b, const xredist_file* file) {
  return coded([&] { read_on_context(ctxt, descb, rows, cols, b, {}, file, {}); });
}
