// SPDX-License-Identifier: BSD-3-Clause
// Invalid arguments of the C interface: the code, and the sentence of xredist_error(), for each cause.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "plans.hpp"
#include "ranks.hpp"
#include "sentences.hpp"
#include "xredist/fit.h"
#include "xredist/relabel.h"

namespace xredist::testing {
namespace {

constexpr std::int64_t top = std::int64_t{1} << 40;

// The arguments of a correct call, which a row changes: 20 rows in slabs become 20 columns in slabs.
struct Arguments {
  MPI_Comm comm = MPI_COMM_WORLD;
  xredist_layout a{size(), 1, 4, 4}, b{1, size(), 4, 4};
  xredist_operation operation{.m = 20, .n = 20, .type = 'D'};
  const xredist_layout *a_passed = &a, *b_passed = &b;
  const xredist_operation* operation_passed = &operation;
  std::vector<int> ranks = std::vector<int>(static_cast<std::size_t>(size()));
  std::vector<std::int64_t> bounds{0, 8, 20};
  std::vector<int> owners{0, 0};
  std::vector<std::int64_t> places{12, 0};
  xredist_partition partition{2, bounds.data(), owners.data()};
  bool with_result = true;

  Arguments() { std::iota(ranks.begin(), ranks.end(), 0); }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  std::string create() const {
    xredist_plan* plan = nullptr;
    const std::string result =
        outcome(xredist_plan_create(comm, a_passed, b_passed, operation_passed, with_result ? &plan : nullptr));
    EXPECT_EQ(plan != nullptr, result.empty());
    xredist_plan_destroy(plan);
    return result;
  }
  std::string relabel() const {
    std::vector<int> best(static_cast<std::size_t>(size()));
    return outcome(
        xredist_relabel(comm, a_passed, b_passed, operation_passed, with_result ? best.data() : nullptr, nullptr));
  }
};

// Rows for the arguments that xredist_plan_create and xredist_relabel share.
const std::vector<Row<Arguments>> shared_rows = {
    {[](Arguments&) {}, ""},
    {[](Arguments& x) { x.comm = MPI_COMM_NULL; }, "comm is MPI_COMM_NULL"},
    {[](Arguments& x) { x.a_passed = nullptr; }, "a is NULL"},
    {[](Arguments& x) { x.b_passed = nullptr; }, "b is NULL"},
    {[](Arguments& x) { x.operation_passed = nullptr; }, "operation is NULL"},
    {[](Arguments& x) { x.operation.m = -1; }, "m is -1, must be at least 0"},
    {[](Arguments& x) { x.operation.m = top + 1; }, "m is 1099511627777, must be at most 1099511627776"},
    {[](Arguments& x) { x.operation.n = -1; }, "n is -1, must be at least 0"},
    {[](Arguments& x) { x.operation.n = top + 1; }, "n is 1099511627777, must be at most 1099511627776"},
    {[](Arguments& x) { x.operation.m = x.operation.n = top; },
     "n is 1099511627776: with m = 1099511627776 these are 2^59 elements or more"},
    {[](Arguments& x) { x.operation.ia = -1; }, "ia is -1, must be at least 1"},
    {[](Arguments& x) { x.operation.ja = -2; }, "ja is -2, must be at least 1"},
    {[](Arguments& x) { x.operation.ib = top + 1; }, "ib is 1099511627777, must be at most 1099511627776"},
    {[](Arguments& x) { x.operation.jb = -1; }, "jb is -1, must be at least 1"},
};

TEST(Arguments, OfPlans) {
  expect_rows(shared_rows, &Arguments::create);
  expect_rows({{[](Arguments& x) { x.with_result = false; }, "plan is NULL"}}, &Arguments::create);
}

TEST(Arguments, OfRelabellings) {
  expect_rows(shared_rows, &Arguments::relabel);
  expect_rows({{[](Arguments& x) { x.with_result = false; }, "ranks is NULL"},
               {[](Arguments& x) { x.b.nprow = 0; }, "b.nprow is 0, must be at least 1"},
               {[](Arguments& x) { x.operation.type = 'X'; }, ""}},  // only sizes and indices are used
              &Arguments::relabel);
}

TEST(Arguments, OfLayouts) {
  struct LayoutRow {
    std::function<void(Arguments&, xredist_layout&)> change;
    std::string sentence;  // after the name of the layout
  };
  const std::string procs = std::to_string(size()), last = std::to_string(size() - 1);
  using X = Arguments;
  using Y = xredist_layout;
  const std::vector<LayoutRow> rows = {
      {[](X&, Y& y) { y.nprow = 0; }, ".nprow is 0, must be at least 1"},
      {[](X&, Y& y) { y.npcol = -1; }, ".npcol is -1, must be at least 1"},
      {[](X&, Y& y) { y.nprow = size() + 1, y.npcol = 1; }, ".nprow is " + std::to_string(size() + 1) +
                                                                ": the grid needs more than the " + procs +
                                                                " processes of the communicator"},
      {[](X&, Y& y) { y.mb = 0; }, ".mb is 0, must be at least 1"},
      {[](X&, Y& y) { y.mb = top + 1; }, ".mb is 1099511627777, must be at most 1099511627776"},
      {[](X&, Y& y) { y.nb = -5; }, ".nb is -5, must be at least 1"},
      {[](X&, Y& y) { y.nprow = size(), y.npcol = 1, y.rsrc = size(); },
       ".rsrc is " + procs + ", must be in 0 .. " + last + ", the grid's rows"},
      {[](X&, Y& y) { y.nprow = 1, y.npcol = size(), y.csrc = -1; },
       ".csrc is -1, must be in 0 .. " + last + ", the grid's columns"},
      {[](X& x, Y& y) { x.ranks[0] = size(), y.ranks = x.ranks.data(); },
       ".ranks[0] is " + procs + ", must be a rank of the communicator, 0 .. " + last},
      {[](X& x, Y& y) { x.ranks[0] = -1, y.ranks = x.ranks.data(); },
       ".ranks[0] is -1, must be a rank of the communicator, 0 .. " + last},
      {[](X& x, Y& y) { x.partition.count = -1, y.rows = &x.partition; },
       ".rows: count is -1, must be in 0 .. 2^31 - 2"},
      {[](X& x, Y& y) { x.partition.count = top, y.cols = &x.partition; },
       ".cols: count is 1099511627776, must be in 0 .. 2^31 - 2"},
      {[](X& x, Y& y) { x.partition.bounds = nullptr, y.rows = &x.partition; }, ".rows: bounds is NULL"},
      {[](X& x, Y& y) { x.bounds[0] = 1, y.rows = &x.partition; }, ".rows: bounds[0] is 1, must be 0"},
      {[](X& x, Y& y) { x.bounds[2] = 7, y.cols = &x.partition; }, ".cols: bounds[2] is 7, less than the one before"},
      {[](X& x, Y& y) { x.bounds[2] = top + 1, y.rows = &x.partition; },
       ".rows: bounds[2] is 1099511627777, must be at most 2^40"},
      {[](X& x, Y& y) { x.owners[1] = -1, y.cols = &x.partition; }, ".cols: owners[1] is -1, must be in 0 .. "},
      {[](X& x, Y& y) { x.owners[0] = size(), y.rows = &x.partition; },
       ".rows: owners[0] is " + procs + ", must be in 0 .. "},
      {[](X& x, Y& y) { x.partition.owners = nullptr, y.nprow = 1, y.npcol = 1, y.rows = &x.partition; },
       ".rows: owners is NULL, with more intervals than the 1 processes"},
      {[](X& x, Y& y) { x.places[1] = -1, x.partition.places = x.places.data(), y.rows = &x.partition; },
       ".rows: places[1] is -1, must be in 0 .. 2^40 less the interval's length"},
      {[](X& x, Y& y) { x.places[0] = top - 7, x.partition.places = x.places.data(), y.cols = &x.partition; },
       ".cols: places[0] is 1099511627769, must be in 0 .. 2^40 less the interval's length"},
      {[](X& x, Y& y) { x.places[1] = 19, x.partition.places = x.places.data(), y.cols = &x.partition; },
       ".cols: places[1] is 19: the interval has local elements of places[0]"},
  };
  for (const auto& [change, sentence] : rows)
    for (const bool of_a : {true, false}) {
      Arguments x;
      change(x, of_a ? x.a : x.b);
      const std::string expected = std::string("invalid: ") + (of_a ? "a" : "b") + sentence, found = x.create();
      // A sentence that ends with a blank goes on with the number of processes of the dimension.
      EXPECT_EQ(expected.ends_with(' ') ? found.substr(0, expected.size()) : found, expected);
    }
  if (size() == 1) return;
  Arguments x;
  x.ranks[1] = 0;
  x.a.ranks = x.ranks.data();
  EXPECT_EQ(x.create(), "invalid: a.ranks[1] is 0, which an earlier position has already");
}

TEST(Arguments, OfOperations) {
  using O = xredist_operation;
  const struct {
    O operation;
    std::string sentence;
  } rows[] = {
      {{.m = 5, .n = 4, .type = 'X'}, "type is 'X', must be I, S, D, C or Z"},
      {{.m = 5, .n = 4, .type = '\1'}, "type is character 1, must be I, S, D, C or Z"},
      {{.m = 5, .n = 4, .type = 'D', .type_b = 'X'}, "type_b is 'X', must be I, S, D, C or Z"},
      {{.m = 5, .n = 4, .type = 'I', .type_b = 'S'},
       "type_b is 'S', must include all values of type = 'I', or be included in it"},
      {{.m = 5, .n = 4, .type = 'C', .type_b = 'D'},
       "type_b is 'D', must include all values of type = 'C', or be included in it"},
      {{.m = 5, .n = 4, .type = 'D', .trans = 'X'}, "trans is 'X', must be N, T, C or R"},
      {{.m = 5, .n = 4, .type = 'D', .uplo = 'X'}, "uplo is 'X', must be A, U or L"},
      {{.m = 5, .n = 4, .type = 'D', .diag = 'X'}, "diag is 'X', must be N or U"},
      {{.m = 5, .n = 4, .type = 'D', .mirror = 'X'}, "mirror is 'X', must be N, S or H"},
      {{.m = 4, .n = 4, .type = 'D', .mirror = 'S'},
       "mirror is 'S', which needs uplo U or L, diag N, trans N and m = n"},
      {{.m = 4, .n = 4, .type = 'D', .trans = 'T', .uplo = 'U', .mirror = 'S'},
       "mirror is 'S', which needs uplo U or L, diag N, trans N and m = n"},
      {{.m = 4, .n = 4, .type = 'D', .uplo = 'U', .diag = 'U', .mirror = 'H'},
       "mirror is 'H', which needs uplo U or L, diag N, trans N and m = n"},
      {{.m = 5, .n = 4, .type = 'D', .uplo = 'U', .mirror = 'S'},
       "mirror is 'S', which needs uplo U or L, diag N, trans N and m = n"},
      {{.m = 5, .n = 4}, "type and bytes are 0, one of them must be set"},
      {{.m = 5, .n = 4, .bytes = -1}, "bytes is -1, must be in 1 .. 65536 if type is 0"},
      {{.m = 5, .n = 4, .type = 'd', .bytes = 4}, "bytes is 4, must be 0 or 8 for type = 'D'"},
      {{.m = 5, .n = 4, .type = 'D', .bytes = 8}, ""},
      {{.m = 5, .n = 4, .bytes = 65537}, "bytes is 65537, must be in 1 .. 65536 if type is 0"},
      {{.m = 5, .n = 4, .uplo = 'U', .bytes = 3}, "bytes is 3, must be 1, 2, 4, 8 or 16 for a trapezoid"},
      {{.m = 5, .n = 4, .type_b = 'D', .bytes = 8}, "type_b: type is 0"},
      {{.m = 5, .n = 4, .trans = 'C', .bytes = 8}, "trans is 'C': without a type, elements cannot be conjugated"},
      {{.m = 5, .n = 4, .trans = 'R', .bytes = 3}, "trans is 'R': without a type, elements cannot be conjugated"},
      {{.m = 4, .n = 4, .uplo = 'U', .mirror = 'H', .bytes = 8},
       "mirror is 'H': without a type, elements cannot be conjugated"},
      {{.m = 4, .n = 4, .uplo = 'U', .mirror = 'S', .bytes = 8}, ""},
      {{.m = 5, .n = 4, .trans = 'T', .bytes = 3}, ""},
      {{.m = 4, .n = 4, .type = 'z', .trans = 'c', .uplo = 'l', .diag = 'u', .mirror = 'n'}, ""},
      {{.m = 5, .n = 4, .uplo = 'U', .diag = 'U', .bytes = 16}, ""},
  };
  for (const auto& [operation, sentence] : rows) {
    Arguments x;
    x.operation = operation;
    EXPECT_EQ(x.create(), sentence.empty() ? "" : "invalid: " + sentence);
  }
}

// Elements of 32 bytes are copied in pieces of 16.
TEST(Arguments, OfLargeElements) {
  const auto large = [](std::int64_t m, std::int64_t ia, int bytes, char trans = 'N') {
    return [=](Arguments& x) {
      x.a = x.b = {1, 1, top, 1};
      x.operation = {.m = m, .n = 1, .ia = ia, .trans = trans, .bytes = bytes};
    };
  };
  const std::string beyond = ": the submatrix has, or ends beyond, more than 2^40 pieces of 16 bytes";
  expect_rows({{large(top, 1, 16), ""},
               {large(top / 2, 1, 32), ""},
               {large(top / 2 + 1, 1, 32), "m is 549755813889" + beyond},
               {large(top / 2, 2, 32), "m is 549755813888" + beyond},
               {large(top / 2, 2, 32, 'T'), ""},  // rows of the transposed A are not in pieces
               {[&](Arguments& x) {
                  large(top / 2, 1, 32, 'T')(x);
                  x.operation.ja = 2;
                },
                "m is 549755813888" + beyond}},
              &Arguments::create);
}

TEST(Arguments, OfLists) {
  static const std::vector<std::int64_t> good = [] {
    std::vector<std::int64_t> list(20);
    for (std::size_t k = 0; k < list.size(); ++k) list[k] = static_cast<std::int64_t>((7 * k) % 20 + 1);
    return list;
  }();
  static const auto with = [](std::size_t k, std::int64_t entry) {
    static std::vector<std::vector<std::int64_t>> lists(64);  // kept: a call reads the last ones
    static std::size_t number = 0;
    auto& list = lists[number++ % lists.size()];
    list = good;
    list[k] = entry;
    return list.data();
  };
  static const std::vector<std::int64_t> extremes = [] {
    std::vector<std::int64_t> list = good;
    list.front() = std::numeric_limits<std::int64_t>::max(), list.back() = std::numeric_limits<std::int64_t>::min();
    return list;
  }();
  const std::vector<Row<Arguments>> rows = {
      {[](Arguments& x) { x.operation.rows_a = x.operation.cols_b = good.data(); }, ""},
      {[](Arguments& x) { x.operation.rows_a = good.data(), x.operation.ia = 1; }, ""},
      {[](Arguments& x) { x.operation.rows_a = good.data(), x.operation.ia = 2; },
       "ia is 2, must be 1 with operation.rows_a"},
      {[](Arguments& x) { x.operation.cols_b = good.data(), x.operation.jb = 5; },
       "jb is 5, must be 1 with operation.cols_b"},
      {[](Arguments& x) { x.operation.rows_a = with(3, 0); }, "operation.rows_a[3] is 0, must be at least 1"},
      {[](Arguments& x) { x.operation.cols_a = with(0, top + 1); },
       "operation.cols_a[0] is 1099511627777: beyond the longest axis, which ends at 1099511627776"},
      {[](Arguments& x) { x.operation.rows_a = with(19, top); }, ""},
      {[](Arguments& x) { x.operation.rows_a = good.data(), x.operation.m = std::int64_t{1} << 31; },
       "operation.rows_a has 2147483648 entries, must have at most 2^31 - 2"},
      {[](Arguments& x) { x.operation.rows_a = with(19, 21), x.a.rows = &x.partition; },
       "operation.rows_a[19] is 21: beyond a.rows, which ends at 20"},
      {[](Arguments& x) { x.operation.rows_b = with(2, -5); }, "operation.rows_b[2] is -5, must be at least 1"},
      {[](Arguments& x) { x.operation.rows_a = with(5, 1), x.operation.cols_a = with(7, 1); }, ""},
      {[](Arguments& x) { x.operation.rows_b = with(5, 1); },
       "operation.rows_b[5] is 1, as entry [0] is: no element of B may be written twice"},
      {[](Arguments& x) { x.operation.cols_b = with(5, good[9]); },
       "operation.cols_b[9] is 4, as entry [5] is: no element of B may be written twice"},
      {[](Arguments& x) { x.operation.rows_b = extremes.data(); },
       "operation.rows_b[0] is 9223372036854775807: beyond the longest axis, which ends at 1099511627776"},
      {[](Arguments& x) { x.operation.type = 0, x.operation.bytes = 24, x.operation.rows_a = with(0, top / 3 + 1); },
       "operation.rows_a[0] is 366503875926: beyond the longest axis, which ends at 366503875925"},
      // A transposed A has n rows and m columns in the submatrix.
      {[](Arguments& x) { x.operation.trans = 'T', x.operation.n = 3, x.operation.rows_a = with(3, 0); }, ""},
      {[](Arguments& x) { x.operation.trans = 'T', x.operation.n = 3, x.operation.cols_a = with(3, 0); },
       "operation.cols_a[3] is 0, must be at least 1"},
  };
  expect_rows(rows, &Arguments::create);
  expect_rows({{[](Arguments& x) { x.operation.rows_a = x.operation.rows_b = good.data(); }, ""},
               {[](Arguments& x) { x.operation.rows_b = with(5, 1); },
                "operation.rows_b[5] is 1, as entry [0] is: no element of B may be written twice"},
               {[](Arguments& x) { x.operation.rows_a = good.data(), x.operation.trans = 'T'; },
                "trans is 'T', must be N for lists of A"}},
              &Arguments::relabel);
}

TEST(Arguments, OfListsAreComparedOnRequest) {
  std::vector<std::int64_t> list(20);
  std::iota(list.rbegin(), list.rend(), 1);
  if (rank() == 0) std::swap(list[3], list[4]);
  ASSERT_EQ(xredist_set_option(MPI_COMM_WORLD, "check", "1"), 0);
  const std::pair<const char*, const std::int64_t * xredist_operation::*> members[] = {
      {"rows_a", &xredist_operation::rows_a},
      {"cols_a", &xredist_operation::cols_a},
      {"rows_b", &xredist_operation::rows_b},
      {"cols_b", &xredist_operation::cols_b}};
  for (const auto& [name, member] : members) {
    Arguments x;
    x.operation.*member = list.data();
    EXPECT_EQ(x.create(), size() > 1 ? std::string("invalid: operation.") + name + " differs between processes" : "");
  }
  ASSERT_EQ(xredist_set_option(MPI_COMM_WORLD, "check", "0"), 0);
}

// The last bound of a partition is the size of the matrix.
TEST(Arguments, OfSubmatricesAndPartitions) {
  const auto exceeds = [](const char* count, const char* first, const char* partition) {
    return std::string(count).append(": with ") + first + " it reaches beyond " + partition + ", which ends at 20";
  };
  expect_rows(
      {
          {[](Arguments& x) { x.a.rows = x.b.cols = &x.partition; }, ""},
          {[](Arguments& x) { x.a.rows = &x.partition, x.operation.ia = 2; }, exceeds("m is 20", "ia = 2", "a.rows")},
          {[](Arguments& x) { x.a.cols = &x.partition, x.operation.ja = 3; }, exceeds("n is 20", "ja = 3", "a.cols")},
          {[](Arguments& x) { x.b.rows = &x.partition, x.operation.ib = 2; }, exceeds("m is 20", "ib = 2", "b.rows")},
          {[](Arguments& x) { x.b.cols = &x.partition, x.operation.jb = 2; }, exceeds("n is 20", "jb = 2", "b.cols")},
          {[](Arguments& x) { x.a.rows = &x.partition, x.operation.m = 0, x.operation.ia = 21; }, ""},
          {[](Arguments& x) { x.a.rows = &x.partition, x.operation.m = 0, x.operation.ia = 22; },
           exceeds("m is 0", "ia = 22", "a.rows")},
          // A's submatrix is n x m if A is transposed.
          {[](Arguments& x) { x.a.rows = &x.partition, x.operation.trans = 'T', x.operation.m = 21; }, ""},
          {[](Arguments& x) { x.a.rows = &x.partition, x.operation.trans = 'T', x.operation.n = 21; },
           exceeds("n is 21", "ia = 1", "a.rows")},
      },
      &Arguments::create);
  expect_rows(
      {{[](Arguments& x) { x.b.rows = &x.partition, x.operation.ib = 2; }, exceeds("m is 20", "ib = 2", "b.rows")}},
      &Arguments::relabel);
}

// A plan between process 0 and the last one: its submatrix begins in row 4 of A and in row 2 of B.
struct Jobs : ::testing::Test {
  Jobs() {
    EXPECT_EQ(create_plan(MPI_COMM_WORLD, {1, 1, 4, 4}, {1, 1, 3, 3, 0, 0, &last_rank},
                          {.m = 7, .n = 2, .ia = 4, .ib = 2, .type = 'D'}, &plan),
              0);
    EXPECT_EQ(create_plan(MPI_COMM_WORLD, {1, 1, 4, 4}, {1, 1, 4, 4}, {.m = 1, .n = 1, .bytes = 8}, &untyped), 0);
  }
  ~Jobs() override { xredist_plan_destroy(plan), xredist_plan_destroy(untyped); }

