// SPDX-License-Identifier: BSD-3-Clause
// Before MPI is initialised and after it is finalized, no communicator can be used. MPI_Finalize completes what is
// under way.
#include <mpi.h>

#include <cstdio>
#include <string>

#include "move.hpp"
#include "xredist/blacs.h"
#include "xredist/relabel.h"

using namespace xredist::testing;

static int wrong = 0;

static void expect_refused(const char* when, const std::string& reason) {
  const xredist_layout one{.nprow = 1, .npcol = 1, .mb = 4, .nb = 4};
  const xredist_operation operation{.m = 1, .n = 1, .type = 'D'};
  xredist_plan* plan = nullptr;
  int ranks[1];
  const xredist_int desc[] = {1, 0, 4, 4, 4, 4, 0, 0, 4};
  const auto expect = [&](int code, const std::string& argument) {
    const std::string found = outcome(code), expected = "invalid: " + argument + ": " + reason;
    if (found == expected) return;
    std::fprintf(stderr, "%s: \"%s\" instead of \"%s\"\n", when, found.c_str(), expected.c_str());
    wrong = 1;
  };
  expect(create_plan(MPI_COMM_WORLD, one, one, operation, &plan), "comm");
  expect(xredist_set_option(MPI_COMM_WORLD, "buffer", "8M"), "comm");
  expect(xredist_relabel(MPI_COMM_WORLD, &one, &one, &operation, ranks, nullptr), "comm");
  expect(xredist_plan_create_blacs(0, desc, desc, nullptr, &operation, &plan), "ctxt");
  expect(xredist_set_option_blacs(0, "buffer", "8M"), "ctxt");
}

int main(int argc, char** argv) {
  expect_refused("before MPI_Init", "MPI is not initialised");
  MPI_Init(&argc, &argv);
  const xredist_layout rows{size(), 1, 3, 3}, columns{1, size(), 5, 5};
  Move waited(MPI_COMM_WORLD, rows, columns, 900, 900), tested(MPI_COMM_WORLD, rows, columns, 900, 900);
  if (waited.start() != 0 || tested.start() != 0) wrong = 1;
  MPI_Finalize();
  expect_refused("after MPI_Finalize", "MPI is finalized");
  int done = 0;
  if (xredist_wait_member(waited.request, 0) != 0 || xredist_test_member(waited.request, 0, &done) != 0 || done != 1 ||
      waited.wait() != 0 || xredist_test(&tested.request, &done) != 0 || done != 1 || tested.request != nullptr ||
      waited.wrong() != 0 || tested.wrong() != 0) {
    std::fprintf(stderr, "after MPI_Finalize: an exchange is not complete: %s\n", xredist_error());
    wrong = 1;
  }
  return wrong;
}
