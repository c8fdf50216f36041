// SPDX-License-Identifier: BSD-3-Clause
#include "report/table.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace xredist::core {
namespace {

using Lines = std::vector<std::string>;

// A call of a routine with a 30 x 20 matrix, from blocks of 4 x 5 on 2 x 3 processes to 8 x 8 on 1 x 6.
Row call_of(std::string_view routine, double seconds) {
  Row row{.key = case_of(routine, 30, 20, {4, 5, 2, 3}, {8, 8, 1, 6})};
  row.calls = 1;
  row.bytes = 4800;
  row.xredist.seconds = seconds;
  return row;
}

Row row_with(Index memory, double own_seconds, double seconds) {
  Row row = call_of("PDGEMR2D", seconds);
  row.own = {.seconds = own_seconds, .memory = memory};
  row.xredist.memory = memory / 2;
  row.different = 7;
  row.passed_on = 1;
  return row;
}

TEST(Table, HasARowForEachCaseAndATotal) {
  Rows rows;
  rows.add(call_of("PDGEMR2D", 1));
  rows.add(call_of("PDTRMR2D", 2));
  rows.add(call_of("PDGEMR2D", 3));
  ASSERT_EQ(rows.all().size(), 3U);
  EXPECT_EQ(rows[call_of("PDGEMR2D", 0).key].calls, 2);
  EXPECT_EQ(rows[call_of("PDGEMR2D", 0).key].xredist.seconds, 4);
  EXPECT_EQ(rows[call_of("PDTRMR2D", 0).key].calls, 1);
  EXPECT_EQ(rows.total().calls, 3);
  EXPECT_EQ(rows.total().bytes, 14'400);
  EXPECT_EQ(rows.total().xredist.seconds, 6);
}

TEST(Table, AddsTheSecondsOfOneProcess) {
  Row row = row_with(1000, 1, 2);
  add(row, row_with(600, 3, 4));
  EXPECT_EQ(row.own.seconds, 4);
  EXPECT_EQ(row.xredist.seconds, 6);
  EXPECT_EQ(row.own.memory, 1000);
  EXPECT_EQ(row.xredist.memory, 500);
  EXPECT_EQ(row.calls, 2);
  EXPECT_EQ(row.different, 14);
  EXPECT_EQ(row.passed_on, 2);
}

TEST(Table, TakesTheSlowestOfSeveralProcesses) {
  const Row slow = row_with(600, 3, 4), fast = row_with(1000, 1, 2);
  for (const std::vector<Row>& of_all : {std::vector{slow, fast}, std::vector{fast, slow}}) {
    Rows rows(of_all);
    const Row& merged = rows[slow.key];
    EXPECT_EQ(merged.own.seconds, 3);
    EXPECT_EQ(merged.xredist.seconds, 4);
    EXPECT_EQ(merged.own.memory, 1000);
    EXPECT_EQ(merged.calls, 2);
  }
}

TEST(Table, CountsTheElementsOfATrapezoid) {
  EXPECT_EQ(elements_of({}, 4, 3), 12);
  EXPECT_EQ(elements_of({Region::Kind::upper, 0}, 4, 3), 1 + 2 + 3);
  EXPECT_EQ(elements_of({Region::Kind::lower, 0}, 4, 3), 4 + 3 + 2);
}

TEST(Table, IsAligned) {
  Rows rows;
  rows.add(call_of("PDGEMR2D", 0.25));
  Row partition = call_of("xredist", 2);
  partition.key.a = {-3, 100, 2, 1};
  partition.key.b = {8, 0, 1, 6};
  partition.bytes = 123'456'789;
  rows.add(partition);
  EXPECT_EQ(lines_of(rows, TableColumns::xredist, 9),
            Lines({"routine   m x n    blocks and grid of A   of B               calls     MB   seconds      GB/s",
                   "xredist   30 x 20  3 cuts x 100 on 2 x 1  8 x axes on 1 x 6      1  123.5  2.000000    0.0617",
                   "PDGEMR2D  30 x 20  4 x 5 on 2 x 3         8 x 8 on 1 x 6         1    0.0  0.250000  1.92e-05",
                   "total                                                            2  123.5  2.250000    0.0549",
                   "share of the program's 9.000 s: xredist 25.0 %"}));
}

TEST(Table, ComparesBothRoutines) {
  Rows rows;
  rows.add(row_with(4'000'000, 4, 1));
  const Lines lines = lines_of(rows, TableColumns::compared, 8);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0].substr(lines[0].find("calls")),
            "calls   MB     own s  xredist s  ratio  own +MB  xredist +MB  different");
  EXPECT_EQ(lines[1].substr(lines[0].find("calls")),
            "    1  0.0  4.000000   1.000000  0.250      4.0          2.0          7");
  EXPECT_EQ(lines[3], "share of the program's 8.000 s: own routines 50.0 %, xredist 12.5 %");
}

TEST(Table, HasADashForWhatWasNotMeasured) {
  Rows rows;
  rows.add(call_of("PDGEMR2D", 0));
  EXPECT_TRUE(lines_of(rows, TableColumns::xredist, 1)[1].ends_with("  0.000000     -"));
  EXPECT_TRUE(lines_of(rows, TableColumns::xredist_with_memory, 1)[1].ends_with("  0.000000     -    -"));
  EXPECT_TRUE(lines_of(rows, TableColumns::compared, 1)[1].ends_with("      -        -            -          0"));
}

// The rows with the most seconds are shown, also if they were called last.
TEST(Table, ShowsFortyRows) {
  Rows rows;
  for (Index m = 1; m <= 42; ++m) {
    Row row = call_of("PDGEMR2D", static_cast<double>(m));
    row.key.m = m;
    rows.add(row);
  }
  const Lines lines = lines_of(rows, TableColumns::xredist, 1000);
  ASSERT_EQ(lines.size(), 1U + 40 + 1 + 1 + 1);
  EXPECT_EQ(lines[1].find("42 x 20"), lines[0].find("m x n"));
  EXPECT_EQ(lines[40].find("3 x 20"), lines[0].find("m x n"));
  EXPECT_EQ(lines[41].substr(0, 13), "(2 more rows)");
  EXPECT_EQ(lines[42].substr(0, 5), "total");
}

// A case without calls has been made by operator[] alone.
TEST(Table, LeavesOutCasesWithoutCalls) {
  Rows rows;
  rows[call_of("PDGEMR2D", 1).key];
  EXPECT_EQ(lines_of(rows, TableColumns::xredist, 1).size(), 3U);
}

}  // namespace
}  // namespace xredist::core
