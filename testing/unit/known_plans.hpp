// SPDX-License-Identifier: BSD-3-Clause
// A call that every process of a communicator has planned, and facts found by looking at each element.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

#include "random_batch.hpp"

namespace xredist::testing {

/// The plans of a call, and the facts with which they are compared.
struct Known {
  const Placed* placed;
  std::vector<Plan> plans{};                                       // by rank
  std::vector<std::vector<Index>> rows{}, cols{};                  // that each pair shares, [p * processes of B + q]
  std::map<std::pair<int, int>, std::vector<Message>> messages{};  // by sender and receiver, in the order of steps
  std::vector<int> times{};  // number of times that each element has moved, column-major
};

inline std::vector<std::vector<Index>> shared_by_pairs(const Axis& a, const Axis& b, Index n) {
  std::vector<std::vector<Index>> lists;
  for (Index p = 0; p < a.procs; ++p)
    for (Index q = 0; q < b.procs; ++q) lists.push_back(shared(a, b, n, p, q));
  return lists;
}

inline Known known_of(const Placed& placed, const Communicator& communicator) {
  const Call& call = placed.call;
  Known known{&placed};
  for (int rank = 0; rank < communicator.size(); ++rank) known.plans.push_back(placed.plan_of(communicator, rank));
  known.rows = shared_by_pairs(call.a.rows, call.b.rows, call.m);
  known.cols = shared_by_pairs(call.a.cols, call.b.cols, call.n);
  known.times.assign(static_cast<std::size_t>(call.m * call.n), 0);
  const auto& planned = known.plans[static_cast<std::size_t>(placed.ranks_a.front())];
  const Schedule schedule = schedule_of(placed, communicator, planned.algorithm);
  for (Coord p{0, 0}; p.row < call.a.rows.procs; ++p.row)
    for (p.col = 0; p.col < call.a.cols.procs; ++p.col)
      for (const Message& message : sends_of(call.redistribution().traffic, schedule, p))
        known.messages[{placed.sender(p), placed.receiver(message.peer)}].push_back(message);
  return known;
}

inline const std::vector<Index>& rows_of_pair(const Known& known, Coord p, Coord q) {
  return known.rows[static_cast<std::size_t>(p.row * known.placed->call.b.rows.procs + q.row)];
}
inline const std::vector<Index>& cols_of_pair(const Known& known, Coord p, Coord q) {
  return known.cols[static_cast<std::size_t>(p.col * known.placed->call.b.cols.procs + q.col)];
}

/// Returns the step in which a chunk travels from one rank to another, or -1 if no part of their message contains it.
inline Index step_of(const Known& known, int from, int to, const Chunk& chunk) {
  const Interval rows = places_of(chunk.rows, rows_of_pair(known, chunk.p, chunk.q));
  const Interval cols = places_of(chunk.cols, cols_of_pair(known, chunk.p, chunk.q));
  if (rows.begin == rows.end || cols.begin == cols.end) return -1;
  const auto within = [](const Interval& x, const Interval& y) { return x.begin >= y.begin && x.end <= y.end; };
  const auto found = known.messages.find({from, to});
  if (found == known.messages.end()) return -1;
  for (const Message& message : found->second)
    if (within(rows, message.rows) && within(cols, message.cols)) return message.step;
  return -1;
}

inline void count_elements(Known& known, const Chunk& chunk) {
  const Index m = known.placed->call.m;
  const auto& rows = rows_of_pair(known, chunk.p, chunk.q);
  const auto& cols = cols_of_pair(known, chunk.p, chunk.q);
  const Interval r = places_of(chunk.rows, rows), c = places_of(chunk.cols, cols);
  for (Index y = c.begin; y < c.end; ++y)
    for (Index x = r.begin; x < r.end; ++x) {
      const Index i = rows[static_cast<std::size_t>(x)], j = cols[static_cast<std::size_t>(y)];
      ++known.times[static_cast<std::size_t>(i + j * m)];
    }
}

/// Expects that each element of the region has travelled once, or not at all if it stays on its process.
inline void expect_each_once(const Known& known) {
  const Call& call = known.placed->call;
  for (Index j = 0; j < call.n; ++j)
    for (Index i = 0; i < call.m; ++i) {
      const auto at = [&](const Layout& l) {
        return Coord{holder(l.rows, l.rows.first + i), holder(l.cols, l.cols.first + j)};
      };
      const bool stays = known.placed->sender(at(call.a)) == known.placed->receiver(at(call.b));
      const int times = known.times[static_cast<std::size_t>(i + j * call.m)];
      ASSERT_TRUE(stays                      ? times == 0
                  : moves(call.region, i, j) ? times == 1
                                             : times <= 1)
          << "element " << i << ", " << j << " has moved " << times << " times";
    }
}

}  // namespace xredist::testing
