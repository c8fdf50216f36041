// SPDX-License-Identifier: BSD-3-Clause
#include "grid.hpp"

#include <algorithm>
#include <numeric>

#include "ranks.hpp"

extern "C" {
void Cblacs_get(xredist_int ctxt, xredist_int what, xredist_int* value);
void Cblacs_gridmap(xredist_int* ctxt, xredist_int* usermap, xredist_int ldumap, xredist_int nprow, xredist_int npcol);
void Cblacs_gridinfo(xredist_int ctxt, xredist_int* nprow, xredist_int* npcol, xredist_int* myrow, xredist_int* mycol);
void Cblacs_gridexit(xredist_int ctxt);
}

namespace xredist::testing {

GridShape row_major(int nprow, int npcol, int first) {
  GridShape shape{nprow, npcol, std::vector<int>(static_cast<std::size_t>(nprow * npcol))};
  std::iota(shape.ranks.begin(), shape.ranks.end(), first);
  return shape;
}

GridShape column_major(int nprow, int npcol) {
  GridShape shape{nprow, npcol, {}};
  for (int row = 0; row < nprow; ++row)
    for (int col = 0; col < npcol; ++col) shape.ranks.push_back(col * nprow + row);
  return shape;
}

namespace {

xredist_int system_of_all() {
  xredist_int system;
  Cblacs_get(0, 0, &system);
  return system;
}

}  // namespace

Context::Context(const GridShape& shape) : Context(shape, system_of_all()) {}

Context::Context(const GridShape& shape, xredist_int system) : handle_(system) {
  std::vector<xredist_int> map;  // column-major, as BLACS wants it
  for (int col = 0; col < shape.npcol; ++col)
    for (int row = 0; row < shape.nprow; ++row)
      map.push_back(shape.ranks[static_cast<std::size_t>(row * shape.npcol + col)]);
  Cblacs_gridmap(&handle_, map.data(), shape.nprow, shape.nprow, shape.npcol);
  if (std::ranges::find(shape.ranks, rank()) == shape.ranks.end()) {
    handle_ = -1;
    return;
  }
  xredist_int nprow, npcol;
  Cblacs_gridinfo(handle_, &nprow, &npcol, &row_, &col_);
}

Context::~Context() {
  if (handle_ >= 0) Cblacs_gridexit(handle_);
}

}  // namespace xredist::testing
