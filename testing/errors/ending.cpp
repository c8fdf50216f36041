// SPDX-License-Identifier: BSD-3-Clause
// Programs with an error that really end, and end while other processes wait. The argument chooses the error.
#include <mpi.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "allocations.hpp"
#include "grid.hpp"
#include "ranks.hpp"
#include "xredist/scalapack.h"

extern "C" void make_plan_(const xredist_int* ctxt, const xredist_int* n, const xredist_int* desca,
                           const xredist_int* descb);
extern "C" void pdlaswp_(const char*, const char*, const xredist_int*, double*, const xredist_int*, const xredist_int*,
                         const xredist_int*, const xredist_int*, const xredist_int*, const xredist_int*);

using namespace xredist::testing;

int main(int argc, char** argv) {
  const std::string error = argc > 1 ? argv[1] : "";
  if (error == "early") {
    const xredist_int desc[9] = {1, 0, 1, 1, 1, 1, 0, 0, 1};
    const double a = 1;
    double b = 0;
    Cpdgemr2d(1, 1, &a, 1, 1, desc, &b, 1, 1, desc, 0);
  }
  MPI_Init(&argc, &argv);
  const int failing = argc > 2 ? std::atoi(argv[2]) : 0;  // the allocation that fails on process 1
  constexpr int n = 10;
  {
    const Context from(row_major(2, 1)), to(row_major(1, 2));
    xredist_int desca[9] = {1, from.handle(), n, n, 2, 2, 0, 0, n}, descb[9] = {1, to.handle(), n, n, 2, 2, 0, 0, n};
    xredist_int m = n;
    std::vector<double> a(n * n, 1.0);
    std::vector<double> b(n * n);
    if (error == "argument") m = -2;
    const auto call = [&] { Cpdgemr2d(m, n, a.data(), 1, 1, desca, b.data(), 1, 1, descb, to.handle()); };
    if (error == "later") call();  // the processes know each other's grids
    if (error == "differs" || error == "later") m = n - rank();
    if (rank() == 1) {
      if (error == "alone") descb[8] = 3;
      if (failing > 0) fail_allocation(failing);
      const rlimit limit{rlim_t{1} << 31, rlim_t{1} << 31};
      if (error == "memory") setrlimit(RLIMIT_AS, &limit);
    }
    if (error == "pivots") {
      const xredist_int one = 1, order = n, ipiv[2 * n] = {n, n, n, n, n, n, n, n, n, n};
      pdlaswp_("F", "R", &order, a.data(), &one, &one, desca, &one, &order, ipiv);
    } else if (error == "plan") {
      const xredist_int ctxt = from.handle(), order = n;
      make_plan_(&ctxt, &order, desca, descb);
    } else {
      call();
    }
  }
  std::printf("returned\n");
  MPI_Finalize();
  return 0;
}
