// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/assignment.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "schedule/heaviest_matching.hpp"

namespace xredist::core {
namespace {

// The elements that position q would keep with a process. Offers of equal volume are compared by whether the process is
// the row-major grid's, then by position.
struct Offer {
  Index volume = 0;
  bool as_row_major = false;
  int q = nobody;

  bool beats(const Offer& other) const {
    if (volume != other.volume) return volume > other.volume;
    if (as_row_major != other.as_row_major) return as_row_major;
    return q < other.q;
  }
};

}  // namespace

Map filled(Map map, int count) {
  std::vector<bool> taken(as_size(count), false);
  const auto take = [&](int& position, std::size_t process) {
    position = static_cast<int>(process);
    taken[process] = true;
  };
  for (const int process : map)
    if (process != nobody) at(taken, process) = true;
  for (std::size_t q = 0; q < map.size(); ++q)
    if (map[q] == nobody && !taken[q]) take(map[q], q);
  std::size_t next = 0;
  for (int& position : map) {
    if (position != nobody) continue;
    while (taken[next]) ++next;
    take(position, next);
  }
  return map;
}

Map row_major(Index positions) {
  Map map(as_size(positions));
  std::iota(map.begin(), map.end(), 0);
  return map;
}

double retained_elements(const Volumes& volumes, const Available& available, const Map& map) {
  std::vector<Index> position(as_size(available.count), -1);
  for (std::size_t p = 0; p < available.at_a.size(); ++p)
    if (available.at_a[p] != nobody) at(position, available.at_a[p]) = static_cast<Index>(p);
  double sum = 0;
  for (std::size_t q = 0; q < map.size(); ++q)
    if (const Index p = at(position, map[q]); p >= 0) sum += volumes.elements(p, static_cast<Index>(q));
  return sum;
}

double max_retained(const Volumes& volumes, const Available& available) {
  struct Longest {
    std::vector<double> of_p, of_q;

    explicit Longest(const Shared& axis) : of_p(as_size(axis.p_count()), 0), of_q(as_size(axis.q_count()), 0) {
      for (std::size_t p = 0; p < of_p.size(); ++p)
        for (const Partner& share : axis.of(static_cast<Index>(p)))
          for (double* longest : {&of_p[p], &at(of_q, share.peer)})
            *longest = std::max(*longest, static_cast<double>(share.length));
    }
  };
  const Longest rows(volumes.rows), cols(volumes.cols);
  const auto sum = [](const std::vector<double>& x) { return std::accumulate(x.begin(), x.end(), 0.0); };
  double processes = 0;
  for (std::size_t p = 0; p < available.at_a.size(); ++p)
    if (available.at_a[p] != nobody) processes += rows.of_p[p / cols.of_p.size()] * cols.of_p[p % cols.of_p.size()];
  return std::min(processes, sum(rows.of_q) * sum(cols.of_q));
}

BestMap best_map(Volumes volumes, const Available& available) {
  const Index b_positions = volumes.b_positions();
  // The right nodes are the processes of the row-major grid and those that hold elements.
  std::vector<int> node_of(as_size(available.count), nobody), process_of;
  const auto add = [&](int process) {
    if (int& node = at(node_of, process); node == nobody) {
      node = static_cast<int>(process_of.size());
      process_of.push_back(process);
    }
  };
  for (int k = 0; k < b_positions; ++k) add(k);
  for (const int process : available.at_a)
    if (process != nobody) add(process);

  // All tie-break bonuses together (one for each position as in the row-major grid) weigh less than one element.
  const auto nodes = static_cast<Index>(process_of.size()), scale = b_positions + 1;
  const bool exact = fit(volumes, 61 - 2 * static_cast<int>(std::bit_width(static_cast<std::uint64_t>(nodes))));
  Weights weights{as_size(b_positions), as_size(nodes)};
  const auto connect = [&](Index q, int process, Index weight) {
    Index& heaviest = weights(as_size(q), as_size(at(node_of, process)));
    heaviest = std::max(heaviest, weight);
  };
  // Connect processes that hold nothing as well.
  for (Index q = 0; q < b_positions; ++q) connect(q, static_cast<int>(q), 1);
  for (Index p = 0; p < volumes.a_positions(); ++p) {
    const int process = at(available.at_a, p);
    if (process == nobody) continue;
    for (const Partner& row : volumes.rows.of(p / volumes.cols.p_count()))
      for (const Partner& col : volumes.cols.of(p % volumes.cols.p_count())) {
        const Index q = row.peer * volumes.cols.q_count() + col.peer, volume = row.length * col.length;
        if (volume > 0) connect(q, process, volume * scale + (process == q ? 1 : 0));
      }
  }
  Map map(as_size(b_positions), nobody);
  const std::vector<std::size_t> position_of = heaviest_matching(weights);
  for (std::size_t node = 0; node < process_of.size(); ++node)
    if (const std::size_t q = position_of[node]; q < map.size() && weights(q, node) > 0) map[q] = process_of[node];
  return {filled(std::move(map), available.count), !exact};
}

// Every position proposes to the process with which it keeps the most; a process accepts the position that keeps more.
// The result is the same as taking all volumes in descending order, without sorting them (Manne, Halappanavar 2014).
Map heaviest_first(const Volumes& volumes, const Available& available) {
  const Descending descending(volumes);
  std::vector<Offer> best_offer(available.at_a.size());
  for (Index start = 0; start < volumes.b_positions(); ++start) {
    for (auto asking = static_cast<int>(start); asking != nobody;) {
      Offer best{0, false, asking};
      std::size_t wanted = 0;
      descending.visit(asking, 1, [&](std::size_t p, Index volume) {
        const Offer offer{volume, available.at_a[p] == asking, asking};
        const bool better = volume > best.volume || (!best.as_row_major && (offer.as_row_major || wanted > p));
        if (available.at_a[p] != nobody && offer.beats(best_offer[p]) && better) {
          best = offer;
          wanted = p;
        }
        return std::max<Index>(best.volume, 1);
      });
      if (best.volume == 0) break;
      asking = std::exchange(best_offer[wanted], best).q;
    }
  }
  Map map(as_size(volumes.b_positions()), nobody);
  for (std::size_t p = 0; p < best_offer.size(); ++p)
    if (best_offer[p].q != nobody) at(map, best_offer[p].q) = available.at_a[p];
  return filled(std::move(map), available.count);
}

}  // namespace xredist::core
