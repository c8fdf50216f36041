// SPDX-License-Identifier: BSD-3-Clause
// by_augmenting_paths: the best map of large grids, by bids and by shortest augmenting paths.
#include <algorithm>
#include <bit>
#include <compare>
#include <functional>
#include <limits>
#include <utility>

#include "mapping/assignment.hpp"

namespace xredist::core {
namespace {

// A matching of positions of B's grid with positions of A's, and prices that prove it to be the best. A position that
// takes p pays the price of p; its profit is the rest of the volume. No position that takes part would profit more
// elsewhere, or by staying without a process; only a p that is taken has a price.
class Auction {
 public:
  Auction(const Volumes& volumes, const Available& available, Index budget)
      : volumes_(volumes),
        available_(available),
        budget_(budget),
        price_(available.at_a.size(), 0),
        distance_(available.at_a.size(), far),
        before_(available.at_a.size(), nobody),
        taker_(available.at_a.size(), nobody),
        profit_(as_size(volumes.b_positions()), 0),
        taken_(as_size(volumes.b_positions()), nobody),
        asked_at_(as_size(volumes.b_positions()), far) {}

  // Lets a position take the p with the greatest profit, at a price that leaves the profit of the second one. Returns
  // the position that had p before, or nobody. If both profits are equal and p is taken, the position takes nothing:
  // only a path can tell which p it gets.
  int bid(int q) {
    Index best = 0, second = 0;
    int wanted = nobody;
    look(q, 1, [&](int p, Index volume) {
      const Index profit = volume - at(price_, p);
      if (profit > best) {
        second = std::exchange(best, profit);
        wanted = p;
      } else if (profit > second) {
        second = profit;
      }
      if (profit == best && wanted != nobody && at(taker_, wanted) != nobody && at(taker_, p) == nobody) wanted = p;
      const bool settled = best == second && wanted != nobody && at(taker_, wanted) == nobody;
      return std::max<Index>(settled ? second + 1 : second, 1);
    });
    at(profit_, q) = second;
    if (wanted == nobody) return nobody;
    const int displaced = at(taker_, wanted);
    if (displaced != nobody && best == second) return nobody;
    if (displaced != nobody) at(taken_, displaced) = nobody;
    at(price_, wanted) += best - second;
    take(q, wanted);
    return displaced;
  }

  // Adds a position along the path that loses the least: to a p that is free, or to a position that gives up its p.
  void add(int q) {
    Index best = 0;
    look(q, 1, [&](int p, Index volume) {
      best = std::max(best, volume - at(price_, p));
      return best + 1;
    });
    at(profit_, q) = best;
    const Path path = search(q);
    for (const auto& [position, loss] : asked_) at(profit_, position) -= path.loss - loss;
    for (const int p : seen_) {
      if (at(distance_, p) < path.loss && at(taker_, p) != nobody) at(price_, p) += path.loss - at(distance_, p);
      at(distance_, p) = far;
    }
    if (path.loser != nobody) at(taken_, path.loser) = nobody;
    for (int p = path.end; p != nobody;) {
      const int taker = at(before_, p), next = taker == q ? nobody : at(taken_, taker);
      take(taker, p);
      p = next;
    }
  }

  bool has(int q) const { return at(taken_, q) != nobody; }
  bool out_of_budget() const { return budget_ < 0; }

  Map map() const {
    Map map;
    for (const int p : taken_) map.push_back(p == nobody ? nobody : at(available_.at_a, p));
    return filled(std::move(map), available_.count);
  }

 private:
  static constexpr Index far = std::numeric_limits<Index>::max();
  struct Asked {
    int q;
    Index loss;
  };
  struct Reached {
    Index loss;
    int p;
    std::pair<Index, int> key() const { return {loss, p}; }
  };
  // A path from a position to the last p. `loser`: the position that gives up the last p; nobody if that is free. A
  // position that stays without a process is the loser of a path without p.
  struct Path {
    Index loss = far;
    int end = nobody, loser = nobody;
  };

  void take(int q, int p) {
    at(taken_, q) = p;
    at(taker_, p) = q;
  }

