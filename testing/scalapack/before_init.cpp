// SPDX-License-Identifier: BSD-3-Clause
// Before MPI is initialised and after it is finalized, no communicator can be used: -1.
#include <mpi.h>

#include <cstdio>

#include "xredist/relabel.h"
#include "xredist/xredist.h"

static int wrong = 0;

static void expect_refused(const char* when) {
  const xredist_layout one = {1, 1, nullptr, 4, 4, 0, 0, nullptr, nullptr};
  const xredist_operation operation = {'D', 'D', 'N', 'A', 'N', 'N'};
  xredist_plan* plan = nullptr;
  int ranks[1];
  const int errors[] = {xredist_plan_create(MPI_COMM_WORLD, 1, 1, 8, &one, 1, 1, &one, 1, 1, &plan),
                        xredist_plan_operation(MPI_COMM_WORLD, &operation, 1, 1, &one, 1, 1, &one, 1, 1, &plan),
                        xredist_set_option(MPI_COMM_WORLD, "buffer", "8M"),
                        xredist_relabel(MPI_COMM_WORLD, 1, 1, &one, 1, 1, &one, 1, 1, ranks, nullptr)};
  for (int k = 0; k < 4; ++k)
    if (errors[k] != -1) {
      std::fprintf(stderr, "%s: function %d returns %d, expected -1\n", when, k, errors[k]);
      wrong = 1;
    }
}

int main(int argc, char** argv) {
  expect_refused("before MPI_Init");
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  expect_refused("after MPI_Finalize");
  return wrong;
}
