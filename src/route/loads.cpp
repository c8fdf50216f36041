// SPDX-License-Identifier: BSD-3-Clause
// The loads of a process over a mesh: by arithmetic on both axes, or else by listing its legs.
#include <algorithm>
#include <utility>

#include "layout/index.hpp"
#include "route/mesh_route.hpp"

namespace xredist::core {
namespace {

// A digit of a coordinate. Numbers of processes have 32 bits, which are faster to divide.
struct Digit {
  int weight, count;

  int of(Index coordinate) const { return static_cast<int>(coordinate) / weight % count; }
};

// The digit of a position that a round replaces, as digits of the row and of the column in a grid.
struct GridDigits {
  Digit row, col;

  GridDigits(const Mesh& mesh, int round, Index grid_columns) : row{1, 1}, col{1, 1} {
    const int low = mesh.weight(round), high = low * mesh.radix(round), columns = static_cast<int>(grid_columns);
    col = {std::min(low, columns), std::min(high, columns) / std::min(low, columns)};
    row = {std::max(low, columns) / columns, std::max(high, columns) / std::max(low, columns)};
  }
};

// The senders and receivers along one axis of the messages that a process holds: senders in [from.begin, from.end),
// and receivers whose coordinate is `rest` modulo `modulus`.
struct Held {
  Interval from;
  int rest, modulus;

  bool has_receiver(Index q) const { return static_cast<int>(q) % modulus == rest; }
};

// Returns what the process with coordinate `a` in the grid of A and `b` in that of B holds where digits below
// `low_a` in senders' coordinates, and `low_b` in receivers', are replaced.
Held held(Index a, int low_a, Index senders, Index b, int low_b) {
  const Index begin = a - a % low_a;
  return {{std::min(begin, senders), std::min(begin + low_a, senders)}, static_cast<int>(b) % low_b, low_b};
}

// Returns the elements of the messages by a digit of their receivers, or of their senders.
std::vector<Index> lengths_by_digit(const Held& held, PartnerCache& sends, PartnerCache& receives, bool by_receiver,
                                    const Digit& digit) {
  std::vector<Index> lengths(as_size(digit.count), 0);
  const Index receivers = receives.size();
  if (held.from.length() * held.modulus <= receivers) {
    for (Index p = held.from.begin; p < held.from.end; ++p)
      for (const Partner& to : sends.of(p))
        if (held.has_receiver(to.peer)) at(lengths, digit.of(by_receiver ? to.peer : p)) += to.length;
  } else {
    for (Index q = held.rest; q < receivers; q += held.modulus)
      for (const Partner& from : receives.of(q))
        if (from.peer >= held.from.begin && from.peer < held.from.end)
          at(lengths, digit.of(by_receiver ? q : from.peer)) += from.length;
  }
  return lengths;
}

Load max_of(const Load& x, const Load& y) {
  return {std::max(x.messages, y.messages), std::max(x.elements, y.elements)};
}

// Returns the load of the products of all pairs of lengths but that of the process's own digits.
Load load_of_products(const std::vector<Index>& rows, const std::vector<Index>& cols, Index own_row, Index own_col) {
  Load load;
  for (Index row = 0; row < std::ssize(rows); ++row)
    for (Index col = 0; col < std::ssize(cols); ++col) {
      const Index elements = at(rows, row) * at(cols, col);
      if (elements == 0 || (row == own_row && col == own_col)) continue;
      load = {load.messages + 1, load.elements + elements};
    }
  return load;
}

// Returns the load of a list of legs, which have few peers. `peers` is work memory.
Load load_of_legs(const std::vector<Leg>& legs, std::vector<int>& peers) {
  Load load;
  peers.clear();
  for (const Leg& leg : legs) {
    load.elements += leg.elements();
    if (peers.empty() || peers.back() != leg.peer) peers.push_back(leg.peer);
  }
  std::ranges::sort(peers);
  load.messages = std::unique(peers.begin(), peers.end()) - peers.begin();
  return load;
}

}  // namespace

bool MeshRoute::loads_are_products() const {
  if (!messages_->in_order() || mesh_.is_short()) return false;
  for (const Index columns : {messages_->a().columns, messages_->b().columns})
    for (int round = 0; round < mesh_.rounds(); ++round)
      if (const Index high = Index{mesh_.weight(round)} * mesh_.radix(round);
          columns % high != 0 && high % columns != 0)
        return false;
  return true;
}

Load MeshRoute::load_by_products(int x, int round) const {
  const ProcessGrid &grid_a = messages_->a(), &grid_b = messages_->b();
  const Coord a = grid_a.at(x), b = grid_b.at(x);
  const GridDigits in_a(mesh_, round, grid_a.columns), in_b(mesh_, round, grid_b.columns);
  const auto load = [&](bool sending) {
    const GridDigits& own = sending ? in_b : in_a;
    const auto lengths = [&](bool of_rows) {
      const Digit &from = of_rows ? in_a.row : in_a.col, &to = of_rows ? in_b.row : in_b.col;
      PartnerCache &sends = of_rows ? messages_->rows(true) : messages_->cols(true),
                   &receives = of_rows ? messages_->rows(false) : messages_->cols(false);
      const Held here = held(of_rows ? a.row : a.col, from.weight * (sending ? 1 : from.count), sends.size(),
                             of_rows ? b.row : b.col, to.weight * (sending ? 1 : to.count));
      return lengths_by_digit(here, sends, receives, sending, of_rows ? own.row : own.col);
    };
    const Coord& at = sending ? b : a;
    return load_of_products(lengths(true), lengths(false), own.row.of(at.row), own.col.of(at.col));
  };
  return max_of(load(true), load(false));
}

std::vector<Load> MeshRoute::loads_of(int x) const {
  std::vector<Load> loads;
  if (loads_are_products()) {
    for (int round = 0; round < mesh_.rounds(); ++round) loads.push_back(load_by_products(x, round));
    return loads;
  }
  std::vector<int> peers;
  for (const Legs& legs : legs_of(x))
    loads.push_back(max_of(load_of_legs(legs.sends, peers), load_of_legs(legs.receives, peers)));
  return loads;
}

}  // namespace xredist::core
