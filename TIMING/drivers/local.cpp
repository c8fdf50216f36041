#include "local.hpp"

#include <algorithm>

namespace drivers {
namespace {

// Of `length` rows in blocks, those that process `me` holds, counted from `first`.
std::vector<Index> held(int length, int block, int procs, int source, int me, int first) {
  std::vector<Index> places;
  for (Index begin = 0, owner = source; begin < length; begin += block, owner = (owner + 1) % procs) {
    if (owner != me) continue;
    for (Index k = begin; k < std::min<Index>(begin + block, length); ++k) places.push_back(k - first);
  }
  return places;
}

}  // namespace

Local local_part(const Matrix& x, const Context& grid, int bytes) {
  Local local{};
  local.desc = {1, -1, x.M, x.N, x.mb, x.nb, x.rsrc, x.csrc, 1};
  if (!grid.member()) return local;
  local.rows = held(x.M, x.mb, x.nprow, x.rsrc, grid.row(), x.i - 1);
  local.cols = held(x.N, x.nb, x.npcol, x.csrc, grid.col(), x.j - 1);
  local.ld = std::max<Index>(1, static_cast<Index>(local.rows.size()));
  local.desc[1] = grid.handle();
  local.desc[8] = static_cast<int>(local.ld);
  local.data = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(local.elements() * bytes));
  return local;
}

}  // namespace drivers
