// SPDX-License-Identifier: BSD-3-Clause
#include "settings/log.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "report/report.hpp"

namespace xredist::core {
namespace {

// CTest runs several tests at a time.
const std::string file = ::testing::TempDir() + "xredist_log_test_" + std::to_string(getpid());

std::string contents() {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class Log : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove(file); }
  void TearDown() override {
    std::filesystem::remove(file);
    set_log("stderr");
  }
};

std::string on_stderr(const char* text) {
  ::testing::internal::CaptureStderr();
  write_log("%s", text);
  return ::testing::internal::GetCapturedStderr();
}

// CTest starts a process for each test, so this is the first message of a process.
TEST_F(Log, TheEnvironmentDecidesFirst) {
  setenv("XREDIST_LOG", file.c_str(), 1);
  EXPECT_EQ(on_stderr("one"), "");
  EXPECT_EQ(contents(), "xredist: one\n");
}

TEST_F(Log, AnUnwritablePlaceIsNamedAndStderrReplacesIt) {
  setenv("XREDIST_LOG", "/nowhere/at/all", 1);
  EXPECT_EQ(on_stderr("one"), "xredist: /nowhere/at/all cannot be written: messages go to stderr\nxredist: one\n");
  EXPECT_EQ(on_stderr("two"), "xredist: two\n");
}

// The signals of both have their default action, which ends the program.
TEST_F(Log, AFullFileAndABrokenPipeEndNoProgram) {
  ASSERT_TRUE(set_log(file.c_str()));
  write_log("one");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit limit = before;
  limit.rlim_cur = std::filesystem::file_size(file);
  setrlimit(RLIMIT_FSIZE, &limit);
  write_log("two");
  setrlimit(RLIMIT_FSIZE, &before);
  write_log("three");
  EXPECT_EQ(contents(), "xredist: one\nxredist: three\n");

  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_TRUE(set_log(("/dev/fd/" + std::to_string(ends[1])).c_str()));
  close(ends[0]);
  write_log("four");
  close(ends[1]);
}

TEST_F(Log, LinesAreAppendedToAFile) {
  ASSERT_TRUE(set_log(file.c_str()));
  EXPECT_EQ(on_stderr("one"), "");
  write_log("%d", 2);
  EXPECT_EQ(contents(), "xredist: one\nxredist: 2\n");
}

TEST_F(Log, NoneIsSilentAndStderrIsNot) {
  ASSERT_TRUE(set_log("none"));
  EXPECT_EQ(on_stderr("one"), "");
  ASSERT_TRUE(set_log("stderr"));
  EXPECT_EQ(on_stderr("two"), "xredist: two\n");
}

TEST_F(Log, AnInvalidPlaceChangesNothing) {
  ASSERT_TRUE(set_log(file.c_str()));
  EXPECT_FALSE(set_log(""));
  EXPECT_FALSE(set_log("/nowhere/at/all"));
  EXPECT_FALSE(set_log(std::string(5000, 'x').c_str()));
  write_log("still here");
  EXPECT_EQ(contents(), "xredist: still here\n");
}

// "at most 4095 characters"
TEST_F(Log, ANameMayBeAsLongAsAPath) {
  const std::string name = std::filesystem::path(file).filename();
  std::string longest = std::filesystem::path(file).parent_path().string() + '/';
  while (longest.size() + name.size() < 4095) longest += '/';
  longest += name;
  EXPECT_TRUE(set_log(longest.c_str()));
  write_log("far");
  EXPECT_EQ(contents(), "xredist: far\n");
  EXPECT_FALSE(set_log(('/' + longest).c_str()));
}

TEST_F(Log, ALongLineIsCut) {
  ASSERT_TRUE(set_log(file.c_str()));
  write_log("%s", std::string(10'000, 'x').c_str());
  EXPECT_EQ(contents().size(), 2047U);
  EXPECT_EQ(contents().back(), '\n');
}

// A process prints its report when it exits; a process that it has forked prints none.
TEST_F(Log, AForkedProcessReportsNothing) {
  ASSERT_TRUE(set_log(file.c_str()));
  const Layout whole{{1, 1, 0, 0}, {1, 1, 0, 0}};
  const auto exit_status_of_child = [](auto before_exit) {
    const pid_t child = fork();
    if (child == 0) before_exit(), std::exit(0);
    int status = -1;
    waitpid(child, &status, 0);
    return status;
  };
  EXPECT_EQ(0, exit_status_of_child([&] {
              report("PDGEMR2D", redistribution_of(whole, whole, 2, 3, {}, 8), 1, 0.5);
              exit_status_of_child([] {});
            }));
  const std::string all = contents(), title = "report of process";
  EXPECT_NE(all.find(title), all.npos);
  EXPECT_EQ(all.find(title), all.rfind(title)) << all;
}

}  // namespace
}  // namespace xredist::core
