// SPDX-License-Identifier: BSD-3-Clause
// Dimensions in intervals: files, owners, local parts.
#include <gtest/gtest.h>

#include "drivers/matrices.hpp"
#include "schedules/case.hpp"
#include "schedules/reader.hpp"
#include "support/owners.hpp"

namespace cases {
namespace {

TEST(Partition, File) {
  const Partition x = read_partition("x", "# rows\n 3 1\n\n3, 0   # empty\n4 0#\n10 2", 4);
  EXPECT_EQ(x.cuts, (std::vector<Index>{0, 3, 3, 4, 10}));
  EXPECT_EQ(x.owners, (std::vector<int>{1, 0, 0, 2}));
}

TEST(Partition, WithoutOwners) {
  const Partition x = read_partition("x", "30\n30 # 7\n42\n", 4);
  EXPECT_EQ(x.cuts, (std::vector<Index>{0, 30, 30, 42}));
  EXPECT_EQ(x.owners, (std::vector<int>{0, 1, 2}));
}

TEST(Partition, ErrorsHaveAPlace) {
  const std::string cases[][2] = {
      {"", "x:1:1: expected an interval, END OWNER, found the end of the file"},
      {"# 3 1\n", "x:2:1: expected an interval, END OWNER, found the end of the file"},
      {"-1 0", "x:1:1: expected a whole number from 0 to 1099511627776 (the end "},
      {"1099511627777 0", "x:1:1: expected a whole number from 0 to 1099511627776 (the end "},
      {"3 0\n\n2 1", "x:3:1: expected a whole number from 3 to 1099511627776 (the end of an interval, not before the "},
      {"3 0\nend 1", "x:2:1: expected a whole number from 3 "},
      {"3 4", "x:1:3: expected a whole number from 0 to 3 (the owner), found '4'"},
      {"3 -1", "x:1:3: expected a whole number from 0 to 3 (the owner), found '-1'"},
      {"3 0\n4 # 0", "x:2:3: expected a whole number from 0 to 3 (the owner), found the end of the line"},
      {"3\n4 0", "x:2:3: expected no owner: the first line has none, found '0'"},
      {"3 0 rows", "x:1:5: expected the end of the line, found 'rows'"},
      {"3 rows", "x:1:3: expected a whole number from 0 to 3 (the owner), found 'rows'"},
      {"1\n2\n3\n4\n5", "x:5:2: expected an owner: there are more intervals than the 4 processes, found the end "},
  };
  for (const auto& [text, expected] : cases) {
    std::string error = "none";
    try {
      read_partition("x", text, 4);
    } catch (const InputError& found) {
      error = found.what();
    }
    EXPECT_TRUE(error.starts_with(expected)) << text << "\n" << error << "\n" << expected;
  }
}

TEST(Partition, Owners) {
  const Partition x{{0, 0, 3, 3, 4, 6, 6}, {5, 1, 7, 0, 1, 6}};
  std::vector<int> owners;
  for (Index k = 0; k < 6; ++k) owners.push_back(xredist::testing::owner_in_intervals(k, x.cuts, x.owners));
  EXPECT_EQ(owners, (std::vector<int>{1, 1, 1, 0, 1, 1}));
}

// Rows in intervals, none of which is on process row 2; columns are CYCLIC(2).
Matrix matrix() {
  return {.M = 7,
          .N = 6,
          .i = 2,
          .j = 1,
          .nprow = 3,
          .npcol = 2,
          .nb = 2,
          .rows = Partition{{0, 1, 1, 5, 7}, {1, 0, 0, 1}}};
}

TEST(Partition, LocalParts) {
  const Matrix x = matrix();
  const Local first = local_part(x, 1, 8), second = local_part(x, 2, 8), third = local_part(x, 4, 8);
  EXPECT_EQ(first.rows, (std::vector<Index>{0, 1, 2, 3}));  // from the submatrix's first row on
  EXPECT_EQ(first.cols, (std::vector<Index>{2, 3}));
  EXPECT_EQ(second.rows, (std::vector<Index>{-1, 4, 5}));
  EXPECT_EQ(second.cols, (std::vector<Index>{0, 1, 4, 5}));
  EXPECT_TRUE(third.rows.empty());
}

// The library and local_part() agree on the owners.
TEST(Partition, TheLibraryAgrees) {
  const Matrix x = matrix();
  const xredist::core::Layout layout = layout_of(x);
  EXPECT_FALSE(is_cyclic(layout.rows));
  EXPECT_TRUE(is_cyclic(layout.cols));
  for (int rank = 0; rank < x.processes(); ++rank) {
    const Local local = local_part(x, rank, 8);
    EXPECT_EQ(std::ssize(local.rows), local_count(layout.rows, rank / 2, 7));
    for (const Index k : local.rows) EXPECT_EQ(owner(layout.rows, k), rank / 2);
    for (const Index k : local.rows) EXPECT_EQ(row_owner(x, k + 1), rank / 2);
    for (const Index k : local.cols) EXPECT_EQ(col_owner(x, k), rank % 2);
  }
}

TEST(Partition, PortElements) {
  Case c{.m = 4, .n = 3, .a = {.nprow = 2, .rows = Partition{{0, 1, 4}, {1, 0}}}, .b = {.nprow = 2, .rows = {}}};
  EXPECT_EQ(port_elements(c, {0, 1}), 2 * 3);  // of 1 0 0 0 and 0 1 0 1, process 0 sends two rows, process 1 one
  c.b.rows = c.a.rows;
  EXPECT_EQ(port_elements(c, {0, 1}), 0);
}

TEST(Partition, InTables) {
  Matrix x = matrix();
  EXPECT_EQ(block_text(x), "[4]x2");
  x.cols = Partition{{0, 6}, {1}};
  EXPECT_EQ(block_text(x), "[4]x[1]");
}

}  // namespace
}  // namespace cases
