// SPDX-License-Identifier: BSD-3-Clause
#include "cases/notation.hpp"

#include <cctype>

namespace cases {
namespace {

// "4x8", or "4" for 4x1.
Grid short_pair(std::istream& in) {
  const Index row = whole(in, 1, largest);
  return {row, takes(in, 'x') ? whole(in, 1, largest) : 1};
}

std::string pair_text(Index row, Index col, bool is_short) {
  std::string text = std::to_string(row);
  return is_short ? text : text.append("x").append(std::to_string(col));
}

std::string text_of(const Matrix& x) {
  const bool is_short = x.npcol == 1 && x.nb == 1;
  return pair_text(x.nprow, x.npcol, is_short).append("/").append(pair_text(x.mb, x.nb, is_short));
}

}  // namespace

Index whole(std::istream& in, Index least, Index most) {
  Index value = 0;
  if (std::isdigit(in.peek()) == 0 || !(in >> value) || value < least || value > most) in.setstate(std::ios::failbit);
  return value;
}

bool takes(std::istream& in, char letter) {
  if (!in.good() || in.peek() != letter) return false;
  in.ignore();
  return true;
}

std::istream& operator>>(std::istream& in, Matrix& x) {
  const Grid grid = short_pair(in);
  if (!takes(in, '/')) in.setstate(std::ios::failbit);
  const Grid blocks = short_pair(in);
  x.nprow = static_cast<int>(grid.row);
  x.npcol = static_cast<int>(grid.col);
  x.mb = blocks.row;
  x.nb = blocks.col;
  return in;
}

std::istream& operator>>(std::istream& in, Case& c) {
  in >> c.a;
  if (!takes(in, ':')) in.setstate(std::ios::failbit);
  return in >> c.b;
}

std::string text_of(const Case& c) { return text_of(c.a).append(":").append(text_of(c.b)); }

}  // namespace cases
