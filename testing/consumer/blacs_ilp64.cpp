// SPDX-License-Identifier: BSD-3-Clause
// The part of a BLACS with 64-bit integers that the tests and drop_in.f90 need. A system context is a Fortran handle of
// a communicator. A context is an index of `grids`; the rank in its communicator is the row-major position in the grid.
#include <mpi.h>

#include <cstdint>
#include <vector>

namespace {

using Int = std::int64_t;

struct Grid {
  MPI_Comm comm = MPI_COMM_NULL;
  Int nprow = -1, npcol = -1, row = -1, col = -1;
};

std::vector<Grid> grids;

Grid grid_of(Int ctxt) {
  return ctxt >= 0 && ctxt < static_cast<Int>(grids.size()) ? grids[static_cast<std::size_t>(ctxt)] : Grid{};
}

template <class Number>
void sum_all(Int ctxt, Int m, Int n, Number* a, Int lda, MPI_Datatype type) {
  for (Int j = 0; j < n; ++j)
    MPI_Allreduce(MPI_IN_PLACE, a + j * lda, static_cast<int>(m), type, MPI_SUM, grid_of(ctxt).comm);
}

}  // namespace

extern "C" {

void Cblacs_gridinfo(Int ctxt, Int* nprow, Int* npcol, Int* row, Int* col) {
  const Grid grid = grid_of(ctxt);
  *nprow = grid.nprow, *npcol = grid.npcol, *row = grid.row, *col = grid.col;
}

void Cblacs_abort(Int, Int error) { MPI_Abort(MPI_COMM_WORLD, static_cast<int>(error)); }

// what = 0: the default system context; what = 10: the system context of ctxt, its communicator.
void Cblacs_get(Int ctxt, Int what, Int* value) {
  *value = MPI_Comm_c2f(what == 10 ? grid_of(ctxt).comm : MPI_COMM_WORLD);
}

void Cblacs_gridmap(Int* ctxt, const Int* usermap, Int ldumap, Int nprow, Int npcol) {
  const MPI_Comm system = MPI_Comm_f2c(static_cast<MPI_Fint>(*ctxt));
  std::vector<int> ranks;
  for (Int row = 0; row < nprow; ++row)
    for (Int col = 0; col < npcol; ++col) ranks.push_back(static_cast<int>(usermap[row + col * ldumap]));
  MPI_Group all, some;
  MPI_Comm_group(system, &all);
  MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &some);
  Grid grid{MPI_COMM_NULL, nprow, npcol, -1, -1};
  MPI_Comm_create(system, some, &grid.comm);
  MPI_Group_free(&all);
  MPI_Group_free(&some);
  *ctxt = -1;
  if (grid.comm == MPI_COMM_NULL) return;
  int rank;
  MPI_Comm_rank(grid.comm, &rank);
  grid.row = rank / npcol, grid.col = rank % npcol;
  for (*ctxt = 0; *ctxt < static_cast<Int>(grids.size()); ++*ctxt)  // reuses free numbers
    if (grid_of(*ctxt).comm == MPI_COMM_NULL) break;
  if (*ctxt == static_cast<Int>(grids.size())) grids.emplace_back();
  grids[static_cast<std::size_t>(*ctxt)] = grid;
}

void Cblacs_gridexit(Int ctxt) {
  Grid& grid = grids[static_cast<std::size_t>(ctxt)];
  MPI_Comm_free(&grid.comm);
  grid = {};
}

// Names for Fortran.

void blacs_pinfo_(Int* process, Int* processes) {
  int initialized, rank, size;
  MPI_Initialized(&initialized);
  if (!initialized) MPI_Init(nullptr, nullptr);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  *process = rank, *processes = size;
}

void blacs_get_(const Int* ctxt, const Int* what, Int* value) { Cblacs_get(*ctxt, *what, value); }

void blacs_gridinfo_(const Int* ctxt, Int* nprow, Int* npcol, Int* row, Int* col) {
  Cblacs_gridinfo(*ctxt, nprow, npcol, row, col);
}

void blacs_gridmap_(Int* ctxt, const Int* usermap, const Int* ldumap, const Int* nprow, const Int* npcol) {
  Cblacs_gridmap(ctxt, usermap, *ldumap, *nprow, *npcol);
}

void blacs_gridexit_(const Int* ctxt) { Cblacs_gridexit(*ctxt); }

// Row-major only.
void blacs_gridinit_(Int* ctxt, const char*, const Int* nprow, const Int* npcol) {
  std::vector<Int> usermap;
  for (Int col = 0; col < *npcol; ++col)
    for (Int row = 0; row < *nprow; ++row) usermap.push_back(row * *npcol + col);
  Cblacs_gridmap(ctxt, usermap.data(), *nprow, *nprow, *npcol);
}

void blacs_exit_(const Int*) {
  for (Grid& grid : grids)
    if (grid.comm != MPI_COMM_NULL) MPI_Comm_free(&grid.comm);
  MPI_Finalize();
}

void igsum2d_(const Int* ctxt, const char*, const char*, const Int* m, const Int* n, Int* a, const Int* lda) {
  sum_all(*ctxt, *m, *n, a, *lda, MPI_INT64_T);
}

void dgsum2d_(const Int* ctxt, const char*, const char*, const Int* m, const Int* n, double* a, const Int* lda) {
  sum_all(*ctxt, *m, *n, a, *lda, MPI_DOUBLE);
}

// ScaLAPACK's TOOLS.

Int numroc_(const Int* n, const Int* nb, const Int* process, const Int* source, const Int* processes) {
  const Int blocks = *n / *nb, turn = blocks % *processes, distance = (*processes + *process - *source) % *processes;
  const Int rest = distance < turn ? *nb : distance == turn ? *n % *nb : 0;
  return blocks / *processes * *nb + rest;
}

Int indxl2g_(const Int* local, const Int* nb, const Int* process, const Int* source, const Int* processes) {
  const Int distance = (*processes + *process - *source) % *processes;
  return *processes * *nb * ((*local - 1) / *nb) + (*local - 1) % *nb + distance * *nb + 1;
}

Int indxg2l_(const Int* global, const Int* nb, const Int*, const Int*, const Int* processes) {
  return *nb * ((*global - 1) / (*nb * *processes)) + (*global - 1) % *nb + 1;
}

Int indxg2p_(const Int* global, const Int* nb, const Int*, const Int* source, const Int* processes) {
  return (*source + (*global - 1) / *nb) % *processes;
}

void descinit_(Int* desc, const Int* m, const Int* n, const Int* mb, const Int* nb, const Int* rsrc, const Int* csrc,
               const Int* ctxt, const Int* lld, Int* info) {
  const Int values[] = {1, *ctxt, *m, *n, *mb, *nb, *rsrc, *csrc, *lld};
  for (const Int value : values) *desc++ = value;
  *info = 0;
}

}  // extern "C"
