// SPDX-License-Identifier: BSD-3-Clause
// The functions of blacs.h that describe a context and a matrix on it for the functions of xredist.h.
#include <algorithm>
#include <string_view>

#include "scalapack/agree.hpp"
#include "scalapack/context.hpp"
#include "xredist/blacs.h"

namespace xredist::core {
namespace {

constexpr std::string_view layout_arguments[] = {"DESC",       "M",    "N",      "ROWS", "COLS",
                                                 "PARTITIONS", "CTXT", "LAYOUT", "RANKS"};
constexpr Routine layout_routine{
    .name = "xredist_layout_blacs", .arguments = layout_arguments, .style = ErrorStyle::names};

// Agrees on the matrix, and sets the layout and its ranks.
void describe(const MatrixArguments& matrix, const xredist_partitions& partitions, Context& context,
              const LibraryLock& lock, xredist_layout* layout, int ranks[]) {
  const auto checked = attempt([&] {
    demand(layout_routine,
           first_of({null_error({"DESCA"}, matrix.desc), null_error({"LAYOUT"}, layout), null_error({"RANKS"}, ranks),
                     reserved_error({"PARTITIONS", -1, ".reserved"}, partitions.reserved)}));
    if (const Grid grid = grid_of(matrix.desc[ctxt_]); grid.member())
      demand(layout_routine, matrix_error(layout_routine, matrix, size_of(0, 0), grid));
  });
  const Question question{layout_routine, {&matrix, 1}};
  const Values agreed = agree_by_reduction(question, view_of(question, context.rosters), checked.failure(),
                                           context.rosters, context.channel(), lock->progress);
  const auto& [axes, roster] = agreed.matrices[0];
  const auto& [rows, cols] = axes;
  std::ranges::copy(*context.rosters.find(roster)->ranks, ranks);
  *layout = {};
  layout->nprow = static_cast<int>(rows.procs), layout->npcol = static_cast<int>(cols.procs);
  layout->mb = rows.block, layout->nb = cols.block;
  layout->rsrc = static_cast<int>(rows.source), layout->csrc = static_cast<int>(cols.source);  // less than nprow, npcol
  layout->ranks = ranks;
  layout->rows = matrix.partitions[0], layout->cols = matrix.partitions[1];
}

}  // namespace
}  // namespace xredist::core

using namespace xredist::core;

int xredist_comm_blacs(xredist_int ctxt, MPI_Comm* comm) {
  return coded([&] {
    demand(first_of({mpi_error({"ctxt"}), context_error({"ctxt"}, ctxt), null_error({"comm"}, comm)}));
    *comm = communicator(ctxt);
  });
}

int xredist_layout_blacs(xredist_int ctxt, const xredist_int* desc, const xredist_partitions* partitions,
                         xredist_layout* layout, int ranks[]) {
  return coded([&] {
    const InCall call(layout_routine.name);
    state_if_watched([&](Call& of) {  // also of a function within which this one is called
      of.context = static_cast<std::int32_t>(ctxt);
    });
    demand(first_of({mpi_error({"ctxt"}), context_error({"ctxt"}, ctxt)}));
    LibraryLock lock;
    Context& context = context_for_plans(communicator(ctxt), lock);
    const xredist_partitions of = partitions != nullptr ? *partitions : xredist_partitions{};
    const MatrixArguments matrix{Which::a, desc, {1, 1}, {of.rows_a, of.cols_a}};
    on_context(context, lock, [&] { describe(matrix, of, context, lock, layout, ranks); });
  });
}
