// SPDX-License-Identifier: BSD-3-Clause
// Redistributes, and ends in one of the ends in which programs end.
// usage: ends main|static|atexit [LIBRARY]: who calls MPI_Finalize; the library to open instead of the linked one
#include <dlfcn.h>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

extern "C" {
void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int nprow, int npcol);
void Cpdgemr2d(int m, int n, const double* a, int ia, int ja, const int* desca, double* b, int ib, int jb,
               const int* descb, int ctxt);
}

namespace {

using Routine = void(int, int, const double*, int, int, const int*, double*, int, int, const int*, int);

constexpr int n = 100;

int context_of(int nprow, int npcol) {
  int context = 0;
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "R", nprow, npcol);
  return context;
}

// Moves a matrix of ones from blocks of 4 rows to blocks of 8 columns. No context is freed.
void move(Routine* routine) {
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int from = context_of(size, 1), to = context_of(1, size);
  const int desca[9] = {1, from, n, n, 4, 4, 0, 0, n}, descb[9] = {1, to, n, n, 8, 8, 0, 0, n};
  std::vector<double> a(n * n, 1.0), b(n * n, 0.0);
  routine(n, n, a.data(), 1, 1, desca, b.data(), 1, 1, descb, from);
  for (std::size_t j = 0, local = 0; j < n; ++j) {
    if (static_cast<int>(j / 8) % size != rank) continue;
    for (std::size_t i = 0; i < n; ++i)
      if (b[local * n + i] != 1.0) MPI_Abort(MPI_COMM_WORLD, 3);
    ++local;
  }
  if (rank == 0) std::puts("moved");
  std::fflush(stdout);
}

void finalize() {
  MPI_Finalize();
  std::fputs("finalized\n", stdout);
  std::fflush(stdout);
}

// Constructed before the static objects of the library, so destroyed after them.
struct Guard {
  bool finalizes = false;
  ~Guard() {
    if (finalizes) finalize();
  }
} guard;

}  // namespace

int main(int argc, char** argv) {
  const std::string_view end = argc > 1 ? argv[1] : "";
  if (end == "atexit") std::atexit(finalize);
  guard.finalizes = end == "static";
  MPI_Init(&argc, &argv);
  if (argc > 2) {
    void* const library = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return std::fprintf(stderr, "%s\n", dlerror()), 1;
    move(reinterpret_cast<Routine*>(dlsym(library, "Cpdgemr2d")));
    if (dlclose(library) != 0) return 1;
  } else {
    move(Cpdgemr2d);
  }
  if (end == "main") finalize();
  return 0;
}
