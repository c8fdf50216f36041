// SPDX-License-Identifier: BSD-3-Clause
// The files of the roll-call.
#include "watch/roll.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace xredist::core {
namespace {

class RollTest : public ::testing::Test {
 protected:
  RollTest() { setenv("PMIX_NAMESPACE", "job/7", 1); }
  ~RollTest() override {
    unsetenv("PMIX_NAMESPACE");
    std::filesystem::remove_all(folder_);
  }

  static std::string new_folder() {
    std::string name = ::testing::TempDir() + "rollXXXXXX";
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    return name;
  }
  std::string text(const std::string& name) const {
    std::ifstream file(folder_ + "/" + name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator()));
  }

  const std::string folder_ = new_folder();
};

Position waiting() {
  Call call{.serial = 3, .inside = true, .m = 5, .n = 6, .context = 0, .processes = 4, .communicator = 77, .number = 2};
  call.routine = "PDGEMR2D";
  return {Position::State::waits, call, 61.04, "exchange"};
}

TEST_F(RollTest, TellsProcessesOfAJobThatOneWaits) {
  const Roll one(folder_, {0, 4, "a"}), other(folder_, {1, 4, "b"});
  EXPECT_FALSE(other.is_called());
  one.call();
  EXPECT_TRUE(other.is_called());
  EXPECT_EQ(text("waits-job.7"), "rank 0 on a waits\n");
  setenv("PMIX_NAMESPACE", "job/8", 1);
  EXPECT_FALSE(Roll(folder_, {1, 4, "b"}).is_called());
  one.end();
  EXPECT_FALSE(other.is_called());
}

TEST_F(RollTest, WritesAndRemovesTheFile) {
  Roll roll(folder_, {3, 4, "node7"});
  EXPECT_TRUE(roll.exists());
  roll.answer(waiting());
  EXPECT_TRUE(roll.has_answered());
  EXPECT_EQ(text("rank-3").find("rank: 3\nprocesses: 4\nhost: node7\nprocess: "), 0U) << text("rank-3");
  roll.answer({Position::State::outside, waiting().call, 1, ""});
  EXPECT_NE(text("rank-3").find("state: outside\n"), std::string::npos);
  EXPECT_EQ(files(), 1U);
  roll.withdraw();
  EXPECT_EQ(files(), 0U);
  EXPECT_FALSE(roll.has_answered());
}

TEST_F(RollTest, LeavesAFileOfAnEarlierJob) {
  std::ofstream(folder_ + "/rank-3") << "rank: 3\n";
  Roll(folder_, {3, 4, "node7"}).withdraw();
  EXPECT_EQ(files(), 1U);
}

TEST(RollText, IsReadable) {
  const std::string text = text_of(waiting(), {3, 4, "node7"}, "job.7", "2026-11-25 19:10:11 UTC");
  EXPECT_NE(text.find("job: job.7\nwritten: 2026-11-25 19:10:11 UTC\nstate: waits\nseconds: 61.0\nroutine: PDGEMR2D\n"
                      "number: 2\ncommunicator: 77\ncall: PDGEMR2D (5 x 6), call 2 of context 0\nwhere: exchange\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text_of({}, {3, 4, "node7"}, "j", "d").find("call: none\n"), std::string::npos);
}

TEST(RollName, IsThatOfTheLauncher) {
  unsetenv("PMIX_NAMESPACE");
  unsetenv("OMPI_MCA_ess_base_jobid");
  unsetenv("PMI_JOBID");
  unsetenv("SLURM_JOB_ID");
  EXPECT_EQ(job_name(), "job");
  setenv("SLURM_JOB_ID", "12", 1);
  setenv("SLURM_STEP_ID", "3", 1);
  EXPECT_EQ(job_name(), "12.3");
  setenv("PMIX_NAMESPACE", "a b", 1);
  EXPECT_EQ(job_name(), "a.b");
  unsetenv("PMIX_NAMESPACE");
  unsetenv("SLURM_JOB_ID");
  unsetenv("SLURM_STEP_ID");
}

}  // namespace
}  // namespace xredist::core
