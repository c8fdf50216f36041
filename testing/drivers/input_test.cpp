// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/input.hpp"

#include <gtest/gtest.h>

#include "schedules/reader.hpp"

namespace drivers {
namespace {

const std::string head =
    "'title'\n"
    "second line\n"
    "'x.out'  output file name (if any)\n"
    "6        device out\n"
    "2        number of algorithms\n"
    "'default' scalapack   names\n"
    "1        rounds to warm up\n"
    "3 30     rounds\n"
    "0.25     seconds\n";
const std::string products =
    "2        number of problem sizes\n"
    "100 200  values of M\n"
    "300 400  values of N\n"
    "1        number of pairs\n"
    "# a comment, and a blank line\n"
    "\n"
    "2 P before\n3 Q\n4 MB\n5 NB\n"
    "1 P after\n6 Q\n7 MB\n8 NB\n"
    "2 first process\n";
const std::string lines = "1  number of lines\n 40 50 100 110 0 1 17 33 2 2 8 9 90 120 1 0 11 5 3 4 10 6  the rest\n";
const std::string whole = head + products + lines;

// Stands for the files of intervals here/rows and /rows, which are equal.
std::string text_of(const std::string& file) {
  if (file != "here/rows" && file != "/rows") throw InputError("cannot read " + file);
  return "30 1\n100 0\n";
}

Input read(const std::string& text) { return read_input("here/x.dat", text, text_of); }

std::string error_of(const std::string& text) {
  try {
    read_input("x.dat", text, text_of);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

std::string with(std::string text, const std::string& old, const std::string& replacement) {
  return text.replace(text.find(old), old.size(), replacement);
}

void expect_matrix(const Matrix& x, const Matrix& y) { EXPECT_TRUE(x == y); }

TEST(Input, InScalapacksManner) {
  const Input input = read(whole);
  EXPECT_EQ(input.title, (std::vector<std::string>{"title", "second line"}));
  EXPECT_EQ(input.output_file, "x.out");
  EXPECT_EQ(input.device, 6);
  EXPECT_EQ(input.algorithms, (std::vector<std::string>{"default", "scalapack"}));
  EXPECT_EQ(input.rounds.warm_up, 1);
  EXPECT_EQ(input.rounds.min, 3);
  EXPECT_EQ(input.rounds.max, 30);
  EXPECT_EQ(input.rounds.seconds, 0.25);
  ASSERT_EQ(input.cases.size(), 3u);
  EXPECT_EQ(input.cases[1].m, 200);
  EXPECT_EQ(input.cases[1].n, 400);
  expect_matrix(input.cases[1].a, {200, 400, 0, 0, 1, 1, 2, 3, 4, 5});
  expect_matrix(input.cases[1].b, {200, 400, 0, 0, 1, 1, 1, 6, 7, 8, 2});
  EXPECT_EQ(processes(input.cases[1]), 8);
  EXPECT_EQ(input.cases[2].m, 40);
  expect_matrix(input.cases[2].a, {100, 110, 0, 1, 17, 33, 2, 2, 8, 9});
  expect_matrix(input.cases[2].b, {90, 120, 1, 0, 11, 5, 3, 4, 10, 6});
}

TEST(Input, FilesOfRedistsTests) {
  const Input input = read(
      "2 tests\n# of both kinds\n"
      "4 5 10 11 0 0 1 1 2 2 8 9 9 12 0 0 1 5 1 4 10 6\n"
      "4 5 10 11 0 0 1 1 2 2 8 9 9 12 0 0 1 5 1 4 10 6 1 0\n");
  ASSERT_EQ(input.cases.size(), 2u);
  EXPECT_FALSE(input.cases[0].trapezoid);
  EXPECT_TRUE(input.cases[1].trapezoid);
  EXPECT_EQ(input.cases[1].uplo, 'U');
  EXPECT_EQ(input.cases[1].diag, 'N');
  EXPECT_FALSE(input.algorithms.empty());
}

TEST(Input, FilesOfIntervals) {
  const Partition rows{{0, 30, 100}, {1, 0}};
  const Case a = read(with(whole, "the rest", "the ROWS_A=rows rest")).cases[2];
  EXPECT_EQ(a.a.rows, rows);
  EXPECT_FALSE(a.a.cols || a.b.rows || a.b.cols);
  const Case b = read(with(whole, "90 120 1 0 11 5 3 4 10 6  the rest",
                           "100 100 1 0 11 5 3 4 10 6 1 0 COLS_B=rows,'ROWS_B=rows' # ROWS_A=rows"))
                     .cases[2];
  EXPECT_EQ(b.b.rows, rows);
  EXPECT_EQ(b.b.cols, rows);
  EXPECT_FALSE(b.a.rows || b.a.cols);
  EXPECT_TRUE(b.trapezoid);
  EXPECT_TRUE(read(with(whole, "the rest", "ROWS_A=/rows")).cases[2].a.rows) << "the whole path";
  EXPECT_FALSE(read(with(whole, "the rest", "rows_a=rows ROWS_A =rows XROWS_A=rows")).cases[2].a.rows)
      << "only words of this form";
}

TEST(Partition, File) {
  const Partition x = read_partition("x", "# rows\n 3 1\n\n3, 0   # empty\n4 0#\n10 2", 4);
  EXPECT_EQ(x.cuts, (std::vector<Index>{0, 3, 3, 4, 10}));
  EXPECT_EQ(x.owners, (std::vector<int>{1, 0, 0, 2}));
}

// An error names the position of the wrong word, or the end of a line that is too short.
TEST(Input, ErrorsHaveAPlace) {
  const std::string cases[][3] = {
      {"6        device", "six      device",
       "x.dat:4:1: expected a whole number from 0 to 99 (output device), found 'six'"},
      {"'x.out' ", "'' ", "none"},
      {"'x.out'  output file name (if any)\n6 ", "''\n9 ",
       "x.dat:4:1: expected 6 or 0, because no output file is named, found '9'"},
      {"scalapack ", "fastest ", "x.dat:6:11: expected one of default, "},
      {"3 30 ", "3 2 ", "x.dat:8:3: expected a whole number from 3 to "},
      {"0.25", "nan", "x.dat:9:1: expected a number from 0 to 1e+06 (seconds of a case), found 'nan'"},
      {"100 200  values", "100      values",
       "x.dat:11:10: expected a whole number from 1 to 2147483647 (values of M), found 'values'"},
      {"300 400  values of N", "300",
       "x.dat:12:4: expected a whole number from 1 to 2147483647 (values of N), found the end of the line"},
      {"2 P before", "0 P before",
       "x.dat:16:1: expected a whole number from 1 to 1048576 (values of P before), found '0'"},
      {"40 50 100", "40 50 39", "x.dat:26:8: expected a whole number from 40 to 2147483647 (M of A), found '39'"},
      {"0 1 17 33", "0 1 62 33", "x.dat:26:20: expected a whole number from 1 to 61 (the first row of A), found '62'"},
      {"0 1 17 33 2 2", "0 1 17 33 2 1",
       "x.dat:26:28: expected a whole number from 2 to 1048576 (process columns, more than CSRC, of A), found '1'"},
      {"10 6  the rest", "10",
       "x.dat:26:56: expected a whole number from 1 to 2147483647 (NB of B), found the end of the line"},
      {"10 6  the rest", "10 6 1",
       "x.dat:26:60: expected a whole number from 0 to 1 (1: without, 0: with its diagonal; 22 or 24 integers in a "
       "line)"},
      {"10 6  the rest", "10 6 1 0 1", "x.dat:26:63: expected 22 or 24 integers in a line, found '1'"},
      {"10 6  the rest", "10 6\n 7", "x.dat:27:2: expected the end of the file"},
      {"the rest", "ROWS_A=", "x.dat:26:60: expected ROWS_A=FILE, found 'ROWS_A='"},
      {"the rest", "ROWS_A=none", "cannot read none"},
      {"the rest", "COLS_A=/rows",
       "x.dat:26:60: expected intervals up to 110 (N of A) and not to 100, found 'COLS_A=/rows'"},
      {"the rest", "ROWS_B=/rows", "x.dat:26:60: expected intervals up to 90 (M of B) and not to 100, "},
      {"the rest", "ROWS_A=/rows ROWS_A=/rows", "x.dat:26:73: expected ROWS_A=FILE once, found 'ROWS_A=/rows'"},
      {"17 33 2 2 8 9 90 120 1 0 11 5 3 4 10 6  the rest", "17 33 1 2 8 9 90 120 1 0 11 5 3 4 10 6  ROWS_A=/rows",
       "/rows:1:4: expected a whole number from 0 to 0 (the owner), found '1'"},
      {"1  number of lines", "2  number of lines",
       "x.dat:27:1: expected a line of 22 or 24 integers (2 of 2), found the end of the file"},
  };
  for (const auto& [old, replacement, expected] : cases) {
    const std::string error = error_of(with(whole, old, replacement));
    EXPECT_TRUE(error.starts_with(expected)) << replacement << "\n" << error << "\n" << expected;
  }
  EXPECT_EQ(error_of("# nothing\n"),
            "x.dat:2:1: expected the title, or the number of tests, found the end of the file");
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

}  // namespace
}  // namespace drivers
