// SPDX-License-Identifier: BSD-3-Clause
#include "route/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "layout/grouped.hpp"
#include "layout/index.hpp"

namespace xredist::core {
namespace {

// Returns the processes of A, then those of B that are not among them.
std::vector<int> members_of(const ProcessGrid& a, const ProcessGrid& b) {
  std::vector<int> all(a.ranks.begin(), a.ranks.end());
  if (std::ranges::equal(a.ranks, b.ranks)) return all;
  std::vector<bool> known(static_cast<std::size_t>(std::max(std::ranges::max(a.ranks), std::ranges::max(b.ranks))) + 1);
  for (const int rank : a.ranks) known[static_cast<std::size_t>(rank)] = true;
  for (const int rank : b.ranks)
    if (!known[static_cast<std::size_t>(rank)]) all.push_back(rank);
  return all;
}

// Returns the number of processes on each node if it is the same for all of several nodes, and more than one; otherwise
// 0.
int count_on_each_node(const std::vector<int>& ranks, const Nodes& nodes) {
  if (nodes.max_processes() == 1) return 0;
  std::vector<int> count = count_each(nodes.count(), ranks, [&](int rank) { return nodes[rank]; });
  std::erase(count, 0);
  const bool equal = std::ranges::all_of(count, [&](int c) { return c == count.front(); });
  return equal && count.size() > 1 && count.front() > 1 ? count.front() : 0;
}

}  // namespace

Mesh::Mesh(int size, const std::vector<int>& radices) : size_(size), weights_{1} {
  for (const int radix : radices) weights_.push_back(weights_.back() * radix);
  weights_.push_back(static_cast<int>(ceil_div(size, weights_.back())) * weights_.back());
}

int Mesh::radix(int round) const { return at(weights_, round + 1) / weight(round); }

int Mesh::digit(int position, int round) const { return position % at(weights_, round + 1) / weight(round); }

int Mesh::with_digit(int x, int round, int value) const { return x + (value - digit(x, round)) * weight(round); }

// Returns the distance from the position that a message from p passes through down to the missing position that it
// replaces. Both differ in the most significant digit only. Which position replaces a missing one depends on the second
// most significant digit of p, so that several positions share the messages. Example: 11 positions with radices 2 and 2
// lack position 11. From 8 and 9 (that digit is 0), messages pass through 3 instead; from 10 (it is 1), through 7.
int Mesh::detour(int p) const {
  const int weight = at(weights_, this->rounds() - 1), full = size_ / weight;
  const int last = p % weight / at(weights_, this->rounds() - 2);
  return (full - last % full) * weight;
}

// A position can be missing only if the most significant digit of p has its last value. A message that makes a detour
// does not return to positions with this value before the last round, so each process has one peer for each value of
// the digit that a round replaces. Example: with 11 positions and radices 2 and 2, a message from 10 to 1 goes to 7,
// the replacement of 11, then to 5 rather than to 9, and then to 1.
int Mesh::position(int p, int q, int rounds) const {
  const int weight = at(weights_, rounds);
  const int position = p - p % weight + q % weight;
  if (rounds == this->rounds()) return q;
  if (!is_short() || p < size_ - size_ % at(weights_, this->rounds() - 1)) return position;
  for (int round = 1; round <= rounds; ++round)
    if (p - p % at(weights_, round) + q % at(weights_, round) >= size_) return position - detour(p);
  return position;
}

// Returns the positions that differ from x in digits from `low` on and below `high` alone.
Progression Mesh::with_any_digits(int x, int low, int high) const {
  const int stride = at(weights_, low), end = at(weights_, high), first = x - x % end + x % stride;
  return {first, stride, std::min(end / stride, (size_ - 1 - first) / stride + 1)};
}

// Senders differ from x in digits that are replaced before, receivers in those that are replaced later.
Mesh::Rectangle Mesh::without_detours(int x, int rounds) const {
  return {with_any_digits(x, 0, rounds), with_any_digits(x, rounds, this->rounds())};
}

std::vector<Mesh::Rectangle> Mesh::messages_at(int x, int rounds) const {
  const Rectangle most = without_detours(x, rounds);
  if (!is_short() || rounds == 0 || rounds == this->rounds()) return {most};
  const int top = at(weights_, this->rounds() - 1), last = size_ - size_ % top, begin = last + most.senders.first % top;
  if (x >= last || begin >= size_) return {most};
  return {most, {{begin, 1, std::min(at(weights_, rounds), size_ - begin)}, most.receivers}};
}

std::pair<Index, Index> Mesh::max_ends(int rounds) const {
  const auto [senders, receivers] = without_detours(0, rounds);
  Index from = senders.count;
  if (is_short() && rounds > 0 && rounds < this->rounds()) {
    const Index top = at(weights_, this->rounds() - 1), below = at(weights_, this->rounds() - 2), missed = size_ % top;
    const bool spread = rounds == this->rounds() - 1;  // over processes with other most significant digits
    from += std::min(from, spread ? ceil_div(missed, below * (size_ / top)) * below : missed);
  }
  return {from, receivers.count};
}

std::string text_of(const Mesh& mesh) {
  std::string text;
  for (int round = 0; round < mesh.rounds(); ++round)
    text.append(round > 0 ? "x" : "").append(std::to_string(mesh.radix(round)));
  return text;
}

std::vector<int> fitted(std::vector<int> radices, int size) {
  std::vector<int> result;
  Index product = 1;
  for (std::size_t k = 0;; ++k) {
    const int radix = radices[std::min(k, radices.size() - 1)];
    if (product * radix >= size) return result;
    product *= radix;
    result.push_back(radix);
  }
}

Members::Members(const ProcessGrid& a, const ProcessGrid& b, const Nodes& nodes)
    : ranks_(members_of(a, b)), on_each_node_(count_on_each_node(ranks_, nodes)) {
  if (on_each_node_ > 0) std::ranges::stable_sort(ranks_, {}, [&](int rank) { return nodes[rank]; });
  int position = 0;
  if (std::ranges::all_of(ranks_, [&](int rank) { return rank == position++; })) return;
  positions_.assign(static_cast<std::size_t>(*std::ranges::max_element(ranks_)) + 1, -1);
  for (position = 0; position < size(); ++position) positions_[static_cast<std::size_t>(rank_at(position))] = position;
}

// Returns the divisor next to the square root, or a number that leaves the mesh short if no divisor is near.
int columns_of_square(int size) {
  const int root = static_cast<int>(std::sqrt(size));
  for (int d = root; 2 * d >= root; --d)
    if (d > 1 && size % d == 0) return d;
  return root * root < size ? root + 1 : std::max(root, 1);
}

}  // namespace xredist::core
