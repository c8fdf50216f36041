// SPDX-License-Identifier: BSD-3-Clause
// Matrices that move between layouts of the C interface, with elements that follow from their indices.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "owners.hpp"
#include "plans.hpp"
#include "ranks.hpp"

namespace xredist::testing {

/// A partition of 8 elements for each process, in two intervals of 4. A process stores its later interval first.
struct LaterHalfFirst {
  std::vector<std::int64_t> bounds{0}, places{};
  std::vector<int> owners{};

  explicit LaterHalfFirst(int processes) {
    for (int k = 0; k < 2 * processes; ++k) {
      bounds.push_back(bounds.back() + 4);
      owners.push_back(k % processes);
      places.push_back(k < processes ? 4 : 0);
    }
  }
  /// Refers to this object.
  xredist_partition get() const { return {std::ssize(owners), bounds.data(), owners.data(), places.data()}; }
};

/// The part of an m x n matrix that a process holds.
struct Part {
  std::vector<std::int64_t> rows, cols;  ///< indices, from 0, of the local rows and columns in the matrix; -1: a gap
  std::int64_t ld;
  std::vector<double> data;

  /// `me`: rank in the communicator of the layout. `spare`: rows of the array below the matrix.
  Part(const xredist_layout& x, std::int64_t m, std::int64_t n, int me = rank(), std::int64_t spare = 0) {
    for (int place = 0; place < x.nprow * x.npcol; ++place) {
      if ((x.ranks != nullptr ? x.ranks[place] : place) != me) continue;
      rows = held(x.rows, {x.mb, x.rsrc, x.nprow}, place / x.npcol, m);
      cols = held(x.cols, {x.nb, x.csrc, x.npcol}, place % x.npcol, n);
    }
    ld = std::max<std::int64_t>(1, std::ssize(rows) + spare);
    data.assign(static_cast<std::size_t>(ld) * cols.size(), -1.0);
  }

  /// Calls visit(element, i, j) for the elements of this process, column by column.
  template <class Visit>
  void each(Visit visit) {
    for (std::size_t c = 0; c < cols.size(); ++c)
      for (std::size_t r = 0; r < rows.size(); ++r)
        if (rows[r] >= 0 && cols[c] >= 0) visit(data[r + c * static_cast<std::size_t>(ld)], rows[r], cols[c]);
  }

 private:
  struct Blocks {
    std::int64_t block, source, procs;
  };
  static std::vector<std::int64_t> held(const xredist_partition* x, const Blocks& blocks, int process, std::int64_t n) {
    std::vector<std::int64_t> elements, cuts, places;
    std::vector<int> owners;
    if (x != nullptr) cuts.assign(x->bounds, x->bounds + x->count + 1), owners.assign(x->owners, x->owners + x->count);
    if (x != nullptr && x->places != nullptr) places.assign(x->places, x->places + x->count);
    for (std::int64_t k = 0; k < n; ++k) {
      const std::int64_t owner = x != nullptr ? owner_in_intervals(k, cuts, owners)
                                              : owner_in_blocks(k, blocks.block, blocks.source, blocks.procs);
      if (owner != process) continue;
      const auto place =
          places.empty() ? elements.size() : static_cast<std::size_t>(place_in_intervals(k, cuts, places));
      elements.resize(std::max(elements.size(), place + 1), -1);
      elements[place] = k;
    }
    return elements;
  }
};

inline int rank_in(MPI_Comm comm) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

/// A matrix on its way, and its plan. Element (i, j) of A is first + i + m j, and elements of B are -1 before the move.
struct Move {
  std::int64_t m;
  double first;
  Part a, b;
  xredist_plan* plan = nullptr;
  int code;  ///< of xredist_plan_create
  xredist_request* request = nullptr;

  Move(MPI_Comm comm, const xredist_layout& from, const xredist_layout& to, std::int64_t rows, std::int64_t cols,
       double first_element = 1)
      : m(rows), first(first_element), a(from, rows, cols, rank_in(comm)), b(to, rows, cols, rank_in(comm)) {
    a.each([&](double& x, std::int64_t i, std::int64_t j) { x = element(i, j); });
    code = create_plan(comm, from, to, {.m = rows, .n = cols, .bytes = 8}, &plan);
  }
  Move(const Move&) = delete;
  Move& operator=(const Move&) = delete;
  ~Move() { xredist_plan_destroy(plan); }

  double element(std::int64_t i, std::int64_t j) const { return first + static_cast<double>(i + m * j); }
  xredist_job job() { return {.plan = plan, .a = a.data.data(), .lda = a.ld, .b = b.data.data(), .ldb = b.ld}; }
  int start() { return start_job(job(), &request); }
  int wait() { return xredist_wait(&request); }

  /// Counts the wrong elements of B on this process, and sets all to -1 again.
  long wrong() {
    long count = 0;
    b.each([&](double& x, std::int64_t i, std::int64_t j) { count += x != element(i, j), x = -1; });
    return count;
  }
};

}  // namespace xredist::testing
