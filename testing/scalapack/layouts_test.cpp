// SPDX-License-Identifier: BSD-3-Clause
// Matrices of array descriptors as layouts on the communicator of a context.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "matrix.hpp"
#include "plans.hpp"
#include "random.hpp"
#include "ranks.hpp"

namespace xredist::testing {
namespace {

GridShape random_grid_of_all(Random& random) {
  const int rows = random.one_in(2) ? 1 : size();
  return {rows, size() / rows, random_ranks(random, size())};
}

// The layout of a matrix on a random grid, whose context orders the processes otherwise, moves the elements as the
// descriptor does.
TEST(Layouts, MoveWhatTheirDescriptorsDescribe) {
  constexpr xredist_int n = 21;
  Random random(5);
  for (int trial = 0; trial < 6; ++trial) {
    const Context all(random_grid_of_all(random));
    Matrix a(random_grid(random, size()), n, random.in(1, 5)), b(random_grid(random, size()), n, random.in(1, 5));
    a.fill(1);
    MPI_Comm comm = MPI_COMM_NULL;
    ASSERT_EQ(xredist_comm_blacs(all.handle(), &comm), 0);
    std::vector<int> ranks_a(static_cast<std::size_t>(size())), ranks_b = ranks_a;
    xredist_layout of_a, of_b;
    const auto layout_of = [&](const Matrix& x, xredist_layout& layout, std::vector<int>& ranks) {
      return xredist_layout_blacs(all.handle(), x.desc.data(), nullptr, &layout, ranks.data());
    };
    ASSERT_EQ(layout_of(a, of_a, ranks_a), 0) << xredist_error();
    ASSERT_EQ(layout_of(b, of_b, ranks_b), 0) << xredist_error();
    EXPECT_EQ(of_a.ranks, ranks_a.data());
    const xredist_operation copy{.m = n, .n = n, .type = 'D'};
    xredist_plan* plan = nullptr;
    ASSERT_EQ(xredist_plan_create(comm, &of_a, &of_b, &copy, &plan), 0) << xredist_error();
    const xredist_job job{.plan = plan, .a = a.data.data(), .lda = n, .b = b.data.data(), .ldb = n};
    EXPECT_EQ(xredist_execute(&job), 0) << xredist_error();
    EXPECT_EQ(b.wrong(1), 0);
    xredist_plan_destroy(plan);
  }
}

TEST(Partitions, HaveReservedWordsThatAreZero) {
  const Context all(row_major(1, size()));
  Matrix matrix(row_major(1, size()), 8, 2);
  xredist_partitions partitions;
  if (rank() == 0) partitions.reserved[3] = 1;
  const std::string expected =
      "invalid: " +
      of_process(0, "partitions.reserved is not 0: set members by name, or make all bytes of the struct 0 first");
  const xredist_operation copy{.m = 8, .n = 8, .type = 'D'};
  xredist_plan* plan = nullptr;
  EXPECT_EQ(outcome(create_plan(all.handle(), matrix.desc, matrix.desc, copy, &plan, partitions)), expected);
  std::vector<int> ranks(static_cast<std::size_t>(size()));
  xredist_layout layout;
  const xredist_int *desc = matrix.desc.data(), ctxt = all.handle();
  EXPECT_EQ(outcome(xredist_layout_blacs(ctxt, desc, &partitions, &layout, ranks.data())), expected);
  const xredist_file file{.name = "none/x.npy", .m = 8, .n = 8, .type = 'D'};
  EXPECT_EQ(outcome(xredist_write_blacs(ctxt, desc, &partitions, matrix.data.data(), &file)), expected);
  Descriptor fitted;
  EXPECT_EQ(outcome(xredist_fit_blacs(ctxt, 8, 8, desc, &partitions, nullptr, fitted.data(), nullptr, nullptr)),
            expected);
}

TEST(Layouts, KeepPartitionsAndNameErrors) {
  const Context all(row_major(1, size()));
  Matrix matrix(row_major(1, size()), 8, 2);
  const std::int64_t bounds[] = {0, 3, 8};
  const int owners[] = {0, 0};
  const xredist_partition rows{.count = 2, .bounds = bounds, .owners = owners};
  std::vector<int> ranks(static_cast<std::size_t>(size()));
  xredist_layout layout;
  const auto error = [&](const xredist_int* desc, const xredist_partition* of_rows, xredist_layout* to) {
    const xredist_partitions partitions{.rows_a = of_rows};
    return outcome(xredist_layout_blacs(all.handle(), desc, &partitions, to, ranks.data()));
  };
  EXPECT_EQ(error(matrix.desc.data(), &rows, &layout), "");
  EXPECT_EQ(layout.rows, &rows);
  EXPECT_EQ(layout.cols, nullptr);
  EXPECT_EQ(layout.npcol, size());
  EXPECT_EQ(layout.nb, 2);
  EXPECT_EQ(error(nullptr, nullptr, &layout), "invalid: desc is NULL");
  EXPECT_EQ(error(matrix.desc.data(), nullptr, nullptr), "invalid: layout is NULL");
  if (rank() == size() - 1) matrix.desc[5] = 0;
  EXPECT_EQ(
      error(matrix.desc.data(), nullptr, &layout),
      "invalid: " + of_process(size() - 1, "desc, entry 6 (NB_) is 0, must be at least 1, unless cols is passed"));
  EXPECT_EQ(outcome(xredist_comm_blacs(-1, nullptr)), "invalid: ctxt is -1, not a context with this process");
  EXPECT_EQ(outcome(xredist_comm_blacs(all.handle(), nullptr)), "invalid: comm is NULL");
}

}  // namespace
}  // namespace xredist::testing
