// SPDX-License-Identifier: BSD-3-Clause
// The functions of relabel.h.
#include <algorithm>
#include <numeric>

#include "api/arguments.hpp"
#include "api/codes.hpp"
#include "mapping/relabel.hpp"
#include "xredist/relabel.h"

using namespace xredist::core;

int xredist_relabel(MPI_Comm comm, int64_t m, int64_t n, const xredist_layout* a, int64_t ia, int64_t ja,
                    const xredist_layout* b, int64_t ib, int64_t jb, int ranks[], double kept[2]) {
  return coded([&] {
    if (!usable(comm)) return -1;
    int size = 0;
    MPI_Comm_size(comm, &size);
    const Submatrices matrices{a, ia, ja, b, ib, jb};
    Checked error = first_of({size_error(m, n), submatrix_error(matrices, m, n, false, size)});
    if (!error && ranks == nullptr) error = ArgumentError{{"ranks"}, {}};
    if (error) return code_of(error, {"comm", "m", "n", "a", "ia", "ja", "b", "ib", "jb", "ranks"});

    // The map may use the processes of b, in their order, or all of comm if b->ranks is NULL.
    std::vector<int> rank_of(static_cast<std::size_t>(size)), number(rank_of.size(), -1);
    if (b->ranks != nullptr)
      rank_of = ranks_of(*b);
    else
      std::iota(rank_of.begin(), rank_of.end(), 0);
    for (std::size_t k = 0; k < rank_of.size(); ++k) number[static_cast<std::size_t>(rank_of[k])] = static_cast<int>(k);
    Available available{ranks_of(*a), static_cast<int>(rank_of.size())};
    for (int& process : available.at_a) process = number[static_cast<std::size_t>(process)];

    const Relabelling best = relabel(layout_of(*a, ia, ja), layout_of(*b, ib, jb), m, n, available);
    std::ranges::transform(best.map, ranks, [&](int process) { return rank_of[static_cast<std::size_t>(process)]; });
    if (kept != nullptr) {
      kept[0] = best.retained;
      kept[1] = best.retained_row_major;
    }
    return 0;
  });
}
