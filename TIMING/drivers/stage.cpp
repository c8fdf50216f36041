#include "stage.hpp"

namespace drivers {

Stage::Stage(const Case& c, const Element& e)
    : element(e),
      grid_a(c.a.nprow, c.a.npcol, c.a.first),
      grid_b(c.b.nprow, c.b.npcol, c.b.first),
      a(local_part(c.a, grid_a, e.bytes)),
      b(local_part(c.b, grid_b, e.bytes)),
      context_(static_cast<int>(processes(c)), 1) {
  MPI_Comm_split(MPI_COMM_WORLD, context_.member() ? 0 : MPI_UNDEFINED, 0, &comm_);
  element.fill_a(c.a, a);
}

Stage::~Stage() {
  if (takes_part()) MPI_Comm_free(&comm_);
}

}  // namespace drivers
