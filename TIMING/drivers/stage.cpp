#include "stage.hpp"

#include <numeric>

namespace drivers {
namespace {

std::vector<int> first_ranks(Index count) {
  std::vector<int> ranks(static_cast<std::size_t>(count));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

}  // namespace

Stage::Stage(const Case& c, const Element& e)
    : element(e),
      grid_a(c.a.nprow, c.a.npcol, ranks_of(c.a)),
      grid_b(c.b.nprow, c.b.npcol, ranks_of(c.b)),
      a(local_part(c.a, grid_a, e.bytes)),
      b(local_part(c.b, grid_b, e.bytes)),
      context_(static_cast<int>(processes(c)), 1, first_ranks(processes(c))) {
  MPI_Comm_split(MPI_COMM_WORLD, context_.member() ? 0 : MPI_UNDEFINED, 0, &comm_);
  element.fill_a(c.a, a);
}

Stage::~Stage() {
  if (takes_part()) MPI_Comm_free(&comm_);
}

}  // namespace drivers
