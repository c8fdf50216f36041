// SPDX-License-Identifier: BSD-3-Clause
// Sizes up to 2^40 and products up to 2^62: nothing overflows (sanitizers check this), and each process sends and
// receives all elements that it holds.
#include <gtest/gtest.h>

#include <algorithm>

#include "random/random_traffic.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/choose.hpp"

namespace xredist::core {
namespace {

using testing::described;

constexpr Index top = Index{1} << 40;

class Extremes : public testing::Random {
 public:
  using Random::Random;

  Index value() {
    switch (below(6)) {
      case 0: return top;
      case 1: return top - below(4);
      case 2: return 1 + below(top);
      case 3: return Index{1} << (28 + below(13));
      case 4: return 1 + below(100'000);
      default: return 1 + below(8);
    }
  }
  // Returns a block size for an axis of n elements, so large that the test can walk all blocks.
  Axis side(Index n) {
    const Index procs = below(32) == 0 ? Index{1} << below(21) : 1 + below(below(4) == 0 ? 1000 : 16);
    const Index block = std::min(top, std::max(value(), n / 10'000 + 1));
    return {block, procs, below(procs), below(2) == 0 ? 0 : value() - 1};
  }
  Overlap of(Index n) {
    const Axis a = side(n);
    return xredist::core::Overlap(a, side(n), n);
  }
};

Index sum(const std::vector<Message>& messages) {
  Index all = 0;
  for (const Message& message : messages) all += message.elements();
  return all;
}

TEST(Extremes, NothingOverflows) {
  Extremes random(91);
  for (int trial = 0; trial < (testing::slow_build ? 60 : 300); ++trial) {
    const Index m = random.value(), n = std::max<Index>(1, std::min(random.value(), (Index{1} << 62) / m));
    const Traffic traffic{random.of(m), random.of(n)};
    const Coord p{owner(traffic.rows.a, 0), owner(traffic.cols.a, 0)};
    const Coord q{owner(traffic.rows.b, 0), owner(traffic.cols.b, 0)};
    const auto held = [](const Axis& axis, Index process, Index length) {
      return local_count(axis, process, axis.first + length) - local_count(axis, process, axis.first);
    };
    const Index sent = held(traffic.rows.a, p.row, m) * held(traffic.cols.a, p.col, n);
    const Index received = held(traffic.rows.b, q.row, m) * held(traffic.cols.b, q.col, n);
    if (partners(traffic.rows, p.row).size() * partners(traffic.cols, p.col).size() > 10'000) continue;
    if (partners(reversed(traffic.rows), q.row).size() * partners(reversed(traffic.cols), q.col).size() > 10'000)
      continue;
    const Index senders = traffic.rows.a.procs * traffic.cols.a.procs;
    const bool small = std::max(senders, traffic.rows.b.procs * traffic.cols.b.procs) <= 1024;
    for (const Algorithm& algorithm : algorithms()) {
      if (!small && algorithm.name != "default") continue;
      const auto schedule = algorithm.make(traffic, {1e-6, trial % 2 == 0 ? 1e-9 : 1e-3}, {});
      if (!schedule) continue;
      EXPECT_EQ(sum(sends_of(traffic, *schedule, p)), sent) << algorithm.name << "\n" << described(traffic);
      EXPECT_EQ(sum(receives_of(traffic, *schedule, q)), received) << algorithm.name << "\n" << described(traffic);
    }
    if (HasFailure()) return;
  }
}

// Whole periods of short axes may have 2^80 elements, although the matrix has few.
TEST(Extremes, WholePeriodsMayHaveMoreElementsThan64BitsCount) {
  const Overlap rows({top / 1024, 512, 0, 0}, {top / 1024, 1024, 0, 0}, top / 2);
  const Overlap cols({top / 2, 2, 0, 0}, {top / 2, 2, 0, 0}, 16);
  const Traffic traffic{rows, cols};
  ASSERT_TRUE(in_whole_period(rows) && in_whole_period(cols));
  ASSERT_TRUE(too_large(in_whole_period(rows)->n, in_whole_period(cols)->n));
  const Schedule schedule = default_schedule(traffic, {1e-6, 1e-9});
  EXPECT_EQ(schedule.count, 1);
  EXPECT_EQ(sum(sends_of(traffic, schedule, {0, 0})), top / 1024 * 16);
}

}  // namespace
}  // namespace xredist::core