  const int last_rank = size() - 1;
  const bool sends = rank() == 0, receives = rank() == last_rank;
  xredist_plan *plan = nullptr, *untyped = nullptr;
  std::vector<double> a = std::vector<double>(20, 1.0), b = std::vector<double>(16, 0.0);
  const double one = 1;
  xredist_request* request = nullptr;
};

TEST_F(Jobs, NameTheInvalidArgument) {
  const struct {
    xredist_job job;
    bool detected;  // by this process
    const char* sentence;
  } rows[] = {
      {{nullptr, a.data(), 10, b.data(), 8}, true, "plan is NULL"},
      {{plan, nullptr, 10, b.data(), 8}, sends, "a is NULL on a process that holds a part of it"},
      {{plan, a.data(), 9, b.data(), 8},
       sends,
       "lda is 9, must be at least 10, the local rows up to the end of the submatrix"},
      {{plan, a.data(), 10, nullptr, 8}, receives, "b is NULL on a process that holds a part of it"},
      {{plan, a.data(), 10, b.data(), 7},
       receives,
       "ldb is 7, must be at least 8, the local rows up to the end of the submatrix"},
      {{plan, a.data(), -10, b.data(), 8},
       sends,
       "lda is -10, must be at least 10, the local rows up to the end of the submatrix"},
      {{untyped, a.data(), 1, b.data(), 1, &one}, true, "alpha: the plan has no type"},
      {{untyped, a.data(), 1, b.data(), 1, nullptr, &one}, true, "beta: the plan has no type"},
  };
  for (const auto& [job, detected, sentence] : rows) {
    if (!detected) continue;  // the call would wait for the others
    EXPECT_EQ(outcome(execute_job(job)), std::string("invalid: ") + sentence);
    EXPECT_EQ(outcome(start_job(job, &request)), std::string("invalid: ") + sentence);
    EXPECT_EQ(request, nullptr);
    const xredist_job correct{plan, a.data(), 10, b.data(), 8}, batch[] = {correct, job, correct};
    EXPECT_EQ(outcome(xredist_start(3, batch, &request)), std::string("invalid: jobs[1].") + sentence);
    EXPECT_EQ(request, nullptr);
  }
  EXPECT_EQ(outcome(xredist_execute(nullptr)), "invalid: job is NULL");
}

TEST_F(Jobs, OfBatches) {
  const xredist_job job{plan, a.data(), 10, b.data(), 8};
  EXPECT_EQ(outcome(xredist_start(0, &job, &request)), "invalid: count is 0, must be at least 1");
  EXPECT_EQ(outcome(xredist_start(1, nullptr, &request)), "invalid: jobs is NULL");
  EXPECT_EQ(outcome(xredist_start(1, &job, nullptr)), "invalid: request is NULL");
  MPI_Comm other;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  xredist_plan* elsewhere = nullptr;
  ASSERT_EQ(create_plan(other, {1, 1, 4, 4}, {1, 1, 4, 4}, {.m = 1, .n = 1, .bytes = 8}, &elsewhere), 0);
  const xredist_job jobs[] = {job, {elsewhere, a.data(), 1, b.data(), 1}};
  EXPECT_EQ(outcome(xredist_start(2, jobs, &request)),
            "invalid: jobs[1].plan has another communicator than jobs[0].plan");
  MPI_Comm_free(&other);
  EXPECT_EQ(outcome(start_job(jobs[1], &request)), "invalid: plan: its communicator has been freed");
  EXPECT_EQ(outcome(xredist_start(2, jobs, &request)), "invalid: jobs[1].plan: its communicator has been freed");
  EXPECT_EQ(request, nullptr);
  xredist_plan_destroy(elsewhere);
}

// Products of columns and leading dimensions may exceed 64 bits.
TEST(Arguments, LocalMatricesEndWithinTheAddressesOfMemory) {
  constexpr std::int64_t far = std::int64_t{1} << 40;
  xredist_plan *plan = nullptr, *beyond = nullptr;
  const xredist_layout whole{1, 1, 4, 4};
  ASSERT_EQ(
      create_plan(MPI_COMM_SELF, whole, whole, {.m = 1, .n = 1, .ia = far, .ja = (1 << 24) + 1, .type = 'D'}, &plan),
      0);
  const std::vector<double> a(3, 7);
  std::vector<double> b(3, 0);
  const auto error = [&](const xredist_plan* of, std::int64_t lda) {
    return outcome(execute_job({.plan = of, .a = a.data() + 1, .lda = lda, .b = b.data() + 1}));
  };
  EXPECT_EQ(error(plan, 0), "invalid: a: the local array would have 2^63 bytes or more");
  EXPECT_EQ(error(plan, far), "invalid: lda is 1099511627776: the local array would have 2^63 bytes or more");
  EXPECT_EQ(b, std::vector<double>(3, 0));
  xredist_plan_destroy(plan);
  EXPECT_EQ(outcome(create_plan(MPI_COMM_SELF, whole, whole, {.m = 2, .n = 1, .ib = far, .type = 'D'}, &beyond)),
            "invalid: m is 2: with ib = 1099511627776 it reaches beyond the longest axis, which ends at 1099511627776");
}

// Rows 1 to 10 of A are on process 0, which sends rows 4 to 10. 0 stands for the minimum leading dimension.
TEST_F(Jobs, HaveDefaultLeadingDimensions) {
  for (const std::int64_t ld_or_default : {0, 1}) {
    std::ranges::fill(b, 0.0);
    EXPECT_EQ(execute_job({plan, a.data(), 10 * ld_or_default, b.data(), 8 * ld_or_default}), 0);
    EXPECT_EQ(std::count(b.begin(), b.end(), 1.0), receives ? 14 : 0);
    EXPECT_EQ(b[0], 0);
    EXPECT_EQ(b[8], 0);
  }
}

TEST_F(Jobs, RequestsNameTheInvalidArgument) {
  int done = 0;
  EXPECT_EQ(outcome(xredist_test(nullptr, &done)), "invalid: request is NULL");
  EXPECT_EQ(outcome(xredist_test(&request, nullptr)), "invalid: done is NULL");
  EXPECT_EQ(outcome(xredist_wait(nullptr)), "invalid: request is NULL");
  EXPECT_EQ(outcome(xredist_wait(&request)), "") << "NULL has ended";
}

TEST(Arguments, OfOptions) {
  const auto set = [](const char* name, const char* value, MPI_Comm comm = MPI_COMM_WORLD) {
    return outcome(xredist_set_option(comm, name, value));
  };
  EXPECT_EQ(set("buffer", "64Q"), "invalid: buffer=64Q: expected a size such as 64M, from 1M to 64G");
  EXPECT_EQ(set("algorithm", "butterfly").substr(0, 29), "invalid: algorithm=butterfly:");
  EXPECT_EQ(set("algoritm", "split"), "invalid: algoritm=split: no such option");
  EXPECT_EQ(set(nullptr, "1"), "invalid: name is NULL");
  EXPECT_EQ(set("buffer", nullptr), "invalid: value is NULL");
  EXPECT_EQ(set("buffer", "1M", MPI_COMM_NULL), "invalid: comm is MPI_COMM_NULL");
}

TEST(Arguments, OfPartitionsAreComparedOnRequest) {
  Arguments x;
  x.owners[1] = rank() == 0 ? 0 : size() - 1;
  const auto differs = [](const std::string& name) {
    return size() > 1 ? "invalid: " + name + " differs between processes" : std::string();
  };
  ASSERT_EQ(xredist_set_option(MPI_COMM_WORLD, "check", "1"), 0);
  x.a.rows = &x.partition;
  EXPECT_EQ(x.create(), differs("a.rows"));
  x.owners[1] = 0, x.places[1] = rank() == 0 ? 0 : 21, x.partition.places = x.places.data();
  EXPECT_EQ(x.create(), differs("a.rows"));
  x.a.rows = nullptr, x.b.cols = &x.partition;
  EXPECT_EQ(x.create(), differs("b.cols"));
  if (rank() == 0) x.b.cols = nullptr;
  EXPECT_EQ(x.create(), differs("b.cols"));
  Arguments y;  // equal numbers are owners here and places there
  y.places = {0, 0}, y.a.rows = &y.partition;
  if (rank() > 0) y.partition.owners = nullptr, y.partition.places = y.places.data();
  EXPECT_EQ(y.create(), differs("a.rows"));
  x.operation.m = rank() == 0 ? -1 : 20;
  EXPECT_EQ(x.create(), "invalid: " + of_process(0, "m is -1, must be at least 0"));
  ASSERT_EQ(xredist_set_option(MPI_COMM_WORLD, "check", "0"), 0);
}

// Words that later versions may use are 0.
TEST(Arguments, ReservedWordsAreZero) {
  const std::string rest = "reserved is not 0: set members by name, or make all bytes of the struct 0 first";
  Arguments layout, operation;
  layout.a.reserved[4] = 1;
  EXPECT_EQ(layout.create(), "invalid: a." + rest);
  operation.operation.reserved[0] = 1;
  EXPECT_EQ(operation.create(), "invalid: " + rest);
  xredist_rules rules;
  EXPECT_EQ(xredist_rules_for("elpa", &rules), 0);
  rules.reserved[6] = 1;
  std::vector<int> ranks(static_cast<std::size_t>(size()));
  xredist_layout b;
  EXPECT_EQ(outcome(xredist_fit(MPI_COMM_WORLD, 4, 4, &operation.a, &rules, &b, ranks.data())),
            "invalid: rules." + rest);
}

// Each thread has its own sentence, and success leaves it.
TEST(Arguments, TheSentenceStaysUntilTheNextError) {
  Arguments x;
  x.operation.m = -1;
  EXPECT_NE(x.create(), "");
  x.operation.m = 1;
  EXPECT_EQ(x.create(), "");
  EXPECT_STREQ(xredist_error(), "m is -1, must be at least 0");
}

}  // namespace
}  // namespace xredist::testing
