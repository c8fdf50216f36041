// SPDX-License-Identifier: BSD-3-Clause
#include "tune/results.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "settings/log.hpp"

namespace xredist::core {
namespace {

// Each test has a folder of its own, because CTest runs several tests at a time.
class FileOfResults : public ::testing::Test {
 protected:
  FileOfResults() { std::filesystem::create_directory(folder_), set_log(log_.c_str()); }
  ~FileOfResults() override { set_log("stderr"), std::filesystem::remove_all(folder_); }

  static std::string contents(const std::string& name) {
    std::ifstream stream(name);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  // Returns the messages since the last call.
  std::string messages() const {
    const std::string text = contents(log_);
    std::filesystem::resize_file(log_, 0);
    return text;
  }
  std::string settings_of(const std::string& key) const { return known_settings(file_, key).value_or("none"); }

  const std::string folder_ = ::testing::TempDir() + "xredist_results_test_" + std::to_string(getpid());
  const std::string file_ = folder_ + "/tuned", log_ = folder_ + "/log";
};

TEST_F(FileOfResults, AreReadAgain) {
  EXPECT_EQ(settings_of("a"), "none");
  keep_settings(file_, "a", "permits=0 packet=65536", 1234.5678e-6);
  keep_settings(file_, "b", "", 1e-7);
  EXPECT_EQ(contents(file_), "xredist-tuned-1 a 0.00123457 permits=0 packet=65536 end\nxredist-tuned-1 b 1e-07 end\n");
  EXPECT_EQ(settings_of("a"), "permits=0 packet=65536");
  EXPECT_EQ(settings_of("b"), "");
  EXPECT_EQ(settings_of("c"), "none");
  keep_settings(file_, "a", "permits=1", 1e4);
  EXPECT_EQ(settings_of("a"), "permits=1");
  EXPECT_EQ(messages(), "");
}

TEST_F(FileOfResults, ThatAreDamagedAreIgnored) {
  for (const char* line :
       {"", "damaged", "xredist-tuned-2 a 0.5 x=1 end", "xredist-tuned-1 a 0,5 x=1 end", "xredist-tuned-1 a -1 x=1 end",
        "xredist-tuned-1 a nan x=1 end", "xredist-tuned-1 a 0.5 x=1", "xredist-tuned-1 a 0.5 x=1 bend",
        "xredist-tuned-1 a 0.5x x=1 end", "xredist-tuned-1 a 0.5 x=1 end more", "xredist-tuned-1  0.5 x=1 end"}) {
    std::ofstream(file_) << "xredist-tuned-1 b 0.5 x=2 end\n" << line << "\n";
    EXPECT_EQ(settings_of("b"), "x=2") << line;
    messages();
    EXPECT_EQ(settings_of("a"), "none") << line;
    EXPECT_EQ(messages(), "xredist: " + file_ + ", line 2: not a result of this version of xredist, ignored\n") << line;
  }
}

// Reading a pipe would wait, and reading /dev/full would not end.
TEST_F(FileOfResults, AreInARegularFileOnly) {
  const std::string pipe = folder_ + "/pipe", link = folder_ + "/link";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  ASSERT_EQ(symlink("/dev/full", link.c_str()), 0);
  for (const std::string& name : {pipe, std::string("/dev/full"), link, folder_}) {
    EXPECT_FALSE(known_settings(name, "a"));
    EXPECT_EQ(messages(), "xredist: " + name + ": is not a regular file, ignored\n");
    keep_settings(name, "a", "x=1", 0.5);
    EXPECT_EQ(messages(), "xredist: " + name + " cannot be written: what was tuned is not kept\n");
  }
  keep_settings(folder_ + "/none/tuned", "a", "x=1", 0.5);
  EXPECT_NE(messages(), "");
}

// A file at the limit of its size stands for a full disk, which may have room for a part of a line. The log is shorter.
TEST_F(FileOfResults, ThatAreNotWrittenWholeAreNamed) {
  keep_settings(file_, std::string(2000, 'a'), "x=1", 0.5);
  const auto size = std::filesystem::file_size(file_);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  for (const rlim_t room : {0, 9}) {
    rlimit limit = before;
    limit.rlim_cur = size + room;
    setrlimit(RLIMIT_FSIZE, &limit);
    keep_settings(file_, "b", "x=1", 0.5);
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_EQ(messages(), "xredist: " + file_ + " cannot be written: what was tuned is not kept\n");
    EXPECT_EQ(std::filesystem::file_size(file_), size + room);
  }
  keep_settings(file_, "c", "x=3", 0.5);  // begins a line of its own
  EXPECT_EQ(settings_of("a" + std::string(1999, 'a')), "x=1");
  EXPECT_EQ(settings_of("c"), "x=3");
}

// Root becomes another user.
TEST_F(FileOfResults, ThatMayNotBeReadAreNamed) {
  keep_settings(file_, "a", "x=1", 0.5);
  std::ofstream created(log_);
  ASSERT_EQ(chmod(log_.c_str(), 0666), 0);
  ASSERT_EQ(chmod(file_.c_str(), 0), 0);
  ASSERT_EQ(chmod(folder_.c_str(), 0777), 0);
  const uid_t before = geteuid();
  if (before == 0) {
    ASSERT_EQ(seteuid(12345), 0);
  }
  EXPECT_FALSE(known_settings(file_, "a"));
  if (before == 0) {
    ASSERT_EQ(seteuid(0), 0);
  }
  EXPECT_EQ(messages(), "xredist: " + file_ + " cannot be read, ignored\n");
}

}  // namespace
}  // namespace xredist::core
