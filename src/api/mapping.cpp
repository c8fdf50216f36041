// SPDX-License-Identifier: BSD-3-Clause
// The functions of relabel.h, and xredist_array_relabel.
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "api/arguments.hpp"
#include "api/array_layout.hpp"
#include "api/array_operation.hpp"
#include "api/failure.hpp"
#include "api/matrix_operation.hpp"
#include "exchange/communicator.hpp"
#include "mapping/relabel.hpp"
#include "watch/watched.hpp"
#include "xredist/relabel.h"

using namespace xredist::core;

namespace {

// The processes that B's grid may have, numbered: those at B's positions come first.
struct Candidates {
  std::vector<int> rank_of;
  Available available;  // for grids of rows and columns
};

// at_a, at_b: the ranks at the positions of both grids, row-major. `others`: the processes outside of B's grid may be
// taken, too.
Candidates candidates_of(std::vector<int> at_a, std::vector<int> at_b, bool others, int size) {
  std::vector<int> number(as_size(size), -1);
  Candidates candidates{std::move(at_b), {std::move(at_a), 0}};
  for (std::size_t k = 0; k < candidates.rank_of.size(); ++k) at(number, candidates.rank_of[k]) = static_cast<int>(k);
  for (int rank = 0; others && rank < size; ++rank)
    if (at(number, rank) < 0) {
      at(number, rank) = static_cast<int>(candidates.rank_of.size());
      candidates.rank_of.push_back(rank);
    }
  for (int& process : candidates.available.at_a) process = at(number, process);
  candidates.available.count = static_cast<int>(candidates.rank_of.size());
  return candidates;
}

void set_kept(double kept[2], const Relabelling& best) {
  if (kept == nullptr) return;
  kept[0] = best.retained;
  kept[1] = best.retained_row_major;
}

}  // namespace

int xredist_relabel(MPI_Comm comm, const xredist_layout* a, const xredist_layout* b, const xredist_operation* passed,
                    int ranks[], double kept[2]) {
  return coded([&] {
    const InCall call("xredist_relabel");
    demand(communicator_error(comm));
    const int size = size_of(comm);
    demand(null_error({"operation"}, passed));
    xredist_operation operation = with_defaults(*passed);
    if (transposes(operation) && (operation.rows_a != nullptr || operation.cols_a != nullptr))
      throw InvalidArgument(Text() << "trans is '" << operation.trans << "', must be N for lists of A");
    operation.trans = 'N';
    demand(first_of({submatrix_error(a, b, operation, size), null_error({"ranks"}, ranks)}));

    const auto [rank_of, available] = candidates_of(ranks_of(*a), ranks_of(*b), b->ranks == nullptr, size);
    const auto [layout_a, layout_b] =
        with_lists({layout_of(*a, operation.ia, operation.ja), layout_of(*b, operation.ib, operation.jb)}, operation);
    const Relabelling best = relabel(layout_a, layout_b, operation.m, operation.n, available);
    for (std::size_t k = 0; k < best.map.size(); ++k) ranks[k] = at(rank_of, best.map[k]);
    set_kept(kept, best);
  });
}

int xredist_array_relabel(MPI_Comm comm, const xredist_array_layout* a, const xredist_array_layout* b,
                          const xredist_array_operation* operation, int ranks[], double kept[2]) {
  return coded([&] {
    const InCall call("xredist_array_relabel");
    demand(communicator_error(comm));
    const int size = size_of(comm);
    demand(null_error({"operation"}, operation));
    demand(first_of({operation_error(a, b, *operation, Type::integer, size), null_error({"ranks"}, ranks)}));
    const ArrayForm form = form_of(*a, *b, *operation);
    const std::vector<int> ranks_b = ranks_of(*b);
    const auto [rank_of, available] = candidates_of(form.positions(&ArrayAxis::a, ranks_of(first_copy(*a))),
                                                    form.positions(&ArrayAxis::b, ranks_b), b->ranks == nullptr, size);
    const Relabelling best = relabel(traffic_of(form.axes, form.fold), available);
    // The entry of the list of ranks for each position of the grid of rows and columns.
    xredist_array_layout entries = *b;
    entries.ranks = nullptr;
    const std::vector<int> places = form.positions(&ArrayAxis::b, ranks_of(entries));
    for (std::size_t k = 0; k < places.size(); ++k) ranks[places[k]] = at(rank_of, best.map[k]);
    set_kept(kept, best);
  });
}
