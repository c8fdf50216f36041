// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/stage.hpp"

#include "runs/timed.hpp"

namespace drivers {
namespace {

std::array<int, 9> descriptor(const Matrix& x, const Context& grid, const Local& local) {
  const auto narrow = [](Index value) { return static_cast<int>(value); };
  return {1, grid.handle(), narrow(x.M), narrow(x.N), narrow(x.mb), narrow(x.nb), x.rsrc, x.csrc, narrow(local.ld)};
}

}  // namespace

Stage::Stage(const Case& c, const Element& e)
    : element(e),
      grid_a(c.a.nprow, c.a.npcol, ranks_of(c.a)),
      grid_b(c.b.nprow, c.b.npcol, ranks_of(c.b)),
      a(local_part(c.a, runs::rank_in_world(), e.bytes)),
      b(local_part(c.b, runs::rank_in_world(), e.bytes)),
      desc_a(descriptor(c.a, grid_a, a)),
      desc_b(descriptor(c.b, grid_b, b)),
      context_(static_cast<int>(processes(c)), 1, ranks_of({.nprow = static_cast<int>(processes(c))})) {
  MPI_Comm_split(MPI_COMM_WORLD, context_.member() ? 0 : MPI_UNDEFINED, 0, &comm_);
  element.fill_a(c.a, a);
}

Stage::~Stage() {
  if (takes_part()) MPI_Comm_free(&comm_);
}

}  // namespace drivers
