// SPDX-License-Identifier: BSD-3-Clause
// Redistributions under way: start, test, wait, batches, and the C++ interface.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <complex>
#include <utility>
#include <vector>

#include "layout/axis.hpp"
#include "ranks.hpp"
#include "xredist/xredist.hpp"

namespace {
int messages = 0;
}

// Takes the place of MPI's own function, to count what the library sends.
extern "C" [[gnu::visibility("default")]] int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag,
                                                        MPI_Comm comm, MPI_Request* request) {
  ++messages;
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

namespace xredist::testing {

using namespace core;
namespace {

xredist_layout rows(std::int64_t block) { return {size(), 1, block, block}; }
xredist_layout cols(std::int64_t block) { return {1, size(), block, block, 0, size() - 1}; }

// The local part of an m x n matrix whose element (i, j) is factor * (m j + i + 1).
template <class Element>
struct Local {
  std::int64_t ld;
  std::vector<Element> data;

  Local(const xredist_layout& x, Index m, Index n, double factor) {
    const Axis row{x.mb, x.nprow, x.rsrc, 0}, col{x.nb, x.npcol, x.csrc, 0};
    const Index my_row = rank() / x.npcol, my_col = rank() % x.npcol;
    ld = std::max<Index>(1, local_count(row, my_row, m));
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < m; ++i)
        if (owner(row, i) == my_row && owner(col, j) == my_col)
          data.push_back(static_cast<Element>(factor * static_cast<double>(m * j + i + 1)));
  }
};

template <class Element>
struct Case {
  Index m, n;
  xredist_layout from, to;
  Plan<Element> plan{MPI_COMM_WORLD, from, to, {.m = m, .n = n}};
  Local<Element> a, expected;
  std::vector<Element> b = std::vector<Element>(expected.data.size() + 1, Element(-1));

  Case(Index m_, Index n_, const xredist_layout& from_, const xredist_layout& to_, double factor)
      : m(m_), n(n_), from(from_), to(to_), a(from, m, n, factor), expected(to, m, n, factor) {}

  Request start() { return plan.start({a.data.data(), a.ld}, {b.data(), expected.ld}); }
  void expect_moved() {
    b.pop_back();
    EXPECT_EQ(b, expected.data);
    b.push_back(Element(-1));
  }
};

TEST(Request, SeveralUnderWayAreDoneInAnyOrderOfWaiting) {
  Case<double> x(60, 40, rows(3), cols(4), 1), y(300, 200, cols(7), rows(16), 0.5);
  Case<float> z(33, 55, rows(1), rows(8), 2);
  Request first = x.start(), second = y.start(), third = z.start();
  third.wait();
  z.expect_moved();
  while (!first.test()) {
  }
  x.expect_moved();
  second.wait();
  y.expect_moved();
  EXPECT_TRUE(second.test()) << "a request that is done stays done";
}

TEST(Request, ItsEndIsWaitedForAtTheEndOfItsLife) {
  Case<std::complex<double>> x(50, 70, rows(5), cols(2), 1);
  { const Request request = x.start(); }
  x.expect_moved();
}

TEST(Request, ExecuteAfterStartDoesBoth) {
  Case<double> x(60, 40, rows(3), cols(4), 1), y(61, 41, cols(3), rows(4), 1);
  Request request = x.start();
  y.plan.execute({y.a.data.data(), y.a.ld}, {y.b.data(), y.expected.ld});
  y.expect_moved();
  request.wait();
  x.expect_moved();
}

struct Batch {
  std::vector<xredist_job> jobs;

  template <class Element>
  void add(Case<Element>& c) {
    jobs.push_back({c.plan.get(), c.a.data.data(), c.a.ld, c.b.data(), c.expected.ld});
  }
  void run() {
    xredist_request* request = nullptr;
    ASSERT_EQ(xredist_start(static_cast<int>(jobs.size()), jobs.data(), &request), 0);
    EXPECT_EQ(xredist_wait(&request), 0);
    EXPECT_EQ(request, nullptr);
  }
};

TEST(Batch, OneMessageForAPairOfProcesses) {
  ASSERT_EQ(xredist_set_option(MPI_COMM_WORLD, "route", "direct"), 0);
  Case<double> x(24, 12, rows(2), cols(3), 1), y(12, 24, rows(1), cols(1), 2);
  Case<float> z(20, 20, rows(2), cols(2), 3);
  Batch batch;
  batch.add(x);
  batch.add(y);
  batch.add(z);
  const int before = messages;
  batch.run();
  EXPECT_EQ(messages - before, size() - 1);
  x.expect_moved();
  y.expect_moved();
  z.expect_moved();
  EXPECT_EQ(xredist_set_option(MPI_COMM_WORLD, "route", "by-cost"), 0);
}

TEST(Batch, OfAllSizesAndPairs) {
  Case<double> x(700, 300, rows(16), cols(32), 1), y(40, 30, cols(1), cols(2), 2), w(700, 300, rows(16), cols(32), 5);
  Case<float> z(512, 512, rows(64), rows(48), 0.25);
  Batch batch;
  batch.add(y);
  batch.add(x);
  batch.add(z);
  batch.add(w);
  batch.run();
  x.expect_moved();
  y.expect_moved();
  z.expect_moved();
  w.expect_moved();
}

// Parts of B that are written past the caches, with runs that begin anywhere.
TEST(Request, LargeParts) {
  const Index n = 1100 * (size() > 4 ? 3 : 2);  // over 8 MB for each process
  Case<double> x(n + 1, n, rows(101), cols(37), 1);
  x.start().wait();
  x.expect_moved();
}

TEST(Options, OfPlansToCome) {
  for (const auto& [name, value] : {std::pair{"algorithm", "split"},
                                    {"shared", "0"},
                                    {"buffer", "1M"},
                                    {"algorithm", "rank"},
                                    {"shared", "1"},
                                    {"buffer", "16M"},
                                    {"algorithm", "default"}}) {
    ASSERT_EQ(xredist_set_option(MPI_COMM_WORLD, name, value), 0) << name;
    Case<double> x(600, 400, rows(3), cols(5), 1);
    x.start().wait();
    x.expect_moved();
  }
}

TEST(Plan, MovesButIsNotCopied) {
  static_assert(!std::is_copy_constructible_v<Plan<double>> && !std::is_copy_constructible_v<Request>);
  Case<double> x(30, 30, rows(2), cols(3), 1), y(20, 20, rows(1), cols(1), 1);
  Plan<double> moved = std::move(x.plan);
  EXPECT_EQ(x.plan.get(), nullptr);
  moved.execute({x.a.data.data(), x.a.ld}, {x.b.data(), x.expected.ld});
  x.expect_moved();
  std::swap(moved, y.plan);
  moved.execute({y.a.data.data(), y.a.ld}, {y.b.data(), y.expected.ld});
  y.expect_moved();
}

}  // namespace
}  // namespace xredist::testing
