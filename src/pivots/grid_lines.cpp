// SPDX-License-Identifier: BSD-3-Clause
#include "pivots/grid_lines.hpp"

#include <cstdlib>
#include <memory>
#include <string_view>

namespace xredist::core {
namespace {

// Called when the communicator of a grid is freed, by all of its processes.
int free_lines(MPI_Comm, int, void* lines, void*) {
  delete static_cast<GridLines*>(lines);
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
  const char* const shared = std::getenv("XREDIST_SHARED");
  const bool shares = shared == nullptr || std::string_view(shared) != "0";
  const auto part = [&](int color, int key) {
    MPI_Comm of_part = MPI_COMM_NULL;
    MPI_Comm_split(comm, color, key, &of_part);
    return of_part;
  };
  std::unique_ptr<GridLines> made(new GridLines{
      {LineProcesses(part(grid.mycol, grid.myrow), shares), LineProcesses(part(grid.myrow, grid.mycol), shares)}});
  MPI_Comm_set_attr(comm, keyval(), made.get());
  return *made.release();
}

}  // namespace xredist::core
