#include "grid.hpp"

#include <mpi.h>

#include <vector>

extern "C" {
void Cblacs_get(int ctxt, int what, int* value);
void Cblacs_gridmap(int* ctxt, int* usermap, int ldumap, int nprow, int npcol);
void Cblacs_gridexit(int ctxt);
}

namespace drivers {

Context::Context(int nprow, int npcol, int first) {
  std::vector<int> map;  // column by column
  for (int col = 0; col < npcol; ++col)
    for (int row = 0; row < nprow; ++row) map.push_back(first + row * npcol + col);
  int handle = 0;
  Cblacs_get(0, 0, &handle);
  Cblacs_gridmap(&handle, map.data(), nprow, nprow, npcol);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank < first || rank >= first + nprow * npcol) return;
  handle_ = handle;
  row_ = (rank - first) / npcol;
  col_ = (rank - first) % npcol;
}

Context::~Context() {
  if (member()) Cblacs_gridexit(handle_);
}

}  // namespace drivers
