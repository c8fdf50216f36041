// SPDX-License-Identifier: BSD-3-Clause
// xredist_array_relabel.
#include <algorithm>
#include <numeric>
#include <vector>

#include "api/array_layout.hpp"
#include "api/array_operation.hpp"
#include "api/failure.hpp"
#include "exchange/communicator.hpp"
#include "mapping/relabel.hpp"
#include "watch/watched.hpp"

using namespace xredist::core;

namespace {

// Returns the position in the array's grid of each position of the folded grid, row-major.
std::vector<int> folded_positions(const ArrayForm& form, const Axis ArrayAxis::*side, std::size_t count) {
  std::vector<int> positions(count);
  std::iota(positions.begin(), positions.end(), 0);
  return form.positions(side, positions);
}

}  // namespace

int xredist_array_relabel(MPI_Comm comm, const xredist_array_layout* a, const xredist_array_layout* b,
                          const xredist_array_operation* operation, int ranks[], double kept[2]) {
  return coded([&] {
    const InCall call("xredist_array_relabel");
    demand(communicator_error(comm));
    const int size = size_of(comm);
    demand(null_error({"operation"}, operation));
    demand(first_of({array_operation_error(a, b, *operation, Type::integer, size), null_error({"ranks"}, ranks)}));
    const ArrayForm form = form_of(*a, *b, *operation);
    const std::vector<int> ranks_a = ranks_of(*a), ranks_b = ranks_of(*b);
    const std::vector<int> in_a = folded_positions(form, &ArrayAxis::a, ranks_a.size()),
                           in_b = folded_positions(form, &ArrayAxis::b, ranks_b.size());

    // Processes are numbered by their positions in the folded grid of b as passed. The map may use them alone, or all
    // of comm if b->ranks is NULL.
    std::vector<int> rank_of, number(as_size(size), -1);
    const auto enter = [&](int rank) {
      at(number, rank) = static_cast<int>(rank_of.size());
      rank_of.push_back(rank);
    };
    for (const int position : in_b) enter(at(ranks_b, position));
    if (b->ranks == nullptr)
      for (int rank = 0; rank < size; ++rank)
        if (at(number, rank) < 0) enter(rank);
    Available available{{}, static_cast<int>(rank_of.size())};
    for (const int position : in_a) available.at_a.push_back(at(number, at(ranks_a, position)));

    const Relabelling best = relabel(traffic_of(form.axes, form.fold), available);
    for (std::size_t k = 0; k < in_b.size(); ++k) ranks[in_b[k]] = at(rank_of, best.map[k]);
    if (kept != nullptr) {
      kept[0] = best.retained;
      kept[1] = best.retained_row_major;
    }
  });
}
