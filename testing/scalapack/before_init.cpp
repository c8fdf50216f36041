// SPDX-License-Identifier: BSD-3-Clause
// Before MPI is initialised and after it is finalized, no communicator can be used.
#include <mpi.h>

#include <cstdio>
#include <string>

#include "plans.hpp"
#include "xredist/relabel.h"

using namespace xredist::testing;

static int wrong = 0;

static void expect_refused(const char* when, const std::string& sentence) {
  const xredist_layout one{.nprow = 1, .npcol = 1, .mb = 4, .nb = 4};
  const xredist_operation operation{.m = 1, .n = 1, .type = 'D'};
  xredist_plan* plan = nullptr;
  int ranks[1];
  const std::string found[] = {outcome(create_plan(MPI_COMM_WORLD, one, one, operation, &plan)),
                               outcome(xredist_set_option(MPI_COMM_WORLD, "buffer", "8M")),
                               outcome(xredist_relabel(MPI_COMM_WORLD, &one, &one, &operation, ranks, nullptr))};
  for (const std::string& text : found)
    if (text != "invalid: " + sentence) {
      std::fprintf(stderr, "%s: \"%s\" instead of \"invalid: %s\"\n", when, text.c_str(), sentence.c_str());
      wrong = 1;
    }
}

int main(int argc, char** argv) {
  expect_refused("before MPI_Init", "comm: MPI is not initialised");
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  expect_refused("after MPI_Finalize", "comm: MPI is finalized");
  return wrong;
}
