// SPDX-License-Identifier: BSD-3-Clause
// The functions of relabel.h.
#include <algorithm>
#include <numeric>

#include "api/arguments.hpp"
#include "api/failure.hpp"
#include "api/operation.hpp"
#include "exchange/communicator.hpp"
#include "mapping/relabel.hpp"
#include "watch/watched.hpp"
#include "xredist/relabel.h"

using namespace xredist::core;

int xredist_relabel(MPI_Comm comm, const xredist_layout* a, const xredist_layout* b, const xredist_operation* passed,
                    int ranks[], double kept[2]) {
  return coded([&] {
    const InCall call("xredist_relabel");
    demand(communicator_error(comm));
    const int size = size_of(comm);
    demand(null_error({"operation"}, passed));
    xredist_operation operation = with_defaults(*passed);
    operation.trans = 'N';
    demand(first_of({submatrix_error(a, b, operation, size), null_error({"ranks"}, ranks)}));

    // The map may use the processes of b, in their order, or all of comm if b->ranks is NULL.
    std::vector<int> rank_of(as_size(size)), number(rank_of.size(), -1);
    if (b->ranks != nullptr)
      rank_of = ranks_of(*b);
    else
      std::iota(rank_of.begin(), rank_of.end(), 0);
    for (std::size_t k = 0; k < rank_of.size(); ++k) number[as_size(rank_of[k])] = static_cast<int>(k);
    Available available{ranks_of(*a), static_cast<int>(rank_of.size())};
    for (int& process : available.at_a) process = at(number, process);

    const Relabelling best = relabel(layout_of(*a, operation.ia, operation.ja),
                                     layout_of(*b, operation.ib, operation.jb), operation.m, operation.n, available);
    std::ranges::transform(best.map, ranks, [&](int process) { return at(rank_of, process); });
    if (kept != nullptr) {
      kept[0] = best.retained;
      kept[1] = best.retained_row_major;
    }
  });
}
