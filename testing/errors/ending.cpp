// SPDX-License-Identifier: BSD-3-Clause
// Programs with an error that really end, and end while other processes wait. The argument chooses the error.
#include <mpi.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "allocations.hpp"
#include "fortran_plan.hpp"
#include "grid.hpp"
#include "ranks.hpp"
#include "xredist/scalapack.h"

using namespace xredist::testing;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::string error = argc > 1 ? argv[1] : "";
  const int failing = argc > 2 ? std::atoi(argv[2]) : 0;  // the allocation that fails on process 1
  constexpr int n = 10;
  {
    const Context from(row_major(2, 1)), to(row_major(1, 2));
    xredist_int desca[9] = {1, from.handle(), n, n, 2, 2, 0, 0, n}, descb[9] = {1, to.handle(), n, n, 2, 2, 0, 0, n};
    xredist_int m = n;
    const std::vector<double> a(n * n, 1.0);
    std::vector<double> b(n * n);
    if (error == "argument") m = -2;
    if (error == "differs") m = n - rank();
    if (rank() == 1) {
      if (error == "alone") descb[8] = 3;
      if (error == "allocation" || error == "plan") fail_allocation(failing);
      const rlimit limit{rlim_t{1} << 31, rlim_t{1} << 31};
      if (error == "memory") setrlimit(RLIMIT_AS, &limit);
    }
    if (error == "plan") {
      xredist_plan* plan = nullptr;
      create_fortran_plan(from.handle(), n, n, desca, descb, "D", &plan);
      xredist_plan_destroy(plan);
    } else {
      Cpdgemr2d(m, n, a.data(), 1, 1, desca, b.data(), 1, 1, descb, to.handle());
    }
  }
  std::printf("returned\n");
  MPI_Finalize();
  return 0;
}
