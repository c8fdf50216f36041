// SPDX-License-Identifier: BSD-3-Clause
// How cases are written on a command line: "4x8", "1,1", "2x4/64x64:16/3". CLI11 reads options of these types, and
// names the option if that fails.
#pragma once

#include <istream>
#include <limits>
#include <sstream>
#include <string>

#include "cases/case.hpp"

namespace cases {

constexpr Index largest = std::numeric_limits<int>::max();  // of grids and blocks, as in ScaLAPACK
constexpr Index max_elements = Index{1} << 60;

/// Reads a whole number; `in` fails unless it is in [least, most].
Index whole(std::istream& in, Index least, Index most);

/// Takes the letter, if it comes next.
bool takes(std::istream& in, char letter);

/// Two numbers joined by a letter, both within bounds.
template <char joint, Index least, Index most>
struct Pair {
  Index row = least, col = least;

  friend std::istream& operator>>(std::istream& in, Pair& x) {
    x.row = whole(in, least, most);
    if (!takes(in, joint)) in.setstate(std::ios::failbit);
    x.col = whole(in, least, most);
    return in;
  }
};
using Grid = Pair<'x', 1, largest>;
using Size = Pair<'x', 1, max_elements>;
using Place = Pair<',', 1, max_elements>;
using Source = Pair<',', 0, largest>;

/// Grid and blocks, "2x4/64x64"; "16/3" is short for 16x1/3x1.
std::istream& operator>>(std::istream& in, Matrix& x);

/// A's and B's, "16/3:16/5", of no size yet.
std::istream& operator>>(std::istream& in, Case& c);

/// CLI11 calls these functions. Without them it would accept a single number for a type that can be made from one.
template <class Value>
bool reads(const std::string& text, Value& x) {
  std::istringstream in(text);
  return (in >> x) && in.peek() == std::istream::traits_type::eof();
}
template <char joint, Index least, Index most>
bool lexical_cast(const std::string& text, Pair<joint, least, most>& x) {
  return reads(text, x);
}
inline bool lexical_cast(const std::string& text, Case& x) { return reads(text, x); }

/// The text that is read as this case, in the short form if that is possible.
std::string text_of(const Case& c);

}  // namespace cases
