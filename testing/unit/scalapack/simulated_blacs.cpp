// SPDX-License-Identifier: BSD-3-Clause
#include "simulated_blacs.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "scalapack/blacs.hpp"
#include "simulation.hpp"

namespace xredist::testing {
namespace {

// A context, and the communicator of its grid by rank: each process has a communicator of its own, which carries
// attributes.
struct Made {
  GridShape shape;
  std::vector<MPI_Comm> comms;

  int position(int rank) const {
    const auto found = std::ranges::find(shape.ranks, rank);
    return found == shape.ranks.end() ? -1 : static_cast<int>(found - shape.ranks.begin());
  }
};
std::vector<Made> made;

const Made* find(xredist_int context) {
  return context >= 0 && context < std::ssize(made) ? &made[static_cast<std::size_t>(context)] : nullptr;
}

void gridinfo(xredist_int context, xredist_int* nprow, xredist_int* npcol, xredist_int* myrow, xredist_int* mycol) {
  *nprow = *npcol = *myrow = *mycol = -1;
  const Made* const grid = find(context);
  const int position = grid != nullptr ? grid->position(own_rank()) : -1;
  if (position < 0) return;
  *nprow = grid->shape.nprow, *npcol = grid->shape.npcol;
  *myrow = position / grid->shape.npcol, *mycol = position % grid->shape.npcol;
}

void get(const xredist_int* context, const xredist_int*, xredist_int* value) { *value = *context; }

void abort(xredist_int, xredist_int) { throw std::logic_error("the program would end"); }

}  // namespace

xredist_int make_context(const GridShape& shape, int processes) {
  Made& grid = made.emplace_back(Made{shape, {}});
  for (int rank = 0; rank < processes; ++rank) grid.comms.push_back(new_communicator());
  return static_cast<xredist_int>(made.size()) - 1;
}

xredist_int own_context(xredist_int context) { return find(context)->position(own_rank()) < 0 ? -1 : context; }

MPI_Comm communicator_of_grid(xredist_int context) {
  return find(context)->comms[static_cast<std::size_t>(own_rank())];
}

}  // namespace xredist::testing

// A handle is a context.
MPI_Comm MPI_Comm_f2c(MPI_Fint handle) { return xredist::testing::communicator_of_grid(handle); }

namespace xredist::core {

const Blacs& blacs() {
  static const Blacs simulated{testing::gridinfo, testing::abort, testing::get, nullptr, nullptr};
  return simulated;
}

}  // namespace xredist::core
