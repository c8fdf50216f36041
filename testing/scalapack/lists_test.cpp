// SPDX-License-Identifier: BSD-3-Clause
// Plans for BLACS contexts whose operations list rows and columns.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "matrix.hpp"
#include "ranks.hpp"
#include "xredist/blacs.h"

namespace xredist::testing {
namespace {

constexpr xredist_int n = 24;
using List = std::vector<std::int64_t>;

// Returns `count` entries of 1 to n, equal on all processes; a list of A has some entries several times.
List some_of(std::mt19937& random, std::size_t count, bool repeats) {
  List list(n);
  for (std::size_t k = 0; k < n; ++k) list[k] = static_cast<std::int64_t>(k) + 1;
  std::shuffle(list.begin(), list.end(), random);
  list.resize(count);
  if (repeats && count > 2) list[2] = list[0];
  return list;
}

// Returns the position of element k, from 0, of B in a list; -1: it is not listed.
std::int64_t position(const List& list, std::int64_t k) {
  const auto found = std::ranges::find(list, k + 1);
  return found == list.end() ? -1 : found - list.begin();
}

struct Lists {
  List rows_a, cols_a, rows_b, cols_b;

  xredist_operation operation(char trans, char uplo) const {
    return {.m = std::ssize(rows_b),
            .n = std::ssize(cols_b),
            .type = 'D',
            .trans = trans,
            .uplo = uplo,
            .rows_a = rows_a.data(),
            .cols_a = cols_a.data(),
            .rows_b = rows_b.data(),
            .cols_b = cols_b.data()};
  }

  // Returns element (i, j), from 0, of B after the move, with elements from 5 on in A and -1 in B before.
  double expected(const Matrix& from, std::int64_t i, std::int64_t j, char trans, char uplo) const {
    const std::int64_t k = position(rows_b, i), l = position(cols_b, j);
    if (k < 0 || l < 0 || (uplo == 'U' && k > l)) return -1;
    const auto [row, col] = trans == 'T' ? std::pair(l, k) : std::pair(k, l);
    return from.element(5, rows_a[static_cast<std::size_t>(row)] - 1, cols_a[static_cast<std::size_t>(col)] - 1);
  }
};

TEST(Lists, SelectRowsAndColumnsOfDescriptors) {
  const Context all(row_major(1, size()));
  std::mt19937 random(66);
  for (const GridShape& target : {row_major(size(), 1), row_major(1, 1, size() - 1), row_major(1, size())})
    for (const auto& [trans, uplo] : {std::pair('N', 'A'), {'T', 'A'}, {'N', 'U'}}) {
      Matrix from(row_major(1, size()), n, 2), to(target, n, 3);
      const std::size_t rows = uplo == 'U' ? 9 : 17, cols = 9;  // a triangle is square
      const Lists lists{some_of(random, trans == 'T' ? cols : rows, true),
                        some_of(random, trans == 'T' ? rows : cols, true), some_of(random, rows, false),
                        some_of(random, cols, false)};
      const xredist_operation operation = lists.operation(trans, uplo);
      xredist_plan* plan = nullptr;
      ASSERT_EQ(create_plan(all.handle(), from.desc, to.desc, operation, &plan), 0) << xredist_error();
      from.fill(5);
      const xredist_job job{.plan = plan, .a = from.data.data(), .b = to.data.data()};
      EXPECT_EQ(xredist_execute(&job), 0) << xredist_error();
      to.each([&](double x, std::int64_t i, std::int64_t j) {
        EXPECT_EQ(x, lists.expected(from, i, j, trans, uplo)) << i << ", " << j;
      });
      xredist_plan_destroy(plan);
    }
}

TEST(Lists, OfContextsHaveErrorsOnAllProcesses) {
  const Context all(row_major(1, size()));
  Matrix from(row_major(1, size()), n, 2), to(row_major(1, 1), n, 3);
  std::mt19937 random(1);
  const Lists right{some_of(random, 8, true), some_of(random, 8, true), some_of(random, 8, false),
                    some_of(random, 8, false)};
  const std::pair<const char*, std::function<void(Lists&, xredist_operation&)>> errors[] = {
      {"operation.rows_a[3] is 0, must be at least 1", [](Lists& x, auto&) { x.rows_a[3] = 0; }},
      {"operation.cols_a[7] is 25: beyond desca, entry 4 (N_), which ends at 24",
       [](Lists& x, auto&) { x.cols_a[7] = n + 1; }},
      {"operation.rows_b[1] is 1099511627777: beyond the longest axis, which ends at 1099511627776",
       [](Lists& x, auto&) { x.rows_b[1] = (std::int64_t{1} << 40) + 1; }},
      {"operation.cols_b[4] is 3, as entry [2] is: no element of B may be written twice",
       [](Lists& x, auto&) { x.cols_b = {1, 2, 3, 4, 3, 6, 7, 8}; }},
      {"ja is 2, must be 1 with operation.cols_a", [](Lists&, auto& operation) { operation.ja = 2; }},
      {"m is -1, must be at least 0", [](Lists&, auto& operation) { operation.m = -1; }},
  };
  for (const auto& [sentence, change] : errors)
    for (const int victim : {-1, 0}) {  // all processes, or the one that is in both grids
      Lists lists = right;
      xredist_operation operation = right.operation('N', 'A');
      if (victim < 0 || victim == rank()) {
        change(lists, operation);
        operation.rows_a = lists.rows_a.data(), operation.cols_a = lists.cols_a.data();
        operation.rows_b = lists.rows_b.data(), operation.cols_b = lists.cols_b.data();
      }
      xredist_plan* plan = nullptr;
      EXPECT_EQ(outcome(create_plan(all.handle(), from.desc, to.desc, operation, &plan)),
                "invalid: " + of_process(victim, sentence));
      EXPECT_EQ(plan, nullptr);
    }
}

TEST(Lists, OfContextsAreCompared) {
  if (size() < 2) GTEST_SKIP() << "needs 2 processes";
  const Context all(row_major(1, size()));
  Matrix from(row_major(1, size()), n, 2), to(row_major(1, 1), n, 3);
  List list{4, 3, 2, 1};
  if (rank() == size() - 1) list[3] = 9;  // of a process that is outside B's grid
  for (const auto& [name, member] : {std::pair{"rows_a", &xredist_operation::rows_a},
                                     {"cols_a", &xredist_operation::cols_a},
                                     {"rows_b", &xredist_operation::rows_b},
                                     {"cols_b", &xredist_operation::cols_b}}) {
    xredist_operation operation{.m = 4, .n = 4, .type = 'D'};
    operation.*member = list.data();
    xredist_plan* plan = nullptr;
    EXPECT_EQ(outcome(create_plan(all.handle(), from.desc, to.desc, operation, &plan)),
              std::string("invalid: operation.") + name + " differs between processes");
  }
}

}  // namespace
}  // namespace xredist::testing
