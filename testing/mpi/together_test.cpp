// SPDX-License-Identifier: BSD-3-Clause
// Functions with which a program forms functions like those of the library: failures, agreements, options of a plan.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "move.hpp"
#include "plans.hpp"
#include "ranks.hpp"

namespace xredist::testing {
namespace {

std::string agreed(int code) { return outcome(xredist_agree(MPI_COMM_WORLD, code)); }

TEST(Together, AFailureIsThatOfTheProgram) {
  EXPECT_EQ(outcome(xredist_fail(XREDIST_FILE_ERROR, "no such colour")), "file: no such colour");
  EXPECT_EQ(xredist_fail(XREDIST_SUCCESS, "not kept"), 0);
  EXPECT_STREQ(xredist_error(), "no such colour");
  EXPECT_EQ(xredist_fail(XREDIST_NO_MEMORY, nullptr), XREDIST_NO_MEMORY);
  EXPECT_STREQ(xredist_error(), "");
}

TEST(Together, AllHaveTheFailureOfTheLowestRank) {
  EXPECT_EQ(agreed(XREDIST_SUCCESS), "");
  EXPECT_EQ(agreed(xredist_fail(XREDIST_INVALID_ARGUMENT, "all wrong")), "invalid: all wrong");
  for (int first = 0; first < size(); ++first) {
    const bool fails = rank() == first || rank() == size() - 1;
    const int code = fails ? xredist_fail(XREDIST_INVALID_ARGUMENT, std::to_string(rank()).c_str()) : XREDIST_SUCCESS;
    const bool all = size() == 1 || (size() == 2 && first == 0);
    EXPECT_EQ(agreed(code), "invalid: " + (all ? std::to_string(first) : of_process(first, std::to_string(first))));
  }
  EXPECT_EQ(outcome(xredist_agree(MPI_COMM_NULL, 0)), "invalid: comm is MPI_COMM_NULL");
}

TEST(Together, ARequestThatIsNullIsComplete) {
  MPI_Request request = MPI_REQUEST_NULL;
  EXPECT_EQ(xredist_wait_mpi(&request), 0);
  EXPECT_EQ(outcome(xredist_wait_mpi(nullptr)), "invalid: request is NULL");
}

TEST(Together, AnOptionIsReadAsItIsSet) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  std::array<char, 32> text{};
  const auto value = [&](const char* name) {
    EXPECT_EQ(xredist_get_option(comm, name, text.data(), text.size()), 0) << name;
    return std::string(text.data());
  };
  for (const auto& [name, given, read] : std::vector<std::array<const char*, 3>>{{"buffer", "3M", "3145728"},
                                                                                 {"cache", "7", "7"},
                                                                                 {"check", "message", "message"},
                                                                                 {"check", "0", "local"},
                                                                                 {"shared", "0", "0"},
                                                                                 {"permits", "2", "2"},
                                                                                 {"route", "4x4x2", "4x4x2"},
                                                                                 {"route", "two-hop", "two-hop"},
                                                                                 {"route", "by-cost", "by-cost"},
                                                                                 {"algorithm", "split", "split"}}) {
    EXPECT_EQ(xredist_set_option(comm, name, given), 0);
    EXPECT_EQ(value(name), read);
    EXPECT_EQ(xredist_set_option(comm, name, read), 0);
    EXPECT_EQ(value(name), read);
  }
  EXPECT_EQ(outcome(xredist_get_option(comm, "colour", text.data(), text.size())), "invalid: colour: no such option");
  EXPECT_EQ(outcome(xredist_get_option(comm, "buffer", text.data(), 7)),
            "invalid: size is 7, must be more than 7, the length of the value");
  MPI_Comm_free(&comm);
}

// The plan has buffers of its own size, and its results are right. Other plans are as before.
TEST(Together, APlanMayHaveOptionsOfItsOwn) {
  const xredist_layout rows{.nprow = size(), .npcol = 1, .mb = 3, .nb = 3},
      columns{.nprow = 1, .npcol = size(), .mb = 5, .nb = 5};
  constexpr std::int64_t n = 1200;
  const auto bytes_of = [&](const char* options, std::string& error) {
    xredist_operation operation{.m = n, .n = n, .type = 'D', .options = options};
    xredist_plan* plan = nullptr;
    error = outcome(xredist_plan_create(MPI_COMM_WORLD, &rows, &columns, &operation, &plan));
    xredist_plan_info info{};
    if (plan != nullptr) {
      EXPECT_EQ(xredist_plan_query(plan, &info), 0);
    }
    xredist_plan_destroy(plan);
    return info.buffer_bytes;
  };
  std::string error;
  const std::int64_t usual = bytes_of(nullptr, error), reduced = bytes_of(" buffer=512K  packet=16K", error);
  EXPECT_EQ(error, "");
  if (size() > 1) {
    EXPECT_LE(reduced, 512 << 10);
    EXPECT_GT(usual, reduced);
  }
  EXPECT_EQ(bytes_of("", error), usual);
  for (const auto& [wrong, expected] : std::vector<std::array<const char*, 2>>{
           {"buffer=1K", "buffer=1K: expected a size such as 64M, from 512K to 64G"},
           {"route=direct check=1", "check=1: not an option of one plan"},
           {"colour=red", "colour=red: no such option"},
           {"direct", "direct: expected NAME=VALUE"}}) {
    EXPECT_EQ(bytes_of(wrong, error), 0);
    EXPECT_EQ(error, std::string("invalid: options: ") + expected);
  }
}

}  // namespace
}  // namespace xredist::testing
