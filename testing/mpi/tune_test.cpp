// SPDX-License-Identifier: BSD-3-Clause
// xredist_plan_tune: B is as after one execution, all processes keep the same way, and an error on one process is an
// error on all. Executions never wait for processes with which they exchange nothing.
#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "move.hpp"

namespace xredist::testing {
namespace {

int tune(xredist_plan* plan, const xredist_job& job) { return xredist_plan_tune(plan, &job); }
int tune(Move& move) { return tune(move.plan, move.job()); }

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
  void SetUp() override { MPI_Comm_dup(MPI_COMM_WORLD, &comm); }
  void TearDown() override {
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  }

  // From blocks of 2 rows to blocks of 3 columns.
  std::unique_ptr<Move> move(std::int64_t n = 40) const {
    return std::make_unique<Move>(comm, xredist_layout{size(), 1, 2, 2}, xredist_layout{1, size(), 3, 3}, n, n);
  }
  // Expects one error on all processes. Then the plan works as before.
  void expect_error_on_all(int code, const std::string& sentence, Move& x) const {
    const std::string text = outcome(code);
    EXPECT_EQ(text, "invalid: " + sentence);
    EXPECT_EQ(text, of_first(text, comm));
    EXPECT_FALSE(measured(x));
    x.wrong();  // sets B to -1
    EXPECT_EQ(execute_job(x.job()), 0);
    EXPECT_EQ(x.wrong(), 0);
  }

