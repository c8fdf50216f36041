// SPDX-License-Identifier: BSD-3-Clause
// Files of matrices on contexts: the errors in descriptors, which name the entry on all processes, and lacks of memory.
// cpp_blacs_test and stored.f90 test the elements.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "failing_files.hpp"
#include "folder.hpp"
#include "matrix.hpp"
#include "plans.hpp"
#include "ranks.hpp"

namespace xredist::testing {
namespace {

constexpr xredist_int n = 24;

GridShape row() { return row_major(1, size()); }

// The arguments of a correct call, which a test changes.
struct Arguments {
  xredist_int ctxt;
  Descriptor desc;
  const xredist_int* of = desc.data();
  xredist_partition rows{}, cols{};
  bool with_rows = false, with_cols = false;
  // A folder that does not exist: an error that no check of arguments finds.
  xredist_file file{.name = "none/x.npy", .m = n, .n = n, .type = 'D'};

  Arguments(const Matrix& matrix, const Context& all) : ctxt(all.handle()), desc(matrix.desc) {}
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  // Returns the code of a call with this local array.
  int code(bool writes, std::vector<double>& local) const {
    const xredist_partition *of_rows = with_rows ? &rows : nullptr, *of_cols = with_cols ? &cols : nullptr;
    const xredist_partitions of_a{.rows_a = of_rows, .cols_a = of_cols}, of_b{.rows_b = of_rows, .cols_b = of_cols};
    return writes ? xredist_write_blacs(ctxt, of, &of_a, local.data(), &file)
                  : xredist_read_blacs(ctxt, of, &of_b, local.data(), &file);
  }
  // Returns the sentence after the call.
  std::string error(bool writes, std::vector<double>& local) const { return outcome(code(writes, local)); }
};

struct Error {
  std::string sentence;  // after "desc"
  std::function<void(Arguments&)> change;
};

// `differs`: all processes fail, because one of them passes another value.
void expect_errors(const std::vector<Error>& errors, const std::vector<int>& victims, bool differs = false) {
  Matrix matrix(row(), n, 2);
  const Context all(row());
  for (const bool writes : {true, false})
    for (const auto& [sentence, change] : errors)
      for (const int victim : victims) {
        Arguments x(matrix, all);
        if (victim < 0 || victim == rank()) change(x);
        const std::string expected = "desc" + sentence;
        EXPECT_EQ(x.error(writes, matrix.data), "invalid: " + (differs ? expected : of_process(victim, expected)));
      }
  const Arguments right(matrix, all);
  for (const bool writes : {true, false})
    EXPECT_EQ(right.error(writes, matrix.data).substr(0, 17), "file: none/x.npy ");
}

// All processes have the same sentence, whichever process passed the invalid argument.
TEST(FileErrors, NameTheEntryOfTheDescriptor) {
  const std::string columns = ", must be in 0 .. " + std::to_string(size() - 1) + ", the grid's columns";
  std::vector<Error> errors = {
      {" is NULL", [](Arguments& x) { x.of = nullptr; }},
      {", entry 3 (M_) is -1, must be at least 0", [](Arguments& x) { x.desc[2] = -1; }},
      {", entry 4 (N_) is -2, must be at least 0", [](Arguments& x) { x.desc[3] = -2; }},
      {", entry 5 (MB_) is 0, must be at least 1, unless rows is passed", [](Arguments& x) { x.desc[4] = 0; }},
      {", entry 6 (NB_) is -3, must be at least 1", [](Arguments& x) { x.desc[5] = -3; }},
      {", entry 7 (RSRC_) is 1, must be in 0 .. 0, the grid's rows", [](Arguments& x) { x.desc[6] = 1; }},
      {", entry 8 (CSRC_) is " + std::to_string(size()) + columns, [](Arguments& x) { x.desc[7] = size(); }},
  };
#ifdef XREDIST_ILP64
  constexpr xredist_int beyond = xredist_int{1} << 32;
  const std::string is = " is " + std::to_string(beyond), size_max = ", must be at most " + std::to_string(1ll << 40);
  errors.push_back(
      {", entry 7 (RSRC_)" + is + ", must be in 0 .. 0, the grid's rows", [](Arguments& x) { x.desc[6] = beyond; }});
  errors.push_back({", entry 8 (CSRC_)" + is + columns, [](Arguments& x) { x.desc[7] = beyond; }});
  for (const int entry : {2, 3, 4, 5, 8}) {
    static constexpr const char* names[] = {"", "", "M_", "N_", "MB_", "NB_", "", "", "LLD_"};
    constexpr xredist_int large = (xredist_int{1} << 40) + 1;
    errors.push_back(
        {", entry " + std::to_string(entry + 1) + " (" + names[entry] + ") is " + std::to_string(large) + size_max,
         [=](Arguments& x) { x.desc[static_cast<std::size_t>(entry)] = large; }});
  }
#endif
  expect_errors(errors, {-1, 0, size() - 1});
}

TEST(FileErrors, NameTheProcessWithAShortArray) {
  Matrix matrix(row(), n, 2);
  const Context all(row());
  for (const int victim : {0, size() - 1}) {
    Arguments x(matrix, all);
    if (victim == rank()) x.desc[8] = n - 1;
    EXPECT_EQ(x.error(true, matrix.data),
              "invalid: " + of_process(victim,
                                       "desc, entry 9 (LLD_) is 23, must be at least 24, the local rows on "
                                       "process (0," +
                                           std::to_string(victim) + ")"));
  }
}

// Process 0 passes other values than the others.
TEST(FileErrors, NameTheValueThatDiffers) {
  if (size() < 2) GTEST_SKIP() << "needs 2 processes";
  std::vector<Error> errors = {
      {", entry 5 (MB_) differs between processes: from 2 to 3", [](Arguments& x) { x.desc[4] = 3; }},
      {", entry 6 (NB_) differs between processes: from 2 to 7", [](Arguments& x) { x.desc[5] = 7; }},
      {", entry 8 (CSRC_) differs between processes: from 0 to 1", [](Arguments& x) { x.desc[7] = 1; }},
  };
  expect_errors(errors, {0}, true);
  Matrix matrix(row(), n, 2);
  const Context all(row()), column(row_major(size(), 1));
  const auto error = [&](const std::function<void(Arguments&)>& change) {
    Arguments x(matrix, all);
    if (rank() == 0) change(x);
    return x.error(true, matrix.data);
  };
  EXPECT_EQ(error([&](Arguments& x) { x.desc[1] = column.handle(), x.desc[7] = 0; }),
            "invalid: desc, entry 2 (CTXT_): number of grid rows differs between processes: from 1 to " +
                std::to_string(size()));
  EXPECT_EQ(error([](Arguments& x) { x.file.m = n - 1; }), "invalid: m differs between processes: from 23 to 24");
  const std::int64_t bounds[] = {0, n};
  const int owners[] = {0};
  EXPECT_EQ(error([&](Arguments& x) {
              x.rows = {1, bounds, owners}, x.with_rows = true;
            }),
            "invalid: rows differs between processes");
  EXPECT_EQ(error([&](Arguments& x) {
              x.cols = {1, bounds, owners}, x.with_cols = true;
            }),
            "invalid: cols differs between processes");
}

TEST(FileErrors, OfContexts) {
  Matrix matrix(row(), n, 2);
  const Context all(row());
  Arguments x(matrix, all);
  x.ctxt = -1;
  EXPECT_EQ(x.error(true, matrix.data), "invalid: ctxt is -1, not a context with this process");
  Arguments nowhere(matrix, all);
  nowhere.desc[1] = -1;
  EXPECT_EQ(nowhere.error(false, matrix.data),
            "invalid: desc, entry 2 (CTXT_): no process of the context is in the grid of the matrix");
  if (size() < 2) return;
  const int last = size() - 1;
  const Context fewer(row_major(1, last)), first(row_major(1, 1, 0)), second(row_major(1, 1, 1));
  Arguments lacking(matrix, fewer);
  EXPECT_EQ(lacking.error(true, matrix.data), rank() == last ? "invalid: ctxt is -1, not a context with this process"
                                                             : "invalid: ctxt: the context lacks 1 of the " +
                                                                   std::to_string(size()) +
                                                                   " processes of the grid of the matrix");
  // A grid that the context does not know, and then one that it knows.
  Arguments outside(matrix, all);
  if (rank() == last) outside.desc[1] = -1;
  EXPECT_EQ(outside.error(true, matrix.data), "invalid: ctxt: the context lacks 1 of the " + std::to_string(size()) +
                                                  " processes of the grid of the matrix");
  EXPECT_EQ(Arguments(matrix, all).error(true, matrix.data).substr(0, 5), "file:");
  EXPECT_EQ(
      outside.error(true, matrix.data),
      "invalid: " + of_process(last, "desc, entry 2 (CTXT_) is -1, but this process is in the grid of the matrix"));
  // Grids of the same shape, in which two processes claim the same place.
  Arguments twice(matrix, all);
  twice.desc[1] = rank() == 1 ? second.handle() : first.handle();
  EXPECT_EQ(twice.error(true, matrix.data),
            "invalid: desc, entry 2 (CTXT_): processes 0 and 1 of the context are at the same place: their grids are "
            "not the same");
}

TEST(FileErrors, OfTheEndOfTheSubmatrix) {
  Matrix matrix(row(), n, 2);
  const Context all(row());
  Arguments x(matrix, all);
  x.file.m = n + 1;
  EXPECT_EQ(x.error(false, matrix.data), "invalid: m is 25: with i = 1 it reaches beyond desc, entry 3 (M_) = 24");
  x.file.m = n, x.file.j = 2;
  EXPECT_EQ(x.error(true, matrix.data), "invalid: n is 24: with j = 2 it reaches beyond desc, entry 4 (N_) = 24");
  x.file.m = n + 1, x.file.i = -5, x.file.j = 1;
  EXPECT_EQ(x.error(true, matrix.data), "invalid: i is -5, must be at least 1");
}

// The submatrix may be short, but the array holds the columns of the whole matrix, as for P?GEMR2D.
TEST(FileErrors, OfAnArrayForTheSubmatrixAlone) {
  Matrix matrix(row(), n, 2);
  const Context all(row());
  Arguments x(matrix, all);
  x.file.m = 10, x.desc[8] = 10;
  EXPECT_EQ(x.error(true, matrix.data).substr(0, 70),
            "invalid: desc, entry 9 (LLD_) is 10, must be at least 24, the local ro");
}

TEST(Files, SurviveALackOfMemory) {
  constexpr xredist_int large = 300;  // two panels
  Matrix matrix(row(), large, 2);
  const Context all(row());
  ASSERT_FALSE(anywhere(xredist_set_option_blacs(all.handle(), "buffer", "1M") != 0));
  const Folder folder;
  const std::string name = folder.path("matrix.npy");
  Arguments x(matrix, all);
  x.file = {.name = name.c_str(), .m = large, .n = large, .type = 'D'};
  std::iota(matrix.data.begin(), matrix.data.end(), rank());
  const std::vector<double> written = matrix.data;
  for (const int victim : size() == 1 ? std::vector{0} : std::vector{0, size() - 1})
    for (const bool writes : {true, false}) {
      if (!writes) std::ranges::fill(matrix.data, -1);
      EXPECT_GT(fail_each_allocation_of([&] { return x.code(writes, matrix.data); }, victim, XREDIST_SUCCESS, folder),
                40);
      EXPECT_EQ(matrix.data, written);
      // One process passes an invalid entry, and lacks memory. The sentence needs none.
      if (victim == rank()) x.desc[2] = -1;
      EXPECT_GT(fail_each_allocation_of([&] { return x.code(writes, matrix.data); }, victim, XREDIST_INVALID_ARGUMENT,
                                        folder),
                0);
      x.desc[2] = large;
    }
}

}  // namespace
}  // namespace xredist::testing
