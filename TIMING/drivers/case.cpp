#include "case.hpp"

#include <algorithm>

#include "xredist/relabel.h"
#include "xredist/xredist.hpp"

namespace drivers {
namespace {

xredist::core::Layout layout_of(const Matrix& x) {
  return {{x.mb, x.nprow, x.rsrc, x.i - 1}, {x.nb, x.npcol, x.csrc, x.j - 1}};
}

std::string by(int x, int y) { return std::to_string(x).append("x").append(std::to_string(y)); }

}  // namespace

std::vector<int> ranks_of(const Matrix& x) {
  std::vector<int> ranks;
  for (int row = 0; row < x.nprow; ++row)
    for (int col = 0; col < x.npcol; ++col) ranks.push_back(x.rank_at(row, col));
  return ranks;
}

Case relabelled(const Case& c, double kept[2]) {
  const std::vector<int> ranks_a = ranks_of(c.a), ranks_b = ranks_of(c.b);
  const xredist_layout a{c.a.nprow, c.a.npcol, ranks_a.data(), c.a.mb, c.a.nb, c.a.rsrc, c.a.csrc};
  const xredist_layout b{c.b.nprow, c.b.npcol, ranks_b.data(), c.b.mb, c.b.nb, c.b.rsrc, c.b.csrc};
  Case result = c;
  result.b.ranks = ranks_b;
  xredist::check(
      xredist_relabel(MPI_COMM_WORLD, c.m, c.n, &a, c.a.i, c.a.j, &b, c.b.i, c.b.j, result.b.ranks.data(), kept),
      "xredist_relabel");
  return result;
}

Index processes(const Case& c) {
  const auto end = [](const Matrix& x) { return x.first + Index{x.nprow} * x.npcol; };
  return std::max(end(c.a), end(c.b));
}

xredist::core::Traffic traffic_of(const Case& c) {
  const xredist::core::Layout a = layout_of(c.a), b = layout_of(c.b);
  return {xredist::core::overlap(a.rows, b.rows, c.m), xredist::core::overlap(a.cols, b.cols, c.n)};
}

xredist::core::Region region_of(const Case& c) {
  return c.trapezoid ? xredist::core::trapezoid(c.uplo, c.diag, c.m, c.n) : xredist::core::Region{};
}

Index elements_of(const Case& c) {
  if (!c.trapezoid) return Index{c.m} * c.n;
  Index sum = 0;
  for (Index j = 0; j < c.n; ++j) {
    const xredist::core::Interval rows = rows_of(region_of(c), j, c.m);
    sum += rows.end - rows.begin;
  }
  return sum;
}

std::string part_text(const Case& c) { return c.trapezoid ? std::string{c.uplo, c.diag} : "GE"; }

std::string grid_text(const Matrix& x) {
  std::string text = by(x.nprow, x.npcol);
  if (!x.ranks.empty()) text.append("*");
  if (x.first != 0) text.append("@").append(std::to_string(x.first));
  return text;
}

std::string block_text(const Matrix& x) { return by(x.mb, x.nb); }

}  // namespace drivers
