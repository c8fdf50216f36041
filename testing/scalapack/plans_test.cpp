// SPDX-License-Identifier: BSD-3-Clause
// Plans from descriptors: the elements that they move, the codes that they return, and their lifetime.
#include "xredist/plans.h"

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "allocations.hpp"
#include "cases.hpp"
#include "matrix.hpp"
#include "ranks.hpp"
#include "xredist/log.h"

namespace xredist::testing {
namespace {

constexpr xredist_int n = 24;

// The arguments of a correct call, which a test changes.
struct Arguments {
  char type = 'D', uplo = 'A', diag = 'N';
  xredist_int m = n, cols = n, ia = 1, ja = 1, ib = 1, jb = 1, ctxt;
  xredist_int desca[9], descb[9];
  const xredist_int *a = desca, *b = descb;
  bool with_plan = true;
  xredist_plan* plan = nullptr;
  xredist_int info = 99;

  Arguments(const Matrix& from, const Matrix& to, const Context& all) : ctxt(all.handle()) {
    std::ranges::copy(from.desc, desca);
    std::ranges::copy(to.desc, descb);
  }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;
  ~Arguments() { xredist_plan_destroy(plan); }

  int make() {
    return xredist_plan_from_descriptors(type, uplo, diag, m, cols, ia, ja, a, ib, jb, b, ctxt,
                                         with_plan ? &plan : nullptr, &info);
  }
};

bool everywhere(bool here) {
  int all = here;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return all != 0;
}

GridShape row() { return row_major(1, size()); }
GridShape column() { return row_major(size(), 1); }

void expect_moves(const xredist_plan* plan, Matrix& from, Matrix& to, double first, char uplo = 'A') {
  from.fill(first);
  std::ranges::fill(to.data, -1.0);
  EXPECT_EQ(xredist_execute(plan, from.data.data(), from.desc[8], to.data.data(), to.desc[8]), 0);
  EXPECT_EQ(to.wrong(first, uplo), 0);
}

TEST(Plans, MoveWhatTheRoutinesMove) {
  std::mt19937 random(static_cast<unsigned>(77 + 1000 * size()));
  const auto letters = ours(), references = scalapacks();
  long moved = 0;
  for (int k = 0; k < 200; ++k) {
    const Case c = random_case(random, k % 10 == 0 ? 300 : 60);
    const std::size_t letter = random() % letters.size();
    std::ostringstream wrong;
    moved += run_case(c, letters[letter], references[letter], {.form = Form::plan}, wrong);
    EXPECT_EQ(wrong.str(), "") << "case " << k << ", letter " << letters[letter].letter;
  }
  EXPECT_GT(moved, 200 * 100);
}

TEST(Plans, OfNothing) {
  Matrix from(row(), n, 2), to(column(), n, 3);
  const Context all(row());
  for (const bool no_rows : {true, false}) {
    Arguments x(from, to, all);
    (no_rows ? x.m : x.cols) = 0;
    ASSERT_EQ(x.make(), 0);
    EXPECT_EQ(xredist_execute(x.plan, nullptr, 1, to.data.data(), n), 0);
    EXPECT_EQ(xredist_execute(x.plan, from.data.data(), n, nullptr, 1), 0);
  }
}

// Grids that do not contain all processes of the context or of each other.
TEST(Plans, BetweenAnyGrids) {
  const Context all(row());
  for (const auto& [p, q] : {std::pair{0, size() - 1}, {size() - 1, 0}, {size() / 2, size() / 2}}) {
    Matrix from(row_major(1, 1, p), n, 2), to(row_major(1, 1, q), n, 5);
    for (const char uplo : {'A', 'U', 'L'}) {
      Arguments x(from, to, all);
      x.uplo = uplo;
      ASSERT_EQ(x.make(), 0);
      EXPECT_EQ(x.info, 0);
      expect_moves(x.plan, from, to, 100, uplo);
      expect_moves(x.plan, from, to, 7, uplo);
    }
  }
}

// operation_test tests operations without BLACS; these tests check that descriptors are read correctly.
struct Changed {
  xredist_operation operation;
  double (*of)(double here, double mirrored, xredist_int i, xredist_int j);  // of A(i, j), A(j, i)
};

TEST(Operations, OfDescriptors) {
  const Context all(row());
  Matrix from(row(), n, 2), to(column(), n, 3);
  const Changed changes[] = {
      {{'D', 'D', 'T', 'A', 'N', 'N'}, [](double, double mirrored, xredist_int, xredist_int) { return mirrored; }},
      {{'D', 'D', 'C', 'L', 'U', 'N'},
       [](double, double mirrored, xredist_int i, xredist_int j) { return i > j ? mirrored : -1.0; }},
      {{'D', 'D', 'N', 'U', 'N', 'S'},
       [](double here, double mirrored, xredist_int i, xredist_int j) { return i <= j ? here : mirrored; }},
  };
  for (const auto& [operation, of] : changes)
    for (const double alpha : {1.0, 2.0}) {
      xredist_plan* plan = nullptr;
      xredist_int info = 99;
      ASSERT_EQ(xredist_plan_operation_from_descriptors(&operation, n, n, 1, 1, from.desc.data(), 1, 1, to.desc.data(),
                                                        all.handle(), &plan, &info),
                0);
      EXPECT_EQ(info, 0);
      const double beta = alpha - 1;
      ASSERT_EQ(xredist_set_scalars(plan, &alpha, &beta), 0);
      from.fill(1);
      std::ranges::fill(to.data, -1.0);
      ASSERT_EQ(xredist_execute(plan, from.data.data(), from.desc[8], to.data.data(), to.desc[8]), 0);
      to.each([&](xredist_int i, xredist_int j, const double& x) {
        const double value = of(static_cast<double>(1 + i + n * j), static_cast<double>(1 + j + n * i), i, j);
        EXPECT_EQ(x, value < 0 ? -1.0 : alpha * value - beta) << i << ", " << j;
      });
      xredist_plan_destroy(plan);
    }
}

// Scalars that no double holds; sums and products wrap around.
TEST(Operations, IntegerScalarsAreExact) {
  const Context one(row_major(1, 1));
  if (!one.member()) return;
  using Unsigned = std::make_unsigned_t<xredist_int>;
  const xredist_int desc[] = {1, one.handle(), 1, 1, 1, 1, 0, 0, 1};
  const xredist_operation operation = {'I', 'I', 'N', 'A', 'N', 'N'};
  xredist_plan* plan = nullptr;
  ASSERT_EQ(
      xredist_plan_operation_from_descriptors(&operation, 1, 1, 1, 1, desc, 1, 1, desc, one.handle(), &plan, nullptr),
      0);
  constexpr int bits = std::numeric_limits<xredist_int>::digits;
  const xredist_int close_to_largest = std::numeric_limits<xredist_int>::max() - 2;
  for (const xredist_int alpha : {close_to_largest, -close_to_largest, (xredist_int{1} << (bits * 6 / 7)) + 1,
                                  xredist_int{0}, xredist_int{1}, std::numeric_limits<xredist_int>::min()})
    for (const xredist_int beta : {xredist_int{0}, xredist_int{1}, alpha}) {
      const xredist_int a = 3;
      xredist_int b = 7;
      const auto expected = static_cast<xredist_int>(static_cast<Unsigned>(alpha) * static_cast<Unsigned>(a) +
                                                     static_cast<Unsigned>(beta) * static_cast<Unsigned>(b));
      ASSERT_EQ(xredist_set_scalars(plan, &alpha, &beta), 0);
      ASSERT_EQ(xredist_execute(plan, &a, 1, &b, 1), 0);
      EXPECT_EQ(b, expected) << "alpha " << alpha << ", beta " << beta;
    }
  xredist_plan_destroy(plan);
}

// A's submatrix is n x m if A is transposed.
TEST(Operations, NameTheArgument) {
  const Context all(row());
  Matrix from(row(), n, 2), to(column(), n, 3);
  xredist_operation operation{'D', 'D', 'T', 'A', 'N', 'N'};
  xredist_plan* plan = nullptr;
  const auto make = [&](const xredist_operation* its, xredist_int m, xredist_int cols, xredist_int ia, xredist_int ja) {
    xredist_int info = 99;
    const int error = xredist_plan_operation_from_descriptors(its, m, cols, ia, ja, from.desc.data(), 1, 1,
                                                              to.desc.data(), all.handle(), &plan, &info);
    EXPECT_EQ(error, info);
    return error;
  };
  ASSERT_EQ(make(&operation, n, n - 4, 5, 1), 0);
  xredist_plan_destroy(plan);
  EXPECT_EQ(make(&operation, n, n - 4, 6, 1), -3);
  EXPECT_EQ(make(&operation, n, n - 4, 5, 2), -2);
  EXPECT_EQ(make(nullptr, n, n, 1, 1), -1);
  operation.trans = rank() == 0 && size() > 1 ? 'N' : 'T';
  EXPECT_EQ(make(&operation, n, n, 1, 1), size() > 1 ? -1 : 0);
  xredist_plan_destroy(plan);
  operation.mirror = 'S';
  EXPECT_EQ(make(&operation, n, n, 1, 1), -1);
  EXPECT_EQ(plan, nullptr);
}

// Intervals that stand for blocks of 3 rows on a column of processes.
struct Rows {
  std::vector<std::int64_t> cuts;
  std::vector<int> owners;
  Rows() {
    for (int k = 0; k <= n / 3; ++k) cuts.push_back(3 * k);
    for (int k = 0; k < n / 3; ++k) owners.push_back(k % size());
  }
  xredist_partition told() const { return {std::ssize(owners), cuts.data(), owners.data()}; }
};

int plan_to(const Matrix& from, const xredist_int* to, const Context& all, const xredist_partition& rows,
            xredist_plan*& plan) {
  const xredist_operation operation{'D', 'D', 'N', 'A', 'N', 'N'};
  xredist_int info = 99;
  const int error = xredist_plan_partition_from_descriptors(&operation, n, n, 1, 1, from.desc.data(), nullptr, nullptr,
                                                            1, 1, to, &rows, nullptr, all.handle(), &plan, &info);
  EXPECT_EQ(error, info);
  return error;
}

// The descriptor's block size is not read, and processes outside of a grid know the intervals. operation_test tests the
// elements that move.
TEST(Intervals, StandForADimensionOfADescriptor) {
  const Context all(row());
  const Rows rows;
  for (const GridShape& source : {row(), row_major(1, 1, size() - 1)}) {
    Matrix from(source, n, 2), to(column(), n, 3);
    auto told = to.desc;
    told[4] = 0, told[6] = 99;
    xredist_plan* plan = nullptr;
    ASSERT_EQ(plan_to(from, told.data(), all, rows.told(), plan), 0);
    expect_moves(plan, from, to, 5);
    xredist_plan_destroy(plan);
  }
}

TEST(Intervals, AreNamedOnAllProcesses) {
  const Context all(row());
  const Matrix from(row(), n, 2), to(column(), n, 3);
  const std::pair<const char*, std::function<void(Rows&)>> errors[] = {
      {"not rising", [](Rows& x) { x.cuts[2] = 2; }},
      {"not from 0", [](Rows& x) { x.cuts[0] = 1; }},
      {"beyond the matrix", [](Rows& x) { x.cuts.back() = n + 1; }},
      {"an owner outside of the grid", [](Rows& x) { x.owners[1] = size(); }},
      {"an owner below 0, on one process", [](Rows& x) { x.owners[1] = rank() == size() - 1 ? -1 : 0; }},
  };
  xredist_plan* plan = nullptr;
  for (const auto& [name, change] : errors) {
    SCOPED_TRACE(name);
    Rows rows;
    change(rows);
    EXPECT_EQ(plan_to(from, to.desc.data(), all, rows.told(), plan), -12);
    EXPECT_EQ(plan, nullptr);
  }
  Rows rows;
  if (rank() == 0) rows.owners[1] = 0;
  EXPECT_EQ(plan_to(from, to.desc.data(), all, rows.told(), plan), size() > 1 ? -12 : 0) << "different";
  xredist_plan_destroy(plan);
}

struct Error {
  const char* name;
  int info;
  std::function<void(Arguments&)> change;
};

// All processes return the same value, whichever process passed the wrong argument.
TEST(Info, NamesTheArgumentOnAllProcesses) {
  Matrix from(row(), n, 2), to(column(), n, 3);
  const Context all(row());
  const std::vector<Error> errors = {
      {"type", -1, [](Arguments& x) { x.type = 'Q'; }},
      {"uplo", -2, [](Arguments& x) { x.uplo = '\0'; }},
      {"diag", -3, [](Arguments& x) { x.diag = 'A'; }},
      {"m negative", -4, [](Arguments& x) { x.m = -1; }},
      {"m beyond M_", -4, [](Arguments& x) { x.ia = 2; }},
      {"n negative", -5, [](Arguments& x) { x.cols = -7; }},
      {"n beyond N_", -5, [](Arguments& x) { x.cols = n + 1; }},
      {"ia", -6, [](Arguments& x) { x.ia = 0; }},
      {"ja", -7, [](Arguments& x) { x.ja = -2; }},
      {"desca NULL", -8, [](Arguments& x) { x.a = nullptr; }},
      {"mb", -805, [](Arguments& x) { x.desca[4] = 0; }},
      {"nb", -806, [](Arguments& x) { x.desca[5] = -3; }},
      {"rsrc", -807, [](Arguments& x) { x.desca[6] = 1; }},
      {"csrc", -808, [](Arguments& x) { x.desca[7] = size(); }},
      {"lld", -809, [](Arguments& x) { x.desca[8] = n - 1; }},
      {"ib", -9, [](Arguments& x) { x.ib = 0; }},
      {"jb", -10, [](Arguments& x) { x.jb = 0; }},
      {"descb NULL", -11, [](Arguments& x) { x.b = nullptr; }},
      {"mb of b", -1105, [](Arguments& x) { x.descb[4] = -1; }},
      {"csrc of b", -1108, [](Arguments& x) { x.descb[7] = 1; }},
      {"plan NULL", -13, [](Arguments& x) { x.with_plan = false; }},
      {"the first of two", -2, [](Arguments& x) { rank() == 0 ? x.uplo = 'x' : x.ib = 0; }},
  };
  for (const Error& error : errors)
    for (const int victim : {-1, 0, size() - 1}) {  // all processes, or one
      Arguments x(from, to, all);
      if (victim < 0 || victim == rank()) error.change(x);
      const std::string text = std::string(error.name) + ", process " + std::to_string(victim);
      const int info = std::string(error.name) == "the first of two" && victim > 0 ? -9 : error.info;
      EXPECT_EQ(x.make(), info) << text;
      EXPECT_EQ(x.info, info) << text;
      EXPECT_EQ(x.plan, nullptr) << text;
    }
  Arguments x(from, to, all);
  ASSERT_EQ(x.make(), 0);
  expect_moves(x.plan, from, to, 5);
}

TEST(Info, NamesWhatDiffersBetweenProcesses) {
  if (size() < 2) GTEST_SKIP() << "needs 2 processes";
  Matrix from(row(), n, 2), to(column(), n, 3);
  const Context all(row());
  for (const Error& error : std::vector<Error>{
           {"type", -1, [](Arguments& x) { x.type = 'C'; }},  // as long as D
           {"uplo", -2, [](Arguments& x) { x.uplo = 'L'; }},
           {"m", -4, [](Arguments& x) { x.m = n - 1; }},
           {"n", -5, [](Arguments& x) { x.cols = n - 1; }},
           {"ia", -6, [](Arguments& x) { x.m = n - 1, x.ia = 1 + (rank() == 0); }},
           {"desca mb", -805, [](Arguments& x) { x.desca[4] = 3; }},
           {"descb nb", -1106, [](Arguments& x) { x.descb[5] = 7; }},
           {"descb grid", -1102, [](Arguments& x) { x.descb[1] = x.desca[1]; }},
       }) {
    Arguments x(from, to, all);
    if (std::string(error.name) == "ia") x.m = n - 1;
    if (rank() == 0) error.change(x);
    EXPECT_EQ(x.make(), error.info) << error.name;
    EXPECT_EQ(x.plan, nullptr) << error.name;
  }
  Arguments x(from, to, all);
  x.uplo = 'U';
  x.diag = rank() == 0 ? 'U' : 'N';
  EXPECT_EQ(x.make(), -3);
  for (const bool a : {true, false}) {
    Arguments nowhere(from, to, all);
    (a ? nowhere.desca : nowhere.descb)[1] = -1;
    EXPECT_EQ(nowhere.make(), a ? -802 : -1102);
  }
}

TEST(Info, OfContexts) {
  Matrix from(row(), n, 2), to(column(), n, 3);
  const Context all(row());
  Arguments x(from, to, all);
  x.ctxt = -1;
  EXPECT_EQ(x.make(), -12);
  EXPECT_EQ(x.info, -12);
  if (size() < 2) return;
  // The context lacks a process of the grids; that process does not call.
  const Context fewer(row_major(1, size() - 1));
  Arguments y(from, to, fewer);
  EXPECT_EQ(y.make(), -12);
  // Grids of the same shape, in which two processes claim the same place.
  const Context first(row_major(1, 1, 0)), second(row_major(1, 1, 1));
  Arguments z(from, to, all);
  z.desca[1] = rank() == 1 ? second.handle() : first.handle();
  EXPECT_EQ(z.make(), -802);
}

TEST(Info, OfOptions) {
  const Context all(row());
  EXPECT_EQ(xredist_set_context_option(-1, "buffer", "2M"), -1);
  EXPECT_EQ(xredist_set_context_option(all.handle(), "buffers", "2M"), -2);
  EXPECT_EQ(xredist_set_context_option(all.handle(), nullptr, "2M"), -2);
  EXPECT_EQ(xredist_set_context_option(all.handle(), "buffer", "2"), -3);
  Matrix from(row(), n, 2), to(column(), n, 3);
  const std::string file = "plans_test." + std::to_string(size()) + ".log";
  if (rank() == 0) std::ofstream(file, std::ios::trunc);
  ASSERT_EQ(xredist_set_log(rank() == 0 ? file.c_str() : "none"), 0);
  ASSERT_EQ(xredist_set_context_option(all.handle(), "verbose", "1"), 0);
  Arguments x(from, to, all);
  ASSERT_EQ(x.make(), 0);
  xredist_set_log("stderr");
  expect_moves(x.plan, from, to, 3);
  if (rank() != 0) return;
  std::string line;
  std::getline(std::ifstream(file) >> std::ws, line);
  EXPECT_EQ(line.find("xredist: XREDIST_PLAN_FROM_DESCRIPTORS plans "), 0U) << line;
  std::remove(file.c_str());
}

TEST(Info, OfTheEnvironment) {
  const char* buffer = std::getenv("XREDIST_BUFFER");
  if (buffer == nullptr || std::string(buffer) != "lots") GTEST_SKIP() << "XREDIST_BUFFER is not lots";
  Matrix from(row(), n, 2), to(column(), n, 3);
  const Context all(row());
  Arguments x(from, to, all);
  EXPECT_EQ(x.make(), XREDIST_BAD_OPTION);
  EXPECT_EQ(x.info, XREDIST_BAD_OPTION);
}

// Each allocation fails once, on all processes or on one. All processes return the same code and can use the context
// again.
TEST(Info, OfALackOfMemory) {
  const int last = size() - 1;
  for (const int victim : size() <= 4 ? std::vector{-1, 0, last} : std::vector{last}) {
    bool more = true;
    long k = 1;
    for (; more && k < 500; ++k) {
      Matrix from(row_major(1, 1, last), n, 2), to(column(), n, 3);
      const Context all(row());
      Arguments x(from, to, all);
      if (victim < 0 || victim == rank()) fail_allocation(k);
      const int error = x.make();
      more = !everywhere(!stop_failing());
      int least = error;
      MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
      ASSERT_TRUE(everywhere(error == least)) << error << " at allocation " << k;
      EXPECT_TRUE(error == 0 || (more && error == XREDIST_NO_MEMORY)) << error << " at allocation " << k;
      EXPECT_EQ(x.plan == nullptr, error != 0);
      Arguments back(to, from, all);  // B's grid is one that the failed call may have left unknown
      ASSERT_EQ(back.make(), 0) << "after allocation " << k;
      expect_moves(back.plan, to, from, 4);
      if (error != 0) {
        ASSERT_EQ(x.make(), 0);
      }
      expect_moves(x.plan, from, to, 9);
    }
    EXPECT_FALSE(more);
    EXPECT_GT(k, 20) << "few allocations failed";
  }
}

TEST(Life, ThePlanOutlivesTheGridsButNotTheContext) {
  auto all = std::make_unique<Context>(row());
  auto from = std::make_unique<Matrix>(row(), n, 2), to = std::make_unique<Matrix>(column(), n, 3);
  Arguments x(*from, *to, *all);
  ASSERT_EQ(x.make(), 0);
  from->fill(1);
  const std::vector<double> data = from->data;
  from.reset();  // frees the grids; another may get their handles
  const Matrix other(row(), n, 1);
  to->data.assign(to->data.size(), -1.0);
  ASSERT_EQ(xredist_execute(x.plan, data.data(), n, to->data.data(), n), 0);
  EXPECT_EQ(to->wrong(1), 0);

  std::ranges::fill(to->data, -1.0);
  xredist_request* request = nullptr;
  ASSERT_EQ(xredist_start(x.plan, data.data(), n, to->data.data(), n, &request), 0);
  all.reset();  // completes what is under way
  EXPECT_EQ(to->wrong(1), 0);
  EXPECT_EQ(xredist_wait(&request), 0);
  EXPECT_EQ(xredist_execute(x.plan, data.data(), n, to->data.data(), n), -1);
  const xredist_plan* plan = x.plan;
  const void* a = data.data();
  void* b = to->data.data();
  const std::int64_t ld = n;
  EXPECT_EQ(xredist_start_batch(1, &plan, &a, &ld, &b, &ld, &request), -2);
  EXPECT_EQ(request, nullptr);
}

TEST(Life, ContextsComeAndGo) {
  for (int turn = 0; turn < 30; ++turn) {
    Matrix from(turn % 2 == 0 ? row() : column(), n, 1 + turn % 3), to(row_major(1, 1, turn % size()), n, 4);
    const Context all(turn % 3 == 0 ? row() : column());
    Arguments x(from, to, all), y(to, from, all);
    ASSERT_EQ(x.make(), 0);
    ASSERT_EQ(y.make(), 0);
    expect_moves(x.plan, from, to, turn);
    expect_moves(y.plan, to, from, -turn - 1000);
  }
}

}  // namespace
}  // namespace xredist::testing
