// SPDX-License-Identifier: BSD-3-Clause
// Random communicators and plans.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "plan/batch.hpp"
#include "random/random_call.hpp"
#include "schedule/algorithm.hpp"

namespace xredist::testing {

/// Processes, and the links that they know.
struct Communicator {
  std::vector<int> nodes;  ///< by rank, numbered by first process; processes of one node share memory
  Index shared_bytes;
  double seconds_per_byte;

  int size() const { return static_cast<int>(nodes.size()); }
  bool neighbours(int rank, int other) const {
    return shared_bytes > 0 && rank != other && at(nodes, rank) == at(nodes, other);
  }
  Links links_of(int rank) const {
    Links links{.neighbours = {}, .shared_bytes = shared_bytes, .network = {seconds_per_byte}, .nodes = nodes};
    for (int other = 0; other < size(); ++other)
      if (neighbours(rank, other)) links.neighbours.push_back(other);
    return links;
  }
};

/// A call on a communicator, and the options with which it is planned.
struct Placed {
  Call call;
  std::vector<int> ranks_a, ranks_b;
  Options options;
  std::int16_t panels = 1;  ///< that the job asks for

  Plan plan_of(const Communicator& communicator, int rank) const {
    return plan_process(call.redistribution(), ranks_a, ranks_b, rank, options, communicator.links_of(rank));
  }
  int sender(Coord p) const { return at(ranks_a, p.row * call.a.cols.procs + p.col); }
  int receiver(Coord q) const { return at(ranks_b, q.row * call.b.cols.procs + q.col); }
};

/// Returns the schedule that a plan of the call follows, from the name of the algorithm in the plan.
inline Schedule schedule_of(const Placed& placed, const Communicator& communicator, std::string_view algorithm) {
  const Options& options = placed.options;
  const double beta =
      options.beta > 0 ? 1e-12 * static_cast<double>(options.beta) : std::max(1e-10, communicator.seconds_per_byte);
  const core::Network network{1e-9 * static_cast<double>(options.alpha), beta * static_cast<double>(placed.call.bytes)};
  return find_algorithm(algorithm)
      ->make(placed.call.redistribution().traffic, network, {placed.ranks_a, placed.ranks_b})
      .value();
}

/// Numbers nodes by their first processes.
inline void renumber(std::vector<int>& nodes) {
  std::map<int, int> numbers;
  for (int& node : nodes) node = numbers.try_emplace(node, static_cast<int>(numbers.size())).first->second;
}

/// Returns at least `least` processes, on one to four nodes, with a fast, a slow or an unknown network.
inline Communicator random_communicator(Random& random, int least) {
  const Index memories[] = {0, 64 << 10, 2 << 20};
  const double rates[] = {0, 1e-10, 6e-10, 7e-10, 8e-8};
  Communicator communicator{{}, memories[random.below(3)], rates[random.below(5)]};
  const int size = least + static_cast<int>(random.below(4));
  const Index nodes = 1 + random.below(4);
  for (int rank = 0; rank < size; ++rank) communicator.nodes.push_back(static_cast<int>(random.below(nodes)));
  renumber(communicator.nodes);
  return communicator;
}

inline Options random_options(Random& random, Index least_buffer) {
  const Index buffers[] = {least_buffer, 100'000, 1 << 20, 16 << 20};
  Options options;
  options.route = {RouteOption::Kind::direct};
  options.buffer = std::max(least_buffer, buffers[random.below(4)]);
  options.shared = random.below(4) > 0;
  options.permits = static_cast<Options::Permits>(random.below(3));
  options.algorithm = static_cast<AlgorithmId>(random.below(2) == 0 ? 0 : random.below(std::ssize(algorithms())));
  options.beta = random.below(2) * 1000;
  return options;
}

/// Returns whether plans use permits by default: networks of 600 Mbit/s and more need none.
inline bool asks_for_permits(const Options& options, double seconds_per_byte) {
  using enum Options::Permits;
  return options.permits == always || (options.permits == on_slow_networks && seconds_per_byte > 1 / 7.5e7);
}

/// Returns the transport of large packets between two ranks, in either direction.
inline Transport expected_transport(const Options& options, const Communicator& communicator, int from, int to) {
  if (options.shared && communicator.neighbours(from, to)) return Transport::shared;
  return asks_for_permits(options, communicator.seconds_per_byte) ? Transport::permit : Transport::message;
}

inline int processes_of(const Layout& layout) { return static_cast<int>(layout.rows.procs * layout.cols.procs); }

/// Places the two grids of a call on any processes: disjoint, overlapping, or equal in another order.
inline Placed random_placed(Random& random, const Call& call, int processes, const Options& options) {
  const auto ranks = [&](int count) {
    std::vector<int> all = random_ranks(random, processes);
    all.resize(as_size(count));
    return all;
  };
  const std::vector<int> ranks_a = ranks(processes_of(call.a));
  return {call, ranks_a, ranks(processes_of(call.b)), options};
}

/// Returns a number of panels: 1 in half of the cases, and 5 at most.
inline std::int16_t random_panels(Random& random) {
  return static_cast<std::int16_t>(random.below(2) == 0 ? 1 : 1 + random.below(5));
}

/// Returns one round of a batch as the executor has it.
inline Round round_of(const Batch& batch, Index round) {
  if (batch.jobs.size() == 1 && is_as_planned(batch)) return at(batch.jobs.front().plan->rounds, round);
  Round merged;
  merge_round(batch, round, merged);
  return merged;
}

inline std::string described(const Communicator& x) {
  return text("nodes ", ::testing::PrintToString(x.nodes), ", shared bytes ", x.shared_bytes, ", seconds per byte ",
              x.seconds_per_byte);
}

inline std::string described(const Placed& placed) {
  const Options& o = placed.options;
  return text(described(placed.call), "; ranks A ", ::testing::PrintToString(placed.ranks_a), ", B ",
              ::testing::PrintToString(placed.ranks_b), "; buffer ", o.buffer, ", shared ", o.shared, ", permits ",
              static_cast<int>(o.permits), ", algorithm ", static_cast<int>(o.algorithm), ", beta ", o.beta,
              ", panels ", placed.panels);
}

}  // namespace xredist::testing
