// SPDX-License-Identifier: BSD-3-Clause
#include "cases/local.hpp"

#include <algorithm>

namespace cases {
namespace {

// The rows that process `me` holds, of `length` rows in blocks; their indices are counted from `first`.
std::vector<Index> held(Index length, Index block, Index procs, Index source, Index me, Index first) {
  std::vector<Index> places;
  for (Index begin = (me - source + procs) % procs * block; begin < length; begin += procs * block)
    for (Index k = begin; k < std::min(begin + block, length); ++k) places.push_back(k - first);
  return places;
}

// The same of intervals.
std::vector<Index> held(const Intervals& intervals, Index me, Index first) {
  std::vector<Index> places;
  for (std::size_t i = 0; i < intervals.owners.size(); ++i)
    if (intervals.owners[i] == me)
      for (Index k = intervals.cuts[i]; k < intervals.cuts[i + 1]; ++k) places.push_back(k - first);
  return places;
}

}  // namespace

Local local_part(const Matrix& x, int rank, int bytes) {
  Local local{};
  const auto place = place_of(x, rank);
  if (!place) return local;
  local.rows = x.rows ? held(*x.rows, place->row, x.i - 1) : held(x.M, x.mb, x.nprow, x.rsrc, place->row, x.i - 1);
  local.cols = x.cols ? held(*x.cols, place->col, x.j - 1) : held(x.N, x.nb, x.npcol, x.csrc, place->col, x.j - 1);
  local.ld = std::max<Index>(1, static_cast<Index>(local.rows.size()));
  local.data = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(local.elements() * bytes));
  return local;
}

}  // namespace cases