  MPI_Comm comm = MPI_COMM_NULL;
};

TEST_F(Tune, LeavesBAsAnExecutionDoes) {
  for (const std::int64_t n : {1, 40, 600}) {
    const auto x = move(n);
    EXPECT_FALSE(measured(*x));
    ASSERT_EQ(tune(*x), 0);
    EXPECT_EQ(x->wrong(), 0);
    EXPECT_EQ(measured(*x), size() > 1) << description(x->plan);
    EXPECT_EQ(chosen(*x), of_first(chosen(*x), comm));
    for (int k = 0; k < 3; ++k) {
      ASSERT_EQ(execute_job(x->job()), 0);
      EXPECT_EQ(x->wrong(), 0);
    }
  }
}

// The plan is the one that a program gets if it sets the options of the way.
TEST_F(Tune, KeepsTheWay) {
  const auto x = move();
  ASSERT_EQ(tune(*x), 0);
  std::istringstream settings(chosen(*x) == "as modelled" ? "" : chosen(*x));
  for (std::string setting; settings >> setting;) {
    const std::size_t equals = setting.find('=');
    ASSERT_EQ(xredist_set_option(comm, setting.substr(0, equals).c_str(), setting.substr(equals + 1).c_str()), 0);
  }
  const auto y = move();
  const std::string text = description(x->plan);
  // Without the estimates that a plan gives for its choice of a route.
  const auto moved = [](const std::string& all) { return all.substr(0, all.find("; ")); };
  EXPECT_EQ(moved(text), moved(description(y->plan)));
}

// A later call begins with the model's choice again.
TEST_F(Tune, MayBeRepeated) {
  const auto x = move();
  for (int k = 0; k < 2; ++k) {
    ASSERT_EQ(tune(*x), 0);
    EXPECT_EQ(x->wrong(), 0);
    EXPECT_EQ(measured(*x), size() > 1);
  }
}

// The last process is in neither grid. It has nothing to describe.
TEST_F(Tune, ProcessesOutsideBothGridsTakePart) {
  if (size() == 1) GTEST_SKIP() << "needs a process outside of the grids";
  const int members = size() - 1;
  Move x(comm, {members, 1, 2, 2}, {1, members, 3, 3}, 40, 40);
  xredist_job job = x.job();
  if (rank() == members) job = {.plan = nullptr, .a = nullptr, .lda = 0, .b = nullptr, .ldb = 0};
  ASSERT_EQ(tune(x.plan, job), 0);
  EXPECT_EQ(x.wrong(), 0);
  EXPECT_EQ(measured(x), members > 1 && rank() < members);
}

// Other exchanges are under way, of the same plan, too, and end after the plan has another way.
TEST_F(Tune, BetweenStartAndWait) {
  const auto x = move(), y = move(60);
  ASSERT_EQ(x->start(), 0);
  Part b = x->b;
  xredist_job again = x->job();
  again.b = b.data.data();
  ASSERT_EQ(y->start(), 0);
  ASSERT_EQ(tune(x->plan, again), 0);
  EXPECT_EQ(y->wait(), 0);
  EXPECT_EQ(x->wait(), 0);
  EXPECT_EQ(x->wrong() + y->wrong(), 0);
  x->b = b;
  EXPECT_EQ(x->wrong(), 0);
}

// Plans of overlapping communicators, whose processes have other ranks.
TEST_F(Tune, TwoCommunicators) {
  MPI_Comm part;
  MPI_Comm_split(MPI_COMM_WORLD, rank() == 0 && size() > 2 ? MPI_UNDEFINED : 0, -rank(), &part);
  std::unique_ptr<Move> y;
  const auto x = move();
  ASSERT_EQ(x->start(), 0);
  if (part != MPI_COMM_NULL) {
    int in_part;
    MPI_Comm_size(part, &in_part);
    y = std::make_unique<Move>(part, xredist_layout{in_part, 1, 1, 1}, xredist_layout{1, in_part, 2, 2}, 30, 30);
    ASSERT_EQ(tune(*y), 0);
    EXPECT_EQ(y->wrong(), 0);
    EXPECT_EQ(measured(*y), in_part > 1);
  }
  ASSERT_EQ(x->wait(), 0);
  EXPECT_EQ(x->wrong(), 0);
  ASSERT_EQ(tune(*x), 0);
  EXPECT_EQ(x->wrong(), 0);
  y.reset();
  if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
}

// The results of a mirrored triangle and of multiples are those of an untuned plan, and so are later sums.
TEST_F(Tune, ResultsAreTheSameBitByBit) {
  const std::int64_t n = 37;
  const xredist_layout from{size(), 1, 2, 2}, to{1, size(), 3, 3};
  const xredist_operation mirrored{.m = n, .n = n, .type = 'D', .uplo = 'L', .mirror = 'S'},
      transposed{.m = n, .n = n, .type = 'D', .trans = 'T'};
  const double alpha = 1.0 / 3, beta = 0.7, zero = 0;
  for (const xredist_operation& operation : {mirrored, transposed}) {
    Part a(from, n, n), b(to, n, n);
    a.each([](double& x, std::int64_t i, std::int64_t j) { x = 1.0 / static_cast<double>(1 + i + 100 * j); });
    b.each([](double& x, std::int64_t i, std::int64_t j) { x = 1.0 / static_cast<double>(3 + j + 100 * i); });
    const std::vector<double> before = b.data;
    xredist_plan *tuned, *plain;
    ASSERT_EQ(create_plan(comm, from, to, operation, &tuned), 0);
    ASSERT_EQ(create_plan(comm, from, to, operation, &plain), 0);
    const auto result = [&](auto call, const double* factor) {
      b.data = before;
      const xredist_job job{.plan = nullptr,
                            .a = a.data.data(),
                            .lda = a.ld,
                            .b = b.data.data(),
                            .ldb = b.ld,
                            .alpha = &alpha,
                            .beta = factor};
      EXPECT_EQ(call(job), 0);
      return b.data;
    };
    const auto execute = [](const xredist_plan* plan) {
      return [plan](xredist_job job) {
        job.plan = plan;
        return execute_job(job);
      };
    };
    EXPECT_EQ(result([&](const xredist_job& job) { return tune(tuned, job); }, &zero), result(execute(plain), &zero));
    EXPECT_EQ(result(execute(tuned), &beta), result(execute(plain), &beta));
    xredist_plan_destroy(tuned);
    xredist_plan_destroy(plain);
  }
}

TEST_F(Tune, AnErrorOnOneProcessIsAnErrorOnAll) {
  for (int wrong = 0; wrong < size(); ++wrong) {
    const auto x = move();
    xredist_job job = x->job();
    if (rank() == wrong) job.a = nullptr;
    expect_error_on_all(tune(x->plan, job), of_process(wrong, "a is NULL on a process that holds a part of it"), *x);
    const int none = xredist_plan_tune(x->plan, rank() == wrong ? nullptr : &job);
    expect_error_on_all(none, of_process(wrong, "job is NULL: this process has no valid arguments"), *x);
    const auto y = move();
    job = x->job();
    if (rank() == wrong) job.plan = y->plan;
    expect_error_on_all(tune(x->plan, job), of_process(wrong, "job.plan is another plan"), *x);
    job = x->job();
    const double one = 1;
    if (rank() == wrong) job.alpha = &one;
    expect_error_on_all(tune(x->plan, job), of_process(wrong, "alpha: the plan has no type"), *x);
    EXPECT_EQ(tune(*x), 0);
    EXPECT_EQ(x->wrong(), 0);
  }
}

// The lowest rank speaks for all.
TEST_F(Tune, OneSentenceOfManyErrors) {
  const auto x = move();
  xredist_job job = x->job();
  job.a = nullptr;
  expect_error_on_all(xredist_plan_tune(x->plan, rank() == 0 ? &job : nullptr),
                      "a is NULL on a process that holds a part of it", *x);
}

TEST_F(Tune, RefusesWhatExecutionsWouldRepeat) {
  const double one = 1, zero = 0;
  xredist_plan* plan = nullptr;
  const xredist_layout layout{size(), 1, 2, 2};
  Part a(layout, 40, 40), b(layout, 40, 40);
  a.each([](double& x, std::int64_t i, std::int64_t j) { x = static_cast<double>(i + 40 * j); });
  const std::vector<double> before = a.data;
  ASSERT_EQ(create_plan(comm, layout, layout, {.m = 38, .n = 40, .ib = 3, .type = 'D'}, &plan), 0);
  xredist_job job{.plan = plan, .a = a.data.data(), .lda = a.ld, .b = b.data.data(), .ldb = b.ld};
  const auto refused = [&](const std::string& sentence) {
    const std::string text = outcome(tune(plan, job));
    EXPECT_EQ(text, "invalid: " + sentence);
    EXPECT_EQ(a.data, before);
    EXPECT_EQ(b.data, std::vector<double>(b.data.size(), -1));
  };
  job.beta = rank() == size() - 1 ? &one : &zero;
  refused(of_process(size() - 1,
                     "beta is not 0: a plan that is tuned is executed several times, and B would be added to itself"));
  job.beta = &zero;
  if (rank() == 0) job.b = a.data.data();
  refused(of_process(0, "a and b overlap in memory: a plan that is tuned is executed several times, from the same A"));
  job.b = b.data.data();
  EXPECT_EQ(tune(plan, job), 0);
  EXPECT_EQ(a.data, before);
  xredist_plan_destroy(plan);
}

TEST_F(Tune, RefusesPlansThatDiffer) {
  if (size() < 3) GTEST_SKIP() << "needs processes that agree, and one that does not";
  const auto x = move(), y = move(41);
  EXPECT_EQ(outcome(tune(rank() == 1 ? *y : *x)), "invalid: plan differs between processes");
  for (const auto* each : {&x, &y}) {
    EXPECT_EQ(execute_job((*each)->job()), 0);
    EXPECT_EQ((*each)->wrong(), 0);
  }
}

// No other process learns of these errors.
TEST_F(Tune, RefusesPlansThatAreNone) {
  const xredist_job job{};
  EXPECT_EQ(outcome(xredist_plan_tune(nullptr, &job)), "invalid: plan is NULL");
  const auto x = move();
  MPI_Comm_free(&comm);
  EXPECT_EQ(outcome(tune(*x)), "invalid: plan: its communicator has been freed");
}

// A later run begins with the way that an earlier one has found, if the file is on process 0.
TEST_F(Tune, FileOfResults) {
  if (size() == 1) GTEST_SKIP() << "one process has nothing to choose";
  const std::string file = of_first("/tmp/xredist_tune_test." + std::to_string(getpid()), comm);
  ASSERT_EQ(setenv("XREDIST_TUNED", file.c_str(), 1), 0);
  const auto lines = [&] {
    MPI_Barrier(comm);
    std::ifstream all(file);
    std::vector<std::string> found;
    for (std::string line; rank() == 0 && std::getline(all, line);) found.push_back(line);
    return found;
  };
  const auto x = move();
  ASSERT_EQ(tune(*x), 0);
  std::vector<std::string> found = lines();
  if (rank() == 0) {
    ASSERT_EQ(found.size(), 1U);
    EXPECT_TRUE(found[0].starts_with("xredist-tuned-1 ")) << found[0];
  }
  const auto y = move(), z = move(41);
  for (const auto* again : {&y, &z}) {
    ASSERT_EQ(tune(**again), 0);
    EXPECT_EQ((*again)->wrong(), 0);
  }
  EXPECT_EQ(chosen(*y), chosen(*x));
  EXPECT_TRUE(description(y->plan).ends_with(" ways")) << "not measured again";
  found = lines();
  if (rank() == 0) {
    EXPECT_EQ(found.size(), 2U) << "that of another size";
    std::ofstream(file) << "damaged\n" << found[0].substr(0, 20) << "\n";
  }
  MPI_Barrier(comm);
  const auto w = move();
  ASSERT_EQ(tune(*w), 0);
  EXPECT_FALSE(description(w->plan).ends_with(" ways")) << "measured";
  EXPECT_EQ(unsetenv("XREDIST_TUNED"), 0);
  MPI_Barrier(comm);
  if (rank() == 0) std::remove(file.c_str());
}

// The processes of a pair swap their rows. Half of the pairs execute before a barrier, the others
// after it, in turns. Neither the option tune nor a plan that has been tuned makes executions wait for other processes.
TEST_F(Tune, ExecutionsSynchroniseNoProcessesThatExchangeNothing) {
  ASSERT_EQ(xredist_set_option(comm, "tune", "1"), 0);
  const std::int64_t n = 6 * size();
  std::vector<std::int64_t> bounds{0};
  std::vector<int> owners, peers;
  for (int k = 0; k < size(); ++k) {
    bounds.push_back(6 * (k + 1));
    owners.push_back(k);
    peers.push_back((k ^ 1) < size() ? k ^ 1 : k);
  }
  const xredist_partition rows{size(), bounds.data(), owners.data()},
      rows_of_peers{size(), bounds.data(), peers.data()};
  const xredist_layout from{size(), 1, 1, 4, 0, 0, nullptr, &rows, nullptr},
      to{size(), 1, 1, 4, 0, 0, nullptr, &rows_of_peers, nullptr};
  Move x(comm, from, to, n, 5);
  ASSERT_EQ(x.code, 0);
  for (const bool tuned : {false, true}) {
    if (tuned) {
      ASSERT_EQ(tune(x), 0);
    }
    for (int k = 0; k < 100; ++k) {
      const bool early = rank() / 2 % 2 == k % 2;
      if (early) {
        ASSERT_EQ(execute_job(x.job()), 0);
      }
      MPI_Barrier(comm);
      if (!early) {
        ASSERT_EQ(execute_job(x.job()), 0);
      }
      ASSERT_EQ(x.wrong(), 0);
    }
  }
}

}  // namespace
}  // namespace xredist::testing
