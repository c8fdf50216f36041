// SPDX-License-Identifier: BSD-3-Clause
// Plans that are tuned (the option "tune"): every execution moves the data, whatever way it tries, and all processes
// choose the same way.
#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "move.hpp"

namespace xredist::testing {
namespace {

constexpr int enough = 100;  // executions: at most 12 ways are tried 6 times, and 16 executions overlap agreements
constexpr std::size_t overlap = 4;  // executions that may be under way before a start waits

std::string description(const xredist_plan* plan) {
  std::string text(2048, '\0');
  EXPECT_EQ(xredist_plan_describe(plan, text.data(), text.size()), 0);
  return text.substr(0, text.find('\0'));
}

bool measured(const Move& move) { return description(move.plan).find("; measured: ") != std::string::npos; }

// Returns the way that a plan has chosen.
std::string chosen(const Move& move) {
  const std::string text = description(move.plan), before = "; measured: ";
  const std::size_t begin = text.find(before), end = text.find(" is the fastest of ");
  return begin == std::string::npos ? "" : text.substr(begin + before.size(), end - begin - before.size());
}

// Returns a text of process 0.
std::string of_first(std::string text, MPI_Comm comm) {
  int size = static_cast<int>(text.size());
  MPI_Bcast(&size, 1, MPI_INT, 0, comm);
  text.resize(static_cast<std::size_t>(size));
  MPI_Bcast(text.data(), size, MPI_CHAR, 0, comm);
  return text;
}

class Tune : public ::testing::Test {
 protected:
  void SetUp() override {
    if (size() == 1) GTEST_SKIP() << "one process has nothing to choose";
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    ASSERT_EQ(xredist_set_option(comm, "tune", "1"), 0);
  }
  void TearDown() override {
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  }

  // From blocks of 2 to blocks of 3 rows.
  std::unique_ptr<Move> move(std::int64_t n = 40) const {
    return std::make_unique<Move>(comm, xredist_layout{size(), 1, 2, 2}, xredist_layout{1, size(), 3, 3}, n, n);
  }

