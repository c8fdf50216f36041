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
  int next_weight() const { return weight * count; }
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

// One axis of both grids in one round of a process.
struct AxisOfRound {
  Index a, b;              // the process's coordinates in the grids of A and B
  Digit in_a, in_b;        // the digit that the round replaces, in such coordinates
  PartnerCache& sends;     // of the processes of A
  PartnerCache& receives;  // of the processes of B

  // Returns the elements of the messages that the process holds before the round, by the digit of their receivers.
  std::vector<Index> to_send() const {
    std::vector<Index> lengths(as_size(in_b.count), 0);
    visit_held(in_a.weight, in_b.weight, [&](Index, Index q, Index length) { at(lengths, in_b.of(q)) += length; });
    return lengths;
  }

  // Returns the elements of the messages that the process holds after the round, by the digit of their senders.
  std::vector<Index> received() const {
    std::vector<Index> lengths(as_size(in_a.count), 0);
    visit_held(in_a.next_weight(), in_b.next_weight(),
               [&](Index p, Index, Index length) { at(lengths, in_a.of(p)) += length; });
    return lengths;
  }

 private:
  // Calls visit(p, q, length) for the messages that the process holds when the digits below `low_a` of senders and
  // those below `low_b` of receivers have been replaced: the senders differ from the process in these digits only, the
  // receivers in the others only. Walks over the senders or the receivers, whichever are fewer.
  template <class Visit>
  void visit_held(int low_a, int low_b, const Visit& visit) const {
    const Index end = sends.size(), first = std::min(a - a % low_a, end), last = std::min(first + low_a, end);
    const int rest = static_cast<int>(b) % low_b;
    if ((last - first) * low_b <= receives.size()) {
      for (Index p = first; p < last; ++p)
        for (const Partner& to : sends.of(p))
          if (static_cast<int>(to.peer) % low_b == rest) visit(p, to.peer, to.length);
    } else {
      for (Index q = rest; q < receives.size(); q += low_b)
        for (const Partner& from : receives.of(q))
          if (from.peer >= first && from.peer < last) visit(from.peer, q, from.length);
    }
  }
};

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
  for (const Index columns : {messages_->senders.grid().columns, messages_->receivers.grid().columns})
    for (int round = 0; round < mesh_.rounds(); ++round)
      if (const Index high = Index{mesh_.weight(round)} * mesh_.radix(round);
          columns % high != 0 && high % columns != 0)
        return false;
  return true;
}

Load MeshRoute::load_by_products(int x, int round) const {
  MessageSide &senders = messages_->senders, &receivers = messages_->receivers;
  const Coord a = senders.grid().at(x), b = receivers.grid().at(x);
  const GridDigits in_a(mesh_, round, senders.grid().columns), in_b(mesh_, round, receivers.grid().columns);
  const AxisOfRound rows{a.row, b.row, in_a.row, in_b.row, senders.rows, receivers.rows};
  const AxisOfRound cols{a.col, b.col, in_a.col, in_b.col, senders.cols, receivers.cols};
  return max_of(load_of_products(rows.to_send(), cols.to_send(), in_b.row.of(b.row), in_b.col.of(b.col)),
                load_of_products(rows.received(), cols.received(), in_a.row.of(a.row), in_a.col.of(a.col)));
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
