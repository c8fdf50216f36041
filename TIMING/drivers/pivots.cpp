// SPDX-License-Identifier: BSD-3-Clause
// usage: pivots N NB [NRHS [ROUNDS]]   times ScaLAPACK's LU factorisation and solution with its own P?LASWP and
// P?LAPIV, and with those of libxredist_pivots, in turns. Prints a record for each:
//   laswp   all calls of PDLASWP in one factorisation, each between barriers
//   getrf   PDGETRF, without these barriers
//   lapiv   a call of PDLAPIV with NRHS right-hand sides
//   getrs   PDGETRS
// Times are medians and minima of rounds, on the process that waits longest. The results must have the same bits.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <vector>

#include "drivers/times.hpp"
#include "support/grid.hpp"
#include "support/ranks.hpp"
#include "support/symbols.hpp"

extern "C" {
xredist_int numroc_(const xredist_int*, const xredist_int*, const xredist_int*, const xredist_int*, const xredist_int*);
void pdgetrf_(const int* m, const int* n, double* a, const int* ia, const int* ja, const int* desca, int* pivots,
              int* info);
void pdgetrs_(const char* trans, const int* n, const int* sides, const double* a, const int* ia, const int* ja,
              const int* desca, const int* pivots, double* b, const int* ib, const int* jb, const int* descb,
              int* info);
}

namespace {

using Laswp = void(const char*, const char*, const int*, double*, const int*, const int*, const int*, const int*,
                   const int*, const int*);
using Lapiv = void(const char*, const char*, const char*, const int*, const int*, double*, const int*, const int*,
                   const int*, const int*, const int*, const int*, const int*, int*);

// The routines of a library.
struct Routines {
  Laswp* laswp;
  Lapiv* lapiv;
};
std::array<Routines, 2> routines{};  // ScaLAPACK's own, and xredist's
std::size_t chosen = 0;
bool between_barriers = false;
double seconds_of_laswp = 0;

Routines routines_of(void* library) {
  return {xredist::testing::symbol<Laswp>(library, "pdlaswp_"), xredist::testing::symbol<Lapiv>(library, "pdlapiv_")};
}

double barrier() {
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime();
}

double timed(const std::function<void()>& call) { return drivers::seconds_of(call, MPI_COMM_WORLD); }

struct Matrix {
  std::array<int, 9> desc{};
  std::vector<double> local;
};

Matrix random_matrix(const xredist::testing::Context& grid, int nprow, int npcol, int m, int n, int nb) {
  const int zero = 0, row = grid.row(), col = grid.col();
  const int rows = numroc_(&m, &nb, &row, &zero, &nprow), cols = numroc_(&n, &nb, &col, &zero, &npcol);
  Matrix x{{1, grid.handle(), m, n, nb, nb, 0, 0, std::max(1, rows)}, {}};
  x.local.resize(static_cast<std::size_t>(x.desc[8]) * static_cast<std::size_t>(std::max(1, cols)));
  std::mt19937_64 random(static_cast<unsigned>(xredist::testing::rank()));
  for (double& value : x.local) value = std::uniform_real_distribution<double>(-1, 1)(random);
  return x;
}

bool same(const std::vector<double>& x, const std::vector<double>& y) {
  return std::memcmp(x.data(), y.data(), x.size() * sizeof(double)) == 0;
}

}  // namespace

