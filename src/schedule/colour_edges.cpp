// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/colour_edges.hpp"

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>

namespace xredist::core {
namespace {

// The free colours of every node as bits, and the edge that has each of the first `of_paths` colours, which alternating
// paths follow. Left nodes come first. The edges are tabulated lazily, when the first path is followed: many graphs
// need no path, and the table is most of the memory, so that filling it takes longer than colouring a graph of few
// edges.
template <class Number>
class Palette {
 public:
  Palette(int nodes, int colours, int of_paths)
      : words_((as_size(colours) + 63) / 64),
        of_paths_(as_size(of_paths)),
        nodes_(as_size(nodes)),
        free_(nodes_ * words_, ~std::uint64_t{0}) {
    if (const int rest = colours % 64; rest != 0)
      for (std::size_t w = words_ - 1; w < free_.size(); w += words_) free_[w] = (std::uint64_t{1} << rest) - 1;
  }

  // Returns the edge of this colour at the node, or -1.
  int edge(int node, int colour) const { return int{edge_[entry(node, colour)]} - 1; }
  bool is_free(int node, int colour) const { return (free_[word(node, colour)] & bit(colour)) != 0; }
  // Gives the colour at the node to the edge, or frees the colour if `edge` is -1.
  void set(int node, int colour, int edge) {
    if (!edge_.empty() && as_size(colour) < of_paths_) edge_[entry(node, colour)] = static_cast<Number>(edge + 1);
    std::uint64_t& bits = free_[word(node, colour)];
    bits = edge < 0 ? bits | bit(colour) : bits & ~bit(colour);
  }
  bool has_edges() const { return !edge_.empty(); }
  void make_edges() { edge_.resize(nodes_ * of_paths_); }

  // Returns the lowest colour that is free at both nodes, or -1. The nodes may be equal.
  int common(int node, int other) const {
    const std::uint64_t* x = &free_[as_size(node) * words_];
    const std::uint64_t* y = &free_[as_size(other) * words_];
    for (std::size_t w = 0; w < words_; ++w)
      if (const std::uint64_t both = x[w] & y[w]) return static_cast<int>(w * 64) + std::countr_zero(both);
    return -1;
  }

 private:
  static std::uint64_t bit(int colour) { return std::uint64_t{1} << (colour % 64); }
  std::size_t word(int node, int colour) const { return as_size(node) * words_ + as_size(colour) / 64; }
  std::size_t entry(int node, int colour) const { return as_size(node) * of_paths_ + as_size(colour); }

  std::size_t words_, of_paths_, nodes_;
  std::vector<std::uint64_t> free_;
  std::vector<Number> edge_;  // counted from 1; 0 means none
};

template <class Number>
std::vector<int> colour(const std::vector<Edge>& edges, int lefts, int rights, int colours,
                        std::optional<Index> max_recoloured, FirstColour first) {
  Palette<Number> palette(lefts + rights, max_recoloured ? 2 * colours : colours, colours);
  Index recolourable = max_recoloured.value_or(std::numeric_limits<Index>::max());
  std::vector<int> colour_of(edges.size());
  std::vector<int> path;

  const auto ends = [&](int e) {
    const Edge& edge = at(edges, e);
    return Edge{edge.left, lefts + edge.right};
  };
  const auto paint = [&](int e, int c, int value) {
    palette.set(ends(e).left, c, value);
    palette.set(ends(e).right, c, value);
  };

  for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
    const auto [u, v] = ends(e);
    const Edge& edge = at(edges, e);
    const int guess = (edge.left + edge.right) % colours;
    const bool guessed = first == FirstColour::diagonal && palette.is_free(u, guess) && palette.is_free(v, guess);
    int chosen = guessed ? guess : palette.common(u, v);
    if (chosen < 0 || (chosen >= colours && recolourable > 0)) {
      // `one` is free at u, `two` at v. The path from v in colours one, two, one ... cannot reach u: it would enter u,
      // a left node, by `one`. Exchanging the colours of the path frees `one` at v.
      const int one = palette.common(u, u);
      const int two = palette.common(v, v);
      assert(one >= 0 && two >= 0);
      if (!palette.has_edges()) {
        palette.make_edges();
        for (int f = 0; f < e; ++f) paint(f, at(colour_of, f), f);
      }
      path.clear();
      for (int node = v, c = one, next; (next = palette.edge(node, c)) >= 0; c = one + two - c) {
        path.push_back(next);
        node = ends(next).left + ends(next).right - node;
      }
      recolourable -= std::ssize(path);
      for (int f : path) paint(f, at(colour_of, f), -1);
      for (int f : path) {
        int& c = at(colour_of, f);
        c = one + two - c;
        paint(f, c, f);
      }
      chosen = one;
    }
    at(colour_of, e) = chosen;
    paint(e, chosen, e);
  }
  return colour_of;
}

}  // namespace

std::vector<int> colour_edges(const std::vector<Edge>& edges, int lefts, int rights, int colours,
                              std::optional<Index> max_recoloured, FirstColour first) {
  const bool few = edges.size() < std::numeric_limits<std::uint16_t>::max();
  return (few ? colour<std::uint16_t> : colour<int>)(edges, lefts, rights, colours, max_recoloured, first);
}

}  // namespace xredist::core
