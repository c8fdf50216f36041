// SPDX-License-Identifier: BSD-3-Clause
// Calls the routines that xredist-try tries, checks the results, and ends with or without MPI_Finalize.
// usage: calls finalize|exit|repeat|odd|invalid
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>

#include <complex>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "xredist/scalapack.h"

using Complex = std::complex<double>;

extern "C" {
void Cblacs_get(int ctxt, int what, int* value);
void Cblacs_gridinit(int* ctxt, const char* order, int nprow, int npcol);
void Cblacs_gridinfo(int ctxt, int* nprow, int* npcol, int* myrow, int* mycol);
void Cblacs_gridexit(int ctxt);
void pdtran_(const int* m, const int* n, const double* alpha, const double* a, const int* ia, const int* ja,
             const int* desca, const double* beta, double* c, const int* ic, const int* jc, const int* descc);
void pdgeadd_(const char* trans, const int* m, const int* n, const double* alpha, const double* a, const int* ia,
              const int* ja, const int* desca, const double* beta, double* c, const int* ic, const int* jc,
              const int* descc);
void pzgeadd_(const char* trans, const int* m, const int* n, const Complex* alpha, const Complex* a, const int* ia,
              const int* ja, const int* desca, const Complex* beta, Complex* c, const int* ic, const int* jc,
              const int* descc);
void pdlaswp_(const char* direc, const char* rowcol, const int* n, double* a, const int* ia, const int* ja,
              const int* desca, const int* k1, const int* k2, const int* ipiv);
}

namespace {

constexpr int n = 60, one = 1;
const int size = n;

// A square matrix of order n on a grid; without a grid on this process, an empty one.
template <class T>
struct Matrix {
  int nb, nprow, npcol, myrow, mycol;
  int desc[9];
  std::vector<T> local;

  Matrix(int ctxt, int block) : nb(block), desc{1, ctxt, n, n, block, block, 0, 0, n} {
    Cblacs_gridinfo(ctxt, &nprow, &npcol, &myrow, &mycol);
    local.resize(ctxt >= 0 && myrow >= 0 ? n * n : 0);
  }
  // Calls visit(i, j, element) for each local element.
  template <class Visit>
  void each(Visit visit) {
    if (local.empty()) return;
    const auto global = [&](int l, int procs, int me) { return (l / nb * procs + me) * nb + l % nb; };
    for (int j = 0; global(j, npcol, mycol) < n; ++j)
      for (int i = 0; global(i, nprow, myrow) < n; ++i)
        visit(global(i, nprow, myrow), global(j, npcol, mycol), local[static_cast<std::size_t>(j * n + i)]);
  }
  void fill() {
    each([](int i, int j, T& x) { x = static_cast<T>(100 * i + j); });
  }
  template <class Expected>
  void demand(Expected expected, const char* routine) {
    each([&](int i, int j, const T& x) {
      if (x == static_cast<T>(expected(i, j))) return;
      std::printf("%s: element (%d, %d) is wrong\n", routine, i, j);
      MPI_Abort(MPI_COMM_WORLD, 3);
    });
  }
};

int context_of(int nprow, int npcol) {
  int context = 0;
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "R", nprow, npcol);
  return context;
}

int moved(int i, int j) { return 100 * i + j; }

// A context that is made, used by its members only, and freed.
void use_part_of_the_processes(int nprow, int times) {
  for (int k = 0; k < times; ++k) {
    const int context = context_of(nprow, 1);
    if (context < 0) continue;
    Matrix<double> a(context, 7), b(context, 11);
    a.fill();
    pdgemr2d_(&size, &size, a.local.data(), &one, &one, a.desc, b.local.data(), &one, &one, b.desc, &context);
    b.demand(moved, "PDGEMR2D of some processes");
    Cblacs_gridexit(context);
  }
}

void move(int all, int from, int to, int times) {
  Matrix<double> a(from, 4), b(to, 8);
  a.fill();
  for (int k = 0; k < times; ++k)
    pdgemr2d_(&size, &size, a.local.data(), &one, &one, a.desc, b.local.data(), &one, &one, b.desc, &all);
  b.demand(moved, "PDGEMR2D");
  pdgemr2do_(&size, &size, b.local.data(), &one, &one, b.desc, a.local.data(), &one, &one, a.desc);
  a.demand(moved, "PDGEMR2DO");

  Matrix<int> upper(from, 4), of_upper(to, 8);
  upper.fill();
  pitrmr2d_("U", "N", &size, &size, upper.local.data(), &one, &one, upper.desc, of_upper.local.data(), &one, &one,
            of_upper.desc, &all);
  of_upper.demand([](int i, int j) { return i <= j ? moved(i, j) : 0; }, "PITRMR2D");

  Matrix<Complex> x(from, 4), y(to, 8);
  x.fill();
  Cpzgemr2d(n, n, x.local.data(), 1, 1, x.desc, y.local.data(), 1, 1, y.desc, all);
  y.demand(moved, "Cpzgemr2d");
}