// ScaLAPACK's routines call these.
extern "C" __attribute__((visibility("default"))) void pdlaswp_(const char* direc, const char* rowcol, const int* n,
                                                                double* a, const int* ia, const int* ja,
                                                                const int* desca, const int* k1, const int* k2,
                                                                const int* pivots) {
  const double begin = between_barriers ? barrier() : 0;
  routines[chosen].laswp(direc, rowcol, n, a, ia, ja, desca, k1, k2, pivots);
  if (between_barriers) seconds_of_laswp += barrier() - begin;
}
extern "C" __attribute__((visibility("default"))) void pdlapiv_(const char* direc, const char* rowcol,
                                                                const char* pivroc, const int* m, const int* n,
                                                                double* a, const int* ia, const int* ja,
                                                                const int* desca, const int* pivots, const int* ip,
                                                                const int* jp, const int* descip, int* iwork) {
  routines[chosen].lapiv(direc, rowcol, pivroc, m, n, a, ia, ja, desca, pivots, ip, jp, descip, iwork);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc < 3) {
    std::fputs("usage: pivots N NB [NRHS [ROUNDS]]\n", stderr);
    return 2;
  }
  const int n = std::atoi(argv[1]), nb = std::atoi(argv[2]), sides = argc > 3 ? std::atoi(argv[3]) : 1;
  const int rounds = argc > 4 ? std::atoi(argv[4]) : 5, one = 1;
  routines = {routines_of(xredist::testing::scalapack()), routines_of(xredist::testing::opened(XREDIST_PIVOTS))};
  const int processes = xredist::testing::size();
  int nprow = 1;
  for (int k = 1; k * k <= processes; ++k)
    if (processes % k == 0) nprow = k;
  const int npcol = processes / nprow;
  int failed = 0;
  {
    const xredist::testing::Context grid(xredist::testing::row_major(nprow, npcol));
    const Matrix a = random_matrix(grid, nprow, npcol, n, n, nb), b = random_matrix(grid, nprow, npcol, n, sides, nb);
    const std::array<int, 9> descip{1, grid.handle(), n + nb * nprow, 1, nb, 1, 0, grid.col(), a.desc[8] + nb};
    std::array<std::vector<double>, 2> laswp, getrf, lapiv, getrs, factors, solutions;
    for (int call = 0; call < 2 * (rounds + 1); ++call) {
      chosen = static_cast<std::size_t>(call % 2);
      std::vector<int> pivots(static_cast<std::size_t>(a.desc[8] + nb));
      Matrix lu = a, x = b;
      int info = 0;
      const auto factor = [&] {
        lu.local = a.local;
        pdgetrf_(&n, &n, lu.local.data(), &one, &one, lu.desc.data(), pivots.data(), &info);
      };
      between_barriers = true, seconds_of_laswp = 0;
      factor();
      between_barriers = false;
      const double of_getrf = timed(factor);
      const double of_lapiv = timed([&] {
        pdlapiv_("F", "R", "C", &n, &sides, x.local.data(), &one, &one, x.desc.data(), pivots.data(), &one, &one,
                 descip.data(), nullptr);
      });
      x.local = b.local;
      const double of_getrs = timed([&] {
        pdgetrs_("N", &n, &sides, lu.local.data(), &one, &one, lu.desc.data(), pivots.data(), x.local.data(), &one,
                 &one, x.desc.data(), &info);
      });
      if (call < 2) {  // the first call of each sets up communicators
        factors[chosen] = lu.local, solutions[chosen] = x.local;
        continue;
      }
      laswp[chosen].push_back(seconds_of_laswp), getrf[chosen].push_back(of_getrf);
      lapiv[chosen].push_back(of_lapiv), getrs[chosen].push_back(of_getrs);
    }
    failed = !same(factors[0], factors[1]) || !same(solutions[0], solutions[1]);
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (xredist::testing::rank() == 0) {
      std::puts("processes,grid,n,nb,sides,what,own_seconds,xredist_seconds,ratio,own_min,xredist_min,check");
      const auto print = [&](const char* what, const std::array<std::vector<double>, 2>& seconds) {
        const drivers::Summary own = drivers::summary_of(seconds[0]), xredist = drivers::summary_of(seconds[1]);
        std::printf("%d,%dx%d,%d,%d,%d,%s,%.4g,%.4g,%.3f,%.4g,%.4g,%s\n", processes, nprow, npcol, n, nb, sides, what,
                    own.median, xredist.median, xredist.median / own.median, own.min, xredist.min,
                    failed != 0 ? "failed" : "passed");
      };
      print("laswp", laswp), print("getrf", getrf), print("lapiv", lapiv), print("getrs", getrs);
    }
  }
  MPI_Finalize();
  return failed;
}
