// SPDX-License-Identifier: BSD-3-Clause
#include "pivots/grid_lines.hpp"

#include <memory>

namespace xredist::core {
namespace {

// Called when the communicator of a grid is freed, by all of its processes.
int free_lines(MPI_Comm, int, void* lines, void*) {
  const std::unique_ptr<GridLines> freed(static_cast<GridLines*>(lines));
  for (MPI_Comm& comm : freed->along) MPI_Comm_free(&comm);
  return MPI_SUCCESS;
}

int keyval() {
  static const int key = [] {
    int made = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_lines, &made, nullptr);
    return made;
  }();
  return key;
}

}  // namespace

GridLines& grid_lines(xredist_int ctxt, const Grid& grid) {
  const MPI_Comm comm = communicator(ctxt);
  void* lines = nullptr;
  int found = 0;
  MPI_Comm_get_attr(comm, keyval(), &lines, &found);
  if (found) return *static_cast<GridLines*>(lines);
  auto made = std::make_unique<GridLines>();
  MPI_Comm_split(comm, grid.mycol, grid.myrow, &made->along[0]);
  MPI_Comm_split(comm, grid.myrow, grid.mycol, &made->along[1]);
  MPI_Comm_set_attr(comm, keyval(), made.get());
  return *made.release();
}

}  // namespace xredist::core
