// SPDX-License-Identifier: BSD-3-Clause
// The sentences of the watch.
#include "watch/text.hpp"

#include <gtest/gtest.h>

namespace xredist::core {
namespace {

Call gemr2d() {
  Call call{.serial = 20, .inside = true, .m = 100, .n = 80, .grids = {2, 2, 1, 4}, .context = 0, .processes = 4};
  call.routine = "PDGEMR2D";
  call.number = 17;
  return call;
}

TEST(CallText, LeavesOutWhatIsUnknown) {
  Call call = gemr2d();
  EXPECT_EQ(text_of(call), "PDGEMR2D (100 x 80, from 2 x 2 to 1 x 4 processes), call 17 of context 0");
  call.grids = {2, 2, -1, -1};  // the process is outside of B
  EXPECT_EQ(text_of(call), "PDGEMR2D (100 x 80), call 17 of context 0");
  call.number = 0;
  EXPECT_EQ(text_of(call), "PDGEMR2D (100 x 80), context 0");
  call.context = -1;
  EXPECT_EQ(text_of(call), "PDGEMR2D (100 x 80), a communicator of 4 processes");
  call.jobs = 3;
  EXPECT_EQ(text_of(call), "PDGEMR2D (3 jobs, the first of 100 x 80), a communicator of 4 processes");
  call.m = -1, call.grids = {};
  EXPECT_EQ(text_of(call), "PDGEMR2D (3 jobs), a communicator of 4 processes");
  call = {};
  call.routine = "xredist_wait";
  EXPECT_EQ(text_of(call), "xredist_wait");
}

TEST(PhaseText, SaysWhenThePhaseEnds) {
  Call call = gemr2d();
  const std::string answer = "exchange, round 1 of 1";
  EXPECT_EQ(text_of(call, Phase::reduction, nullptr),
            "agreement by a reduction, which ends when all 4 processes have called");
  EXPECT_EQ(text_of(call, Phase::exchange, &answer), answer);
  EXPECT_NE(text_of(call, Phase::exchange, nullptr).find("state is unknown"), std::string::npos);
  EXPECT_EQ(text_of(call, Phase::stated, &answer), answer);
  call.processes = 0;
  EXPECT_EQ(text_of(call, Phase::duplication, nullptr),
            "the communicator is duplicated, which ends when all processes have called");
  for (const Phase phase :
       {Phase::work, Phase::broadcast, Phase::barrier, Phase::network, Phase::request, Phase::stated})
    EXPECT_NE(text_of(call, phase, nullptr), "");
}

TEST(Line, NamesTheProcess) {
  EXPECT_EQ(line_of({3, 4, "node7"}, gemr2d(), 61.7, "agreement"),
            "rank 3 on node7 has been in PDGEMR2D (100 x 80, from 2 x 2 to 1 x 4 processes), call 17 of context 0 for "
            "62 s: agreement");
  EXPECT_NE(line_of({0, 1, "node7"}, gemr2d(), 2.04, "agreement").find("for 2.0 s"), std::string::npos);
}

}  // namespace
}  // namespace xredist::core
