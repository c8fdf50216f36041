// SPDX-License-Identifier: BSD-3-Clause
// The functions of relabel.h, and xredist_array_relabel.
#include <algorithm>
#include <numeric>
#include <vector>

#include "api/agreed_arguments.hpp"
#include "api/arguments.hpp"
#include "api/array_layout.hpp"
#include "api/array_operation.hpp"
#include "api/compared_arrays.hpp"
#include "api/failure.hpp"
#include "api/matrix_operation.hpp"
#include "api/relabelling.hpp"
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

// Returns the sizes and indices of an operation, the only members that a relabelling uses.
xredist_operation submatrices_of(const xredist_operation& operation) {
  xredist_operation sizes{};
  sizes.m = operation.m, sizes.n = operation.n;
  sizes.ia = operation.ia, sizes.ja = operation.ja, sizes.ib = operation.ib, sizes.jb = operation.jb;
  return with_defaults(sizes);
}

void relabel_matrix(MPI_Comm comm, const xredist_layout* a, const xredist_layout* b, const xredist_operation* passed,
                    int ranks[], double kept[2]) {
  constexpr const char* function = "xredist_relabel";
  const InCall call(function);
  demand(communicator_error(comm));
  const int size = size_of(comm);
  const xredist_operation operation = submatrices_of(passed != nullptr ? *passed : xredist_operation{});
  const auto check = [&] {
    demand(null_error({"operation"}, passed));
    demand(first_of({submatrix_error(a, b, operation, size), null_error({"ranks"}, ranks)}));
  };
  check_arguments(function, comm, check, [&] { return compared(*a, *b, operation); });
  const auto [rank_of, available] = candidates_of(ranks_of(*a), ranks_of(*b), b->ranks == nullptr, size);
  const Relabelling best = relabel(layout_of(*a, operation.ia, operation.ja), layout_of(*b, operation.ib, operation.jb),
                                   operation.m, operation.n, available);
  for (std::size_t k = 0; k < best.map.size(); ++k) ranks[k] = at(rank_of, best.map[k]);
  set_kept(kept, best);
}

}  // namespace

void xredist::core::relabel_array(MPI_Comm comm, const xredist_array_layout* a, const xredist_array_layout* b,
                                  const xredist_array_operation* operation, const Failure* callers, int ranks[],
                                  double kept[2]) {
  constexpr const char* function = "xredist_array_relabel";
  const InCall call(function);
  demand(communicator_error(comm));
  const int size = size_of(comm);
  const auto check = [&] {
    if (callers != nullptr) throw *callers;
    demand(null_error({"operation"}, operation));
    demand(first_of({array_operation_error(a, b, *operation, Type::integer, size), null_error({"ranks"}, ranks)}));
  };
  check_arguments(function, comm, check, [&] { return compared(*a, *b, *operation); });
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
}

int xredist_relabel(MPI_Comm comm, const xredist_layout* a, const xredist_layout* b, const xredist_operation* operation,
                    int ranks[], double kept[2]) {
  return coded([&] { relabel_matrix(comm, a, b, operation, ranks, kept); });
}

int xredist_array_relabel(MPI_Comm comm, const xredist_array_layout* a, const xredist_array_layout* b,
                          const xredist_array_operation* operation, int ranks[], double kept[2]) {
  return coded([&] { relabel_array(comm, a, b, operation, nullptr, ranks, kept); });
}
