// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/colouring.hpp"

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace xredist::core {
namespace {

// The free colours of every node as bits, and which edge has which of the others that paths may have, the first ones.
// Left nodes first. The edges are written down when the first path is walked: many graphs need none, and it is most
// of the memory, which takes longer than the colouring of a graph of few edges.
template <class Number>
class Palette {
 public:
  Palette(int nodes, int colours, int of_paths)
      : words_((static_cast<std::size_t>(colours) + 63) / 64),
        of_paths_(static_cast<std::size_t>(of_paths)),
        nodes_(static_cast<std::size_t>(nodes)),
        free_(nodes_ * words_, ~std::uint64_t{0}) {
    if (const int rest = colours % 64; rest != 0)
      for (std::size_t w = words_ - 1; w < free_.size(); w += words_) free_[w] = (std::uint64_t{1} << rest) - 1;
  }

  int edge(int node, int colour) const { return int{edge_[at(node, colour)]} - 1; }
  bool is_free(int node, int colour) const { return (free_[word(node, colour)] & bit(colour)) != 0; }
  void set(int node, int colour, int edge) {
    if (!edge_.empty() && static_cast<std::size_t>(colour) < of_paths_)
      edge_[at(node, colour)] = static_cast<Number>(edge + 1);
    std::uint64_t& bits = free_[word(node, colour)];
    bits = edge < 0 ? bits | bit(colour) : bits & ~bit(colour);
  }
  bool has_edges() const { return !edge_.empty(); }
  void make_edges() { edge_.resize(nodes_ * of_paths_); }

  // The lowest colour that is free at both nodes (one node: name it twice), or -1.
  int common(int node, int other) const {
    const std::uint64_t* x = &free_[static_cast<std::size_t>(node) * words_];
    const std::uint64_t* y = &free_[static_cast<std::size_t>(other) * words_];
    for (std::size_t w = 0; w < words_; ++w)
      if (const std::uint64_t both = x[w] & y[w]) return static_cast<int>(w * 64) + std::countr_zero(both);
    return -1;
  }

 private:
  static std::uint64_t bit(int colour) { return std::uint64_t{1} << (colour % 64); }
  std::size_t word(int node, int colour) const {
    return static_cast<std::size_t>(node) * words_ + static_cast<std::size_t>(colour) / 64;
  }
  std::size_t at(int node, int colour) const {
    return static_cast<std::size_t>(node) * of_paths_ + static_cast<std::size_t>(colour);
  }

  std::size_t words_, of_paths_, nodes_;
  std::vector<std::uint64_t> free_;
  std::vector<Number> edge_;  // counted from 1; 0 where there is none
};

template <class Number>
std::vector<int> coloured(const std::vector<Edge>& edges, int lefts, int rights, int colours, std::int64_t most_steps,
                          FirstColour first) {
  const bool more = most_steps < std::numeric_limits<std::int64_t>::max();
  Palette<Number> palette(lefts + rights, more ? 2 * colours : colours, colours);
  std::vector<int> colour(edges.size());
  std::vector<int> path;

  const auto ends = [&](int e) {
    const Edge& edge = edges[static_cast<std::size_t>(e)];
    return Edge{edge.left, lefts + edge.right};
  };
  const auto paint = [&](int e, int c, int value) {
    palette.set(ends(e).left, c, value);
    palette.set(ends(e).right, c, value);
  };

  for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
    const auto [u, v] = ends(e);
    const Edge& edge = edges[static_cast<std::size_t>(e)];
    const int guess = (edge.left + edge.right) % colours;
    const bool guessed = first == FirstColour::diagonal && palette.is_free(u, guess) && palette.is_free(v, guess);
    int chosen = guessed ? guess : palette.common(u, v);
    if (chosen < 0 || (chosen >= colours && most_steps > 0)) {
      // `one` is free at u, `two` at v. The path from v in colours one, two, one ... cannot reach
      // u: it would enter u, a left node, by `one`. Exchanging its colours frees `one` at v.
      const int one = palette.common(u, u);
      const int two = palette.common(v, v);
      assert(one >= 0 && two >= 0);
      if (!palette.has_edges()) {
        palette.make_edges();
        for (int f = 0; f < e; ++f) paint(f, colour[static_cast<std::size_t>(f)], f);
      }
      path.clear();
      for (int node = v, c = one, next; (next = palette.edge(node, c)) >= 0; c = one + two - c) {
        path.push_back(next);
        node = ends(next).left + ends(next).right - node;
      }
      most_steps -= std::ssize(path);
      for (int f : path) paint(f, colour[static_cast<std::size_t>(f)], -1);
      for (int f : path) {
        int& c = colour[static_cast<std::size_t>(f)];
        c = one + two - c;
        paint(f, c, f);
      }
      chosen = one;
    }
    colour[static_cast<std::size_t>(e)] = chosen;
    paint(e, chosen, e);
  }
  return colour;
}

}  // namespace

std::vector<int> colour_edges(const std::vector<Edge>& edges, int lefts, int rights, int colours,
                              std::int64_t most_steps, FirstColour first) {
  const bool few = edges.size() < std::numeric_limits<std::uint16_t>::max();
  return (few ? coloured<std::uint16_t> : coloured<int>)(edges, lefts, rights, colours, most_steps, first);
}

}  // namespace xredist::core
