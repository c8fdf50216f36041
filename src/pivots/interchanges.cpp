// SPDX-License-Identifier: BSD-3-Clause
#include "pivots/interchanges.hpp"

#include <bit>
#include <cstdint>
#include <numeric>
#include <utility>

namespace xredist::core {
namespace {

// The lines outside of those that are interchanged in turn: a hash table with open addressing, at most half full.
class OtherLines {
 public:
  explicit OtherLines(Index max_lines) : places_(std::bit_ceil(2 * as_size(max_lines) + 2), 0) {
    moves_.reserve(as_size(max_lines));
  }

  // Returns the line whose elements `line` has now. The reference stays valid.
  Index& content(Index line) {
    const std::size_t mask = places_.size() - 1;
    constexpr std::uint64_t golden_ratio = 0x9E37'79B9'7F4A'7C15;
    for (std::size_t place = static_cast<std::uint64_t>(line) * golden_ratio >> 32 & mask;;
         place = (place + 1) & mask) {
      std::uint32_t& number = places_[place];
      if (number == 0) {
        moves_.push_back({line, line});
        number = static_cast<std::uint32_t>(moves_.size());
        return moves_.back().from;
      }
      if (LineMove& move = moves_[number - 1]; move.to == line) return move.from;
    }
  }
  const std::vector<LineMove>& moves() const { return moves_; }

 private:
  std::vector<std::uint32_t> places_;  // number of a move from 1, or 0
  std::vector<LineMove> moves_{};
};

}  // namespace

std::vector<LineMove> composed(const Interchanges& interchanges) {
  const auto& [first, pivots, forward] = interchanges;
  const Index count = std::ssize(pivots);
  std::vector<Index> contents(pivots.size());
  std::iota(contents.begin(), contents.end(), first);
  OtherLines others(count);
  for (Index step = 0; step < count; ++step) {
    const Index k = forward ? step : count - 1 - step;
    const Index place = at(pivots, k) - first;
    std::swap(at(contents, k), 0 <= place && place < count ? at(contents, place) : others.content(at(pivots, k)));
  }
  std::vector<LineMove> moves;
  moves.reserve(contents.size() + others.moves().size());
  for (Index k = 0; k < count; ++k)
    if (at(contents, k) != first + k) moves.push_back({first + k, at(contents, k)});
  for (const LineMove& move : others.moves())
    if (move.to != move.from) moves.push_back(move);
  return moves;
}

}  // namespace xredist::core
