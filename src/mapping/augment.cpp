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
class Market {
 public:
  Market(const Volumes& volumes, const Available& available, Index looks)
      : volumes_(volumes),
        available_(available),
        looks_(looks),
        price_(available.at_a.size(), 0),
        distance_(available.at_a.size(), far),
        before_(available.at_a.size(), nobody),
        taker_(available.at_a.size(), nobody),
        profit_(as_size(volumes.b_positions()), 0),
        taken_(as_size(volumes.b_positions()), nobody),
        asked_at_(as_size(volumes.b_positions()), far) {}

  // Lets a position take the p with the greatest profit, at a price that leaves the profit of the second one. Returns
  // the position that had p before, or the position itself if both profits are equal and p is taken: then only a path
  // can tell. Returns nobody if that is all.
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
    if (displaced != nobody && best == second) return q;
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
    search(q);
    for (const auto& [position, loss] : asked_) at(profit_, position) -= least_loss_ - loss;
    for (const int p : seen_) {
      if (at(distance_, p) < least_loss_ && at(taker_, p) != nobody) at(price_, p) += least_loss_ - at(distance_, p);
      at(distance_, p) = far;
    }
    if (loser_ != nobody) end_ = std::exchange(at(taken_, loser_), nobody);
    for (int p = end_; p != nobody;) {
      const int taker = at(before_, p), next = taker == q ? nobody : at(taken_, taker);
      take(taker, p);
      p = next;
    }
  }

  bool has(int q) const { return at(taken_, q) != nobody; }
  bool tired() const { return looks_ < 0; }

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

  void take(int q, int p) {
    at(taken_, q) = p;
    at(taker_, p) = q;
  }

  template <class Visit>
  void look(int q, Index least, Visit visit) {
    volumes_.visit(q, least, [&](std::size_t p, Index volume) {
      --looks_;
      if (available_.at_a[p] != nobody) least = visit(static_cast<int>(p), volume);
      return least;
    });
  }

  // Finds the paths from q in ascending order of their losses (Dijkstra 1959), up to the least loss.
  void search(int start) {
    for (const Asked& x : asked_) at(asked_at_, volumes_.kind(x.q)) = far;
    asked_.clear();
    seen_.clear();
    heap_.clear();
    least_loss_ = far;
    loser_ = end_ = nobody;
    for (Asked next{start, 0};;) {
      asked_.push_back(next);
      const auto [q, loss] = next;
      const Index rest = loss + at(profit_, q);
      if (rest < least_loss_) {
        least_loss_ = rest;
        loser_ = q;
        end_ = nobody;
      }
      // A position of a kind that has been asked reaches nothing new.
      if (Index& asked_at = at(asked_at_, volumes_.kind(q)); rest < asked_at) {
        asked_at = rest;
        ask(q, rest);
      }
      while (!heap_.empty() && heap_.front().loss > at(distance_, heap_.front().p)) drop_first();
      if (heap_.empty() || heap_.front().loss >= least_loss_) return;
      next = {at(taker_, heap_.front().p), heap_.front().loss};
      drop_first();
    }
  }

  // Follows the steps from q to all p, at a loss of `rest` less the profit that p would give.
  void ask(int q, Index rest) {
    const auto least = [&] { return std::max<Index>(rest - least_loss_ + 1, 1); };
    look(q, least(), [&](int p, Index volume) {
      const Index loss = rest + at(price_, p) - volume;
      if (loss >= least_loss_ || loss >= at(distance_, p)) return least();
      if (at(distance_, p) == far) seen_.push_back(p);
      at(distance_, p) = loss;
      at(before_, p) = q;
      if (at(taker_, p) == nobody) {
        least_loss_ = loss;
        end_ = p;
        loser_ = nobody;
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
  Index looks_;
  std::vector<Index> price_, distance_;  // of p; the distance is the loss of the best path to p, `far` between searches
  std::vector<int> before_, taker_;      // of p: the position before p on that path; the position that has taken p
  std::vector<Index> profit_;            // of q
  std::vector<int> taken_;               // of q
  std::vector<Index> asked_at_;          // of a kind of positions: the least loss at which one was asked
  std::vector<Asked> asked_;             // by the last search, as are seen_ and the ends below
  std::vector<int> seen_;
  std::vector<Reached> heap_;
  Index least_loss_ = 0;
  int loser_ = nobody, end_ = nobody;  // the end of the path with the least loss: a position, or a free p
};

}  // namespace

AugmentedMap by_augmenting_paths(Volumes volumes, const Available& available, Index looks) {
  const auto positions = static_cast<int>(volumes.b_positions());
  const bool exact = fit(volumes, 61 - static_cast<int>(std::bit_width(static_cast<unsigned>(positions))));
  Market market(volumes, available, looks);
  // Bids settle most positions. They end although prices may rise in small steps: a position bids at most four times.
  constexpr int most_bids = 4;
  for (int start = 0; start < positions; ++start) {
    int bids = 0;
    for (int q = start; q != nobody && bids < most_bids && !market.tired(); ++bids) {
      const int displaced = market.bid(q);
      q = displaced == q ? nobody : displaced;
    }
  }
  for (int q = 0; q < positions && !market.tired(); ++q)
    if (!market.has(q)) market.add(q);
  return {market.map(), exact && !market.tired()};
}

}  // namespace xredist::core