  template <class Visit>
  void look(int q, Index least, Visit visit) {
    volumes_.visit(q, least, [&](std::size_t p, Index volume) {
      --budget_;
      if (available_.at_a[p] != nobody) least = visit(static_cast<int>(p), volume);
      return least;
    });
  }

  // Finds the paths from a position in ascending order of their losses (Dijkstra 1959). Returns the one that loses the
  // least.
  Path search(int start) {
    for (const Asked& x : asked_) at(asked_at_, volumes_.kind(x.q)) = far;
    asked_.clear();
    seen_.clear();
    heap_.clear();
    Path best;
    for (Asked next{start, 0};;) {
      asked_.push_back(next);
      const auto [q, loss] = next;
      const Index rest = loss + at(profit_, q);
      if (rest < best.loss) best = {rest, at(taken_, q), q};
      // A position of a kind that has been asked reaches nothing new.
      if (Index& asked_at = at(asked_at_, volumes_.kind(q)); rest < asked_at) {
        asked_at = rest;
        ask(q, rest, best);
      }
      while (!heap_.empty() && heap_.front().loss > at(distance_, heap_.front().p)) drop_first();
      if (heap_.empty() || heap_.front().loss >= best.loss) return best;
      next = {at(taker_, heap_.front().p), heap_.front().loss};
      drop_first();
    }
  }

  // Follows the steps from q to all p, at a loss of `rest` less the profit that p would give. Sets `best` to a path
  // that loses less.
  void ask(int q, Index rest, Path& best) {
    const auto least = [&] { return std::max<Index>(rest - best.loss + 1, 1); };
    look(q, least(), [&](int p, Index volume) {
      const Index loss = rest + at(price_, p) - volume;
      if (loss >= best.loss || loss >= at(distance_, p)) return least();
      if (at(distance_, p) == far) seen_.push_back(p);
      at(distance_, p) = loss;
      at(before_, p) = q;
      if (at(taker_, p) == nobody) {
        best = {loss, p, nobody};
      } else {
        heap_.push_back({loss, p});
        std::ranges::push_heap(heap_, std::ranges::greater{}, &Reached::key);
      }
      return least();
    });
  }

  void drop_first() {
    std::ranges::pop_heap(heap_, std::ranges::greater{}, &Reached::key);
    heap_.pop_back();
  }

  const Descending volumes_;
  const Available& available_;
  Index budget_;
  std::vector<Index> price_, distance_;  // of p; the distance is the loss of the best path to p, `far` between searches
  std::vector<int> before_, taker_;      // of p: the position before p on that path; the position that has taken p
  std::vector<Index> profit_;            // of q
  std::vector<int> taken_;               // of q
  std::vector<Index> asked_at_;          // of a kind of positions: the least loss at which one was asked
  std::vector<Asked> asked_;             // by the last search
  std::vector<int> seen_;                // each p that the last search has reached
  std::vector<Reached> heap_;
};

}  // namespace

AugmentedMap by_augmenting_paths(Volumes volumes, const Available& available, Index budget) {
  const auto positions = static_cast<int>(volumes.b_positions());
  const bool exact = fit(volumes, 61 - static_cast<int>(std::bit_width(static_cast<unsigned>(positions))));
  Auction auction(volumes, available, budget);
  // Bids settle most positions. A position that is displaced bids next, at most so many in a row: prices may rise in
  // small steps. Example: three positions share 1000 to 1002 elements with either of two processes, so the price of a
  // process rises by 1 with each bid. Without this limit, the search looks at 4014 volumes instead of 20.
  constexpr int most_bids = 4;
  for (int start = 0; start < positions; ++start) {
    int q = start;
    for (int bids = 0; q != nobody && bids < most_bids && !auction.out_of_budget(); ++bids) q = auction.bid(q);
  }
  for (int q = 0; q < positions && !auction.out_of_budget(); ++q)
    if (!auction.has(q)) auction.add(q);
  return {auction.map(), exact && !auction.out_of_budget()};
}

}  // namespace xredist::core