  MPI_Comm comm = MPI_COMM_NULL;
};

TEST_F(Tune, EveryExecutionMovesTheData) {
  for (const std::int64_t n : {1, 40, 600}) {
    const auto x = move(n);
    EXPECT_FALSE(measured(*x));
    for (int k = 0; k < enough; ++k) {
      ASSERT_EQ(execute_job(x->job()), 0);
      ASSERT_EQ(x->wrong(), 0) << k;
    }
    EXPECT_TRUE(measured(*x)) << description(x->plan);
    EXPECT_EQ(chosen(*x), of_first(chosen(*x), comm));
  }
}

// Executions overlap, and processes wait for them in orders of their own.
TEST_F(Tune, ManyAtOnce) {
  const auto x = move(), y = move(60);
  for (int round = 0; round < enough / 4; ++round) {
    std::vector<std::unique_ptr<Move>> all;
    std::vector<xredist_request*> requests;
    std::vector<Part> results;
    for (int k = 0; k < 8; ++k) results.push_back(k % 2 == 0 ? x->b : y->b);
    for (std::size_t k = 0; k < 8; ++k) {
      Move& from = k % 2 == 0 ? *x : *y;
      const xredist_job job{.plan = from.plan,
                            .a = from.a.data.data(),
                            .lda = from.a.ld,
                            .b = results[k].data.data(),
                            .ldb = results[k].ld};
      requests.push_back(nullptr);
      ASSERT_EQ(start_job(job, &requests.back()), 0);
    }
    for (std::size_t k = 0; k < 8; ++k)
      ASSERT_EQ(xredist_wait(&requests[(3 * k + static_cast<std::size_t>(rank())) % 8]), 0);
    for (std::size_t k = 0; k < 8; ++k) {
      Move& from = k % 2 == 0 ? *x : *y;
      from.b = results[k];
      ASSERT_EQ(from.wrong(), 0);
    }
  }
  EXPECT_TRUE(measured(*x));
  EXPECT_TRUE(measured(*y));
}

// A start waits for no process that has not started: some processes start before a barrier, the others after it, and
// the same holds for a few executions of one plan.
TEST_F(Tune, StartsDoNotWait) {
  for (const std::size_t under_way : {std::size_t{1}, overlap}) {
    const auto x = move();
    std::vector<Part> results(under_way, x->b);
    std::vector<xredist_request*> requests(under_way);
    const auto start_all = [&] {
      for (std::size_t k = 0; k < under_way; ++k)
        ASSERT_EQ(start_job({.plan = x->plan,
                             .a = x->a.data.data(),
                             .lda = x->a.ld,
                             .b = results[k].data.data(),
                             .ldb = results[k].ld},
                            &requests[k]),
                  0);
    };
    for (int round = 0; round < enough; ++round) {
      const bool late = rank() == round % size();
      if (!late) start_all();
      MPI_Barrier(comm);
      if (late) start_all();
      for (std::size_t k = 0; k < under_way; ++k) {
        ASSERT_EQ(xredist_wait(&requests[k]), 0);
        x->b = results[k];
        ASSERT_EQ(x->wrong(), 0);
      }
    }
    EXPECT_TRUE(measured(*x));
  }
}

// A batch of several jobs goes as modelled, between trials and after them. A process may be in one of the grids only.
TEST_F(Tune, Batches) {
  const xredist_layout few{1, size() - 1, 3, 3};
  const auto x = move();
  Move y(comm, {size() - 1, 1, 4, 4}, few, 50, 50, 7);
  for (int k = 0; k < enough; ++k) {
    if (k % 3 == 0) {
      const xredist_job jobs[] = {x->job(), y.job()};
      xredist_request* request = nullptr;
      ASSERT_EQ(xredist_start(2, jobs, &request), 0);
      ASSERT_EQ(xredist_wait_member(request, k % 2), 0);
      ASSERT_EQ((k % 2 == 0 ? *x : y).wrong(), 0);
      ASSERT_EQ(xredist_wait(&request), 0);
      ASSERT_EQ((k % 2 == 0 ? y : *x).wrong(), 0);
    }
    ASSERT_EQ(execute_job(x->job()), 0);
    ASSERT_EQ(x->wrong(), 0);
    if (rank() == size() - 1) continue;  // outside both grids of y
    ASSERT_EQ(execute_job(y.job()), 0);
    ASSERT_EQ(y.wrong(), 0);
  }
  EXPECT_TRUE(measured(*x));
  EXPECT_TRUE(measured(y) || rank() == size() - 1 || size() == 2);
}

// Trials of plans on overlapping communicators.
TEST_F(Tune, TwoCommunicators) {
  MPI_Comm part;
  MPI_Comm_split(MPI_COMM_WORLD, rank() == 0 && size() > 2 ? MPI_UNDEFINED : 0, -rank(), &part);
  std::unique_ptr<Move> y;
  const auto x = move();
  if (part != MPI_COMM_NULL) {
    int in_part;
    MPI_Comm_size(part, &in_part);
    ASSERT_EQ(xredist_set_option(part, "tune", "1"), 0);
    y = std::make_unique<Move>(part, xredist_layout{in_part, 1, 1, 1}, xredist_layout{1, in_part, 2, 2}, 30, 30);
  }
  for (int k = 0; k < enough; ++k) {
    ASSERT_EQ(x->start(), 0);
    if (y) {
      ASSERT_EQ(y->start(), 0);
      ASSERT_EQ(y->wait(), 0);
      ASSERT_EQ(y->wrong(), 0);
    }
    ASSERT_EQ(x->wait(), 0);
    ASSERT_EQ(x->wrong(), 0);
  }
  EXPECT_TRUE(measured(*x));
  EXPECT_TRUE(!y || measured(*y));
  y.reset();
  if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
}

// The results of a mirrored triangle, of sums with alpha and beta, and of conversions are those of an untuned plan.
TEST_F(Tune, ResultsAreTheSameBitByBit) {
  const std::int64_t n = 37;
  const xredist_layout from{size(), 1, 2, 2}, to{1, size(), 3, 3};
  const xredist_operation mirrored{.m = n, .n = n, .type = 'D', .uplo = 'L', .mirror = 'S'},
      sum{.m = n, .n = n, .type = 'D', .trans = 'T'};
  const double alpha = 1.0 / 3, beta = 0.7;
  for (const xredist_operation& operation : {mirrored, sum}) {
    Part a(from, n, n), b(to, n, n);
    a.each([](double& x, std::int64_t i, std::int64_t j) { x = 1.0 / static_cast<double>(1 + i + 100 * j); });
    b.each([](double& x, std::int64_t i, std::int64_t j) { x = 1.0 / static_cast<double>(3 + j + 100 * i); });
    const std::vector<double> before = b.data;
    xredist_plan *tuned, *plain;
    ASSERT_EQ(create_plan(comm, from, to, operation, &tuned), 0);
    ASSERT_EQ(xredist_set_option(comm, "tune", "0"), 0);
    ASSERT_EQ(create_plan(comm, from, to, operation, &plain), 0);
    ASSERT_EQ(xredist_set_option(comm, "tune", "1"), 0);
    EXPECT_EQ(description(plain).find("measured"), std::string::npos);
    const auto result = [&](const xredist_plan* plan) {
      b.data = before;
      EXPECT_EQ(execute_job({.plan = plan,
                             .a = a.data.data(),
                             .lda = a.ld,
                             .b = b.data.data(),
                             .ldb = b.ld,
                             .alpha = &alpha,
                             .beta = &beta}),
                0);
      return b.data;
    };
    const std::vector<double> expected = result(plain);
    for (int k = 0; k < enough; ++k) ASSERT_EQ(result(tuned), expected) << k;
    xredist_plan_destroy(tuned);
    xredist_plan_destroy(plain);
  }
}

// A call with an invalid argument is no trial, and may be repeated. Plans may be destroyed at any time.
TEST_F(Tune, InvalidCallsAndEarlyEnds) {
  const auto x = move();
  for (int k = 0; k < enough; ++k) {
    if (rank() == k % size()) {
      xredist_job wrong = x->job();
      wrong.lda = 1;
      EXPECT_EQ(execute_job(wrong), x->a.rows.size() > 1 ? XREDIST_INVALID_ARGUMENT : 0);
      if (x->a.rows.size() <= 1) return;
    }
    ASSERT_EQ(execute_job(x->job()), 0);
    ASSERT_EQ(x->wrong(), 0);
  }
  EXPECT_TRUE(measured(*x));
  for (int executions = 0; executions < 40; executions += 3) {
    auto y = move();
    xredist_request* last = nullptr;
    for (int k = 0; k < executions; ++k) ASSERT_EQ(execute_job(y->job()), 0);
    ASSERT_EQ(start_job(y->job(), &last), 0);
    xredist_plan_destroy(std::exchange(y->plan, nullptr));
    ASSERT_EQ(xredist_wait(&last), 0);
    ASSERT_EQ(y->wrong(), 0);
  }
}

// A later run begins with the way that an earlier one has found, if the file is on process 0.
TEST_F(Tune, FileOfResults) {
  const std::string file = of_first("/tmp/xredist_tune_test." + std::to_string(getpid()), comm);
  ASSERT_EQ(setenv("XREDIST_TUNED", file.c_str(), 1), 0);
  const auto x = move();
  for (int k = 0; k < enough; ++k) ASSERT_EQ(execute_job(x->job()), 0);
  const auto y = move(), z = move(41);
  EXPECT_EQ(chosen(*y), "");
  for (const auto* again : {&y, &z})
    for (std::size_t k = 0; k <= overlap; ++k) {
      ASSERT_EQ(execute_job((*again)->job()), 0);
      ASSERT_EQ((*again)->wrong(), 0);
    }
  EXPECT_EQ(chosen(*y), chosen(*x));
  EXPECT_EQ(chosen(*z), "");
  MPI_Barrier(comm);
  if (rank() == 0) {
    std::ifstream lines(file);
    std::string line;
    EXPECT_TRUE(std::getline(lines, line));
    EXPECT_TRUE(line.starts_with("xredist-tuned-1 ")) << line;
    EXPECT_FALSE(std::getline(lines, line)) << line;
    std::ofstream(file) << "damaged\n" << line.substr(0, 20) << "\n";
  }
  MPI_Barrier(comm);
  const auto w = move();
  for (std::size_t k = 0; k <= overlap; ++k) ASSERT_EQ(execute_job(w->job()), 0);
  EXPECT_FALSE(measured(*w));
  EXPECT_EQ(unsetenv("XREDIST_TUNED"), 0);
  MPI_Barrier(comm);
  if (rank() == 0) std::remove(file.c_str());
}

}  // namespace
}  // namespace xredist::testing
