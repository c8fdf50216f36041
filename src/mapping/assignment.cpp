// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/assignment.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "schedule/matching.hpp"

namespace xredist::core {
namespace {

constexpr int nobody = -1;

// Positions at which no process keeps anything get the row-major grid's process if it is free, or else the next one.
void fill(Map& map, int count) {
  std::vector<bool> taken(static_cast<std::size_t>(count), false);
  const auto take = [&](int& place, std::size_t process) {
    place = static_cast<int>(process);
    taken[process] = true;
  };
  for (const int process : map)
    if (process != nobody) taken[static_cast<std::size_t>(process)] = true;
  for (std::size_t q = 0; q < map.size(); ++q)
    if (map[q] == nobody && !taken[q]) take(map[q], q);
  std::size_t next = 0;
  for (int& place : map) {
    if (place != nobody) continue;
    while (taken[next]) ++next;
    take(place, next);
  }
}

// ---- heaviest first

struct Neighbour {
  Index length;
  int p;
};

// For each q the processes p that share elements with it, the one with most elements first.
std::vector<std::vector<Neighbour>> neighbours(const Shared& axis) {
  std::vector<std::vector<Neighbour>> result(static_cast<std::size_t>(axis.q_count()));
  for (Index p = 0; p < axis.p_count(); ++p)
    for (const Partner& share : axis.of(p))
      if (auto& own = result[static_cast<std::size_t>(share.peer)]; share.length > 0)
        own.push_back({share.length, static_cast<int>(p)});
  for (auto& own : result) std::ranges::stable_sort(own, std::ranges::greater{}, &Neighbour::length);
  return result;
}

// What position q would keep with a process. More is better; of equal ones the row-major grid's process, then the
// first.
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

Map row_major(const Layout& b) {
  Map map(static_cast<std::size_t>(b.rows.procs * b.cols.procs));
  std::iota(map.begin(), map.end(), 0);
  return map;
}

double kept(const Volumes& volumes, const Available& available, const Map& map) {
  std::vector<Index> position(static_cast<std::size_t>(available.count), -1);
  for (std::size_t p = 0; p < available.at_a.size(); ++p)
    if (available.at_a[p] != nobody) position[static_cast<std::size_t>(available.at_a[p])] = static_cast<Index>(p);
  double sum = 0;
  for (std::size_t q = 0; q < map.size(); ++q)
    if (const Index p = position[static_cast<std::size_t>(map[q])]; p >= 0)
      sum += volumes.elements(p, static_cast<Index>(q));
  return sum;
}

double ceiling(const Volumes& volumes, const Available& available) {
  struct Longest {
    std::vector<double> of_p, of_q;

    explicit Longest(const Shared& axis)
        : of_p(static_cast<std::size_t>(axis.p_count()), 0), of_q(static_cast<std::size_t>(axis.q_count()), 0) {
      for (std::size_t p = 0; p < of_p.size(); ++p)
        for (const Partner& share : axis.of(static_cast<Index>(p)))
          for (double* longest : {&of_p[p], &of_q[static_cast<std::size_t>(share.peer)]})
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

Map best_map(Volumes volumes, const Available& available, bool& rounded) {
  const Index b_positions = volumes.b_positions();
  // Only these processes matter: those that hold elements, and those of the row-major grid.
  std::vector<int> node(static_cast<std::size_t>(available.count), nobody), process;
  const auto add = [&](int one) {
    if (int& its = node[static_cast<std::size_t>(one)]; its == nobody) {
      its = static_cast<int>(process.size());
      process.push_back(one);
    }
  };
  for (int k = 0; k < b_positions; ++k) add(k);
  for (const int one : available.at_a)
    if (one != nobody) add(one);

  // All tie-break bonuses together (one for each position as in the row-major grid) weigh less than one element.
  const auto larger = static_cast<Index>(process.size()), scale = b_positions + 1;
  rounded = !fit(volumes, 61 - 2 * static_cast<int>(std::bit_width(static_cast<std::uint64_t>(larger))));
  std::vector<Edge> edges;
  std::vector<Index> weights;
  const auto connect = [&](Index q, int one, Index weight) {
    edges.push_back({static_cast<int>(q), node[static_cast<std::size_t>(one)]});
    weights.push_back(weight);
  };
  // For processes that hold nothing. Of parallel edges the heaviest counts.
  for (Index q = 0; q < b_positions; ++q) connect(q, static_cast<int>(q), 1);
  for (Index p = 0; p < volumes.a_positions(); ++p) {
    const int one = available.at_a[static_cast<std::size_t>(p)];
    if (one == nobody) continue;
    for (const Partner& row : volumes.rows.of(p / volumes.cols.p_count()))
      for (const Partner& col : volumes.cols.of(p % volumes.cols.p_count())) {
        const Index q = row.peer * volumes.cols.q_count() + col.peer, volume = row.length * col.length;
        if (volume > 0) connect(q, one, volume * scale + (one == q ? 1 : 0));
      }
  }
  Map map(static_cast<std::size_t>(b_positions), nobody);
  for (const int e : heaviest_matching(edges, weights, static_cast<int>(b_positions), static_cast<int>(larger))) {
    const Edge edge = edges[static_cast<std::size_t>(e)];
    map[static_cast<std::size_t>(edge.left)] = process[static_cast<std::size_t>(edge.right)];
  }
  fill(map, available.count);
  return map;
}

// Every position proposes to the process with which it keeps the most; a process accepts the position that keeps more.
// The result is that of taking all volumes in descending order, without sorting them (Manne, Halappanavar 2014).
Map heaviest_first(const Volumes& volumes, const Available& available) {
  const auto rows = neighbours(volumes.rows), cols = neighbours(volumes.cols);
  const Index a_cols = volumes.cols.p_count(), b_cols = volumes.cols.q_count();
  std::vector<Offer> best_offer(available.at_a.size());
  for (Index start = 0; start < volumes.b_positions(); ++start) {
    for (auto asking = static_cast<int>(start); asking != nobody;) {
      Offer best{0, false, asking};
      std::size_t wanted = 0;
      const auto& along_cols = cols[static_cast<std::size_t>(asking % b_cols)];
      for (const Neighbour& row : rows[static_cast<std::size_t>(asking / b_cols)]) {
        if (along_cols.empty() || row.length * along_cols.front().length < best.volume) break;
        for (const Neighbour& col : along_cols) {
          const Index volume = row.length * col.length;
          if (volume < best.volume) break;
          const auto p = static_cast<std::size_t>(row.p * a_cols + col.p);
          const Offer offer{volume, available.at_a[p] == asking, asking};
          if (available.at_a[p] == nobody || !offer.beats(best_offer[p])) continue;
          if (volume == best.volume && (best.as_row_major || (!offer.as_row_major && wanted <= p))) continue;
          best = offer;
          wanted = p;
        }
      }
      if (best.volume == 0) break;
      asking = std::exchange(best_offer[wanted], best).q;
    }
  }
  Map map(static_cast<std::size_t>(volumes.b_positions()), nobody);
  for (std::size_t p = 0; p < best_offer.size(); ++p)
    if (best_offer[p].q != nobody) map[static_cast<std::size_t>(best_offer[p].q)] = available.at_a[p];
  fill(map, available.count);
  return map;
}

}  // namespace xredist::core
