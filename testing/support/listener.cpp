// SPDX-License-Identifier: BSD-3-Clause
// Runs GoogleTest under MPI: every process runs every test, and a failure on one process fails the program on all.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>
#include <string>

#include "ranks.hpp"

namespace xredist::testing {

namespace {

// Prints failures only. Process 0 keeps GoogleTest's own printer.
class Failures : public ::testing::EmptyTestEventListener {
  void OnTestStart(const ::testing::TestInfo& test) override {
    test_ = std::string(test.test_suite_name()) + "." + test.name();
  }
  void OnTestPartResult(const ::testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "process %d, %s: %s:%d\n%s\n", rank(), test_.c_str(),
                 result.file_name() ? result.file_name() : "", result.line_number(), result.message());
  }

  std::string test_;
};

}  // namespace
}  // namespace xredist::testing

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  ::testing::InitGoogleTest(&argc, argv);
  auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
  if (xredist::testing::rank() != 0) {
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new xredist::testing::Failures);
  }
  int failed = RUN_ALL_TESTS();
  if (::testing::UnitTest::GetInstance()->test_to_run_count() == 0) failed = 1;
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed;
}