void add(int grid) {
  Matrix<double> a(grid, 4), c(grid, 8);
  a.fill(), c.fill();
  const double alpha = 0.5, beta = 3;
  pdtran_(&size, &size, &alpha, a.local.data(), &one, &one, a.desc, &beta, c.local.data(), &one, &one, c.desc);
  c.demand([](int i, int j) { return 0.5 * moved(j, i) + 3 * moved(i, j); }, "PDTRAN");
  Matrix<Complex> x(grid, 4), y(grid, 8);
  x.fill(), y.fill();
  const Complex two = 2, zero = 0;
  pzgeadd_("C", &size, &size, &two, x.local.data(), &one, &one, x.desc, &zero, y.local.data(), &one, &one, y.desc);
  y.demand([](int i, int j) { return 2 * moved(j, i); }, "PZGEADD");
  // In place: not tried.
  pzgeadd_("N", &size, &size, &two, y.local.data(), &one, &one, y.desc, &two, y.local.data(), &one, &one, y.desc);
}

// Interchanges rows 5 and 60 (from 1), then rows 6 and 1. The pivots begin at the place of row 5 in the local array of
// its owner, and behind the rows before it on the other processes.
void interchange(int grid) {
  Matrix<double> a(grid, 4);
  a.fill();
  const int k1 = 5, k2 = 6, rows_before = a.myrow == 0 ? 4 : 0;
  std::vector<int> pivots(64, 60);
  pivots[static_cast<std::size_t>(rows_before + 1)] = 1;
  pdlaswp_("F", "R", &size, a.local.data(), &one, &one, a.desc, &k1, &k2, pivots.data());
  const auto was = [](int i) { return i == 0 ? 5 : i == 4 ? 59 : i == 5 ? 0 : i == 59 ? 4 : i; };
  a.demand([&](int i, int j) { return moved(was(i), j); }, "PDLASWP");
}

void demand(bool right, const char* what) {
  if (right) return;
  std::printf("%s is wrong\n", what);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

// A matrix on a column of processes, of which the first one has all elements: the others pass LLD 0 and NULL.
struct OnFirst {
  int desc[9];
  std::vector<double> local;

  OnFirst(int ctxt, int m, int cols, int block, bool first)
      : desc{1, ctxt, m, cols, block, cols, 0, 0, first ? m : 0},
        local(static_cast<std::size_t>(first ? m * cols : 0)) {
    for (std::size_t k = 0; k < local.size(); ++k) local[k] = static_cast<double>(k + 1);
  }
  double* data() { return local.empty() ? nullptr : local.data(); }
};

// Valid calls with LLD 0, and calls that only the program's own routines carry out.
void call_oddly(int column, int row, bool first) {
  const int ten = 10, none = 0, two = 2;
  OnFirst a(column, 12, ten, 32, first), b(column, 12, ten, 16, first);
  const auto move = [&](const int* m, const int* ia, const char* what) {
    b.local.assign(b.local.size(), 0);
    pdgemr2d_(m, &ten, a.data(), ia, &one, a.desc, b.data(), &one, &one, b.desc, &column);
    for (std::size_t k = 0; k < b.local.size(); ++k)
      demand(b.local[k] == (static_cast<int>(k) % 12 < *m ? a.local[k] : 0), what);
  };
  move(&ten, &one, "PDGEMR2D with LLD 0");
  pdtrmr2d_("U", "N", &ten, &ten, a.data(), &one, &one, a.desc, b.data(), &one, &one, b.desc, &column);
  move(&none, &one, "PDGEMR2D with M = 0");
  move(&ten, first ? &one : &two, "PDGEMR2D with another IA where there are no rows");

  const int with_first_block[] = {2, row, ten, ten, ten, 3, ten, ten, 0, 0, ten};  // of 3 columns
  int columns = 0, nprow = 0, npcol = 0, myrow = 0, mycol = 0;
  Cblacs_gridinfo(row, &nprow, &npcol, &myrow, &mycol);
  for (int j = 0; j < ten; ++j) columns += (j < 3 ? 0 : 1) % npcol == mycol;
  std::vector<double> x(static_cast<std::size_t>(10 * columns + 1), 1), sum = x;
  const double alpha = 2, beta = 1;
  pdgeadd_("N", &ten, &ten, &alpha, x.data(), &one, &one, with_first_block, &beta, sum.data(), &one, &one,
           with_first_block);
  demand(columns == 0 || (sum[0] == 3 && sum[static_cast<std::size_t>(10 * columns - 1)] == 3), "PDGEADD");
}

// ScaLAPACK's routine ends the program.
void call_invalidly(int row) {
  OnFirst a(row, 10, 10, 4, true), b(row, 10, 10, 4, true);
  const int ten = 10;
  a.desc[8] = 5;
  pdgemr2d_(&ten, &ten, a.data(), &one, &one, a.desc, b.data(), &one, &one, b.desc, &row);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int processes = 1, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int all = context_of(processes, 1), row = context_of(1, processes);
  const int square = processes == 4 ? context_of(2, 2) : row;
  use_part_of_the_processes((processes + 1) / 2, 5);
  if (argc > 1 && std::string_view(argv[1]) == "odd") call_oddly(all, row, rank == 0);
  if (argc > 1 && std::string_view(argv[1]) == "invalid") call_invalidly(row);
  const bool repeats = argc > 1 && std::string_view(argv[1]) == "repeat";  // often enough to be tuned
  move(all, row, square, repeats ? 90 : 3);
  add(square);
  interchange(square);
  if (rank == 0) std::puts("all right");
  std::fflush(stdout);
  if (argc > 1 && std::string_view(argv[1]) == "exit") {
    if (fork() == 0) std::exit(0);  // a child process has no results of its own
    wait(nullptr);
    std::exit(0);
  }
  MPI_Finalize();
}
