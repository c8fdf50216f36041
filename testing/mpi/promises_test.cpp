// SPDX-License-Identifier: BSD-3-Clause
// Sentences of the public headers and of doc/promises.rst that no other test repeats.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "move.hpp"
#include "plans.hpp"
#include "ranks.hpp"

namespace xredist::testing {
namespace {

// "Codes of xredist_code keep their numbers."
TEST(Promises, CodesKeepTheirNumbers) {
  EXPECT_EQ((std::vector<int>{XREDIST_SUCCESS, XREDIST_NO_MEMORY, XREDIST_BAD_OPTION, XREDIST_DISAGREEMENT,
                              XREDIST_PEER_FAILED, XREDIST_INVALID_ARGUMENT, XREDIST_FILE_ERROR}),
            (std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
}

// "New members come at the end": the members that programs fill by position stay where they are.
TEST(Promises, MembersKeepTheirPositions) {
  const int ranks[] = {0};
  const xredist_partition rows{1, nullptr, nullptr}, cols{2, nullptr, nullptr};
  const xredist_layout layout{2, 3, 64, 32, 1, 2, ranks, &rows, &cols};
  EXPECT_TRUE(layout.nprow == 2 && layout.npcol == 3 && layout.mb == 64 && layout.nb == 32 && layout.rsrc == 1 &&
              layout.csrc == 2 && layout.ranks == ranks && layout.rows == &rows && layout.cols == &cols);
  const xredist_operation operation{9, 8, 1, 2, 3, 4, 'D', 'S', 'T', 'U', 'N', 'S', 8};
  EXPECT_TRUE(operation.m == 9 && operation.n == 8 && operation.ia == 1 && operation.ja == 2 && operation.ib == 3 &&
              operation.jb == 4 && operation.type == 'D' && operation.type_b == 'S' && operation.trans == 'T' &&
              operation.uplo == 'U' && operation.diag == 'N' && operation.mirror == 'S' && operation.bytes == 8);
  const double one = 1, two = 2;
  double b = 0;
  const xredist_job job{nullptr, &one, 3, &b, 4, &two, &one};
  EXPECT_TRUE(job.a == &one && job.lda == 3 && job.b == &b && job.ldb == 4 && job.alpha == &two && job.beta == &one);
}

// "Returns ... "" if no call of this thread has failed."
TEST(Promises, AThreadWithoutAnErrorHasNoSentence) {
  EXPECT_NE(outcome(xredist_plan_query(nullptr, nullptr)), "");
  std::string sentence = "not read";
  std::thread([&] { sentence = xredist_error(); }).join();
  EXPECT_EQ(sentence, "");
}

// "NULL is a no-op", "A NULL request has ended."
TEST(Promises, NullHasEnded) {
  xredist_plan_destroy(nullptr);
  xredist_request* request = nullptr;
  int done = 0;
  EXPECT_EQ(xredist_test(&request, &done), XREDIST_SUCCESS);
  EXPECT_EQ(done, 1);
  done = 0;
  EXPECT_EQ(xredist_test_member(nullptr, 7, &done), XREDIST_SUCCESS);
  EXPECT_EQ(done, 1);
  EXPECT_EQ(xredist_wait(&request), XREDIST_SUCCESS);
  EXPECT_EQ(xredist_wait_member(nullptr, 7), XREDIST_SUCCESS);
}

// "Letters may be lower case."
TEST(Promises, LettersMayBeLowerCase) {
  std::vector<std::string> texts;
  for (const bool lower : {false, true}) {
    const xredist_operation capital{
        .m = 20, .n = 20, .type = 'C', .type_b = 'Z', .trans = 'R', .uplo = 'U', .diag = 'U'};
    const xredist_operation lowercase{
        .m = 20, .n = 20, .type = 'c', .type_b = 'z', .trans = 'r', .uplo = 'u', .diag = 'u'};
    xredist_plan* plan = nullptr;
    ASSERT_EQ(create_plan(MPI_COMM_WORLD, {size(), 1, 3, 3}, {1, size(), 4, 4}, lower ? lowercase : capital, &plan),
              XREDIST_SUCCESS);
    texts.emplace_back(1000, '\0');
    EXPECT_EQ(xredist_plan_describe(plan, texts.back().data(), texts.back().size()), XREDIST_SUCCESS);
    xredist_plan_destroy(plan);
  }
  EXPECT_EQ(texts[0], texts[1]);
}

// "The library reads them only during the call": partitions and ranks in xredist_plan_create; jobs, alpha and beta in
// xredist_start. The program overwrites each of them as soon as the call has returned.
TEST(Promises, ArgumentsAreReadOnlyDuringTheCall) {
  constexpr std::int64_t n = 30;
  std::vector<int> ranks(static_cast<std::size_t>(size()));
  std::iota(ranks.rbegin(), ranks.rend(), 0);
  std::vector<std::int64_t> bounds{0, 4, 4, 19, n};
  std::vector<int> owners{size() - 1, 0, size() / 2, 0};
  xredist_partition cols{4, bounds.data(), owners.data()};
  const xredist_layout from{size(), 1, 3, n};
  xredist_layout to{1, size(), n, 0, 0, 0, ranks.data(), nullptr, &cols};
  Part a(from, n, n), b(to, n, n);
  a.each([](double& x, std::int64_t i, std::int64_t j) { x = static_cast<double>(i + n * j); });

  xredist_plan* plan = nullptr;
  ASSERT_EQ(create_plan(MPI_COMM_WORLD, from, to, {.m = n, .n = n, .type = 'D'}, &plan), XREDIST_SUCCESS);
  std::ranges::fill(ranks, -7);
  std::ranges::fill(bounds, -7);
  std::ranges::fill(owners, -7);
  cols = {};
  to = {};

  double alpha = 2, beta = 3;
  xredist_job job{plan, a.data.data(), a.ld, b.data.data(), b.ld, &alpha, &beta};
  xredist_request* request = nullptr;
  ASSERT_EQ(xredist_start(1, &job, &request), XREDIST_SUCCESS);
  job = {};
  alpha = beta = -1000;
  EXPECT_EQ(xredist_wait(&request), XREDIST_SUCCESS);
  b.each([](const double& x, std::int64_t i, std::int64_t j) {
    EXPECT_EQ(x, 2 * static_cast<double>(i + n * j) - 3) << i << "," << j;  // elements of B were -1
  });
  xredist_plan_destroy(plan);
}

}  // namespace
}  // namespace xredist::testing
