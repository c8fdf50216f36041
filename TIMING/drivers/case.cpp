#include "case.hpp"

#include <algorithm>

namespace drivers {
namespace {

xredist::Layout layout_of(const Matrix& x) {
  return {{x.mb, x.nprow, x.rsrc, x.i - 1}, {x.nb, x.npcol, x.csrc, x.j - 1}};
}

std::string by(int x, int y) { return std::to_string(x).append("x").append(std::to_string(y)); }

}  // namespace

Index processes(const Case& c) {
  const auto end = [](const Matrix& x) { return x.first + Index{x.nprow} * x.npcol; };
  return std::max(end(c.a), end(c.b));
}

xredist::Traffic traffic_of(const Case& c) {
  const xredist::Layout a = layout_of(c.a), b = layout_of(c.b);
  return {xredist::overlap(a.rows, b.rows, c.m), xredist::overlap(a.cols, b.cols, c.n)};
}

xredist::Region region_of(const Case& c) {
  return c.trapezoid ? xredist::trapezoid(c.uplo, c.diag, c.m, c.n) : xredist::Region{};
}

Index elements_of(const Case& c) {
  if (!c.trapezoid) return Index{c.m} * c.n;
  Index sum = 0;
  for (Index j = 0; j < c.n; ++j) {
    const xredist::Interval rows = rows_of(region_of(c), j, c.m);
    sum += rows.end - rows.begin;
  }
  return sum;
}

std::string part_text(const Case& c) { return c.trapezoid ? std::string{c.uplo, c.diag} : "GE"; }

std::string grid_text(const Matrix& x) {
  std::string text = by(x.nprow, x.npcol);
  if (x.first != 0) text.append("@").append(std::to_string(x.first));
  return text;
}

std::string block_text(const Matrix& x) { return by(x.mb, x.nb); }

}  // namespace drivers
