// SPDX-License-Identifier: BSD-3-Clause

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <vector>

#include "schedule/algorithm.hpp"
#include "schedule/cost.hpp"
#include "unit/random_traffic.hpp"

namespace {

using namespace xredist::core;
using xredist::testing::Random;

constexpr Index max_processes = 1024;

// A traffic, a network, and the processes that plan.
struct RandomCase {
  Traffic traffic;
  Network network;
  Coord sender, receiver;
};

// Draws a number from `low` to `high` whose logarithm is uniformly distributed.
double scaled(Random& random, double low, double high) {
  return low * std::pow(high / low, static_cast<double>(random.below(1 << 30)) * 0x1p-30);
}
Index scaled_whole(Random& random, Index high) {
  return static_cast<Index>(scaled(random, 1, static_cast<double>(high + 1)));
}

// Draws two axes of at most a million elements, or of some periods.
Overlap draw_axes(Random& random, Index procs) {
  const Index block = random.below(3) == 0 ? 4096 : scaled_whole(random, 512);
  return random.overlap(procs, block, scaled_whole(random, 1'000'000));
}

RandomCase draw_case(Random& random) {
  const Index rows = scaled_whole(random, max_processes);
  const Traffic traffic{draw_axes(random, rows), draw_axes(random, max_processes / rows)};
  const auto coord = [&](const Axis& x, const Axis& y) { return Coord{random.below(x.procs), random.below(y.procs)}; };
  return {traffic,
          {scaled(random, 1e-7, 1e-3), scaled(random, 1e-11, 1e-4)},
          coord(traffic.rows.a, traffic.cols.a),
          coord(traffic.rows.b, traffic.cols.b)};
}

double cpu_seconds() {
  std::timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Plan {
  RandomCase of;
  double seconds;
  Index steps;
};

std::vector<int> ranks(Index count) {
  std::vector<int> all(as_size(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// Plans as one process does when both grids begin with the same process.
Plan planned(const RandomCase& c) {
  const std::vector<int> a = ranks(c.traffic.rows.a.procs * c.traffic.cols.a.procs);
  const std::vector<int> b = ranks(c.traffic.rows.b.procs * c.traffic.cols.b.procs);
  const double start = cpu_seconds();
  const Schedule schedule = default_schedule(c.traffic, c.network, {a, b});
  sends_of(c.traffic, schedule, c.sender);
  receives_of(c.traffic, schedule, c.receiver);
  return {c, cpu_seconds() - start, schedule.count};
}

// Times a plan. Repeats a plan over the limit twice and takes the best time, to discard cache misses and interrupts.
Plan measured(const RandomCase& c, double limit) {
  Plan best = planned(c);
  for (int again = 0; again < 2 && best.seconds > limit; ++again)
    if (const Plan next = planned(c); next.seconds < best.seconds) best = next;
  return best;
}

void print(const Plan& plan) {
  const auto& [c, seconds, steps] = plan;
  std::printf("%.3f ms: %ldx%ld -> %ldx%ld, %ld steps, alpha %.4g s, beta %.4g s an element\n%s\n", 1e3 * seconds,
              c.traffic.rows.a.procs, c.traffic.cols.a.procs, c.traffic.rows.b.procs, c.traffic.cols.b.procs, steps,
              c.network.alpha, c.network.beta, xredist::testing::described(c.traffic).c_str());
}

}  // namespace

// Plans `count` random cases and prints those that took longest: grids of up to 1024 processes, blocks of 1 to 4096,
// networks with alpha from 1e-7 to 1e-3 s and beta from 1e-11 to 1e-4 s an element. Returns the exit status: 1 if a
// case took more than `limit` seconds of CPU time.
int worst_of(int count, std::uint64_t seed, double limit) {
  Random random(static_cast<unsigned>(seed));
  std::vector<Plan> plans;
  plans.reserve(as_size(count));
  for (int k = 0; k < count; ++k) plans.push_back(measured(draw_case(random), limit));
  std::ranges::sort(plans, std::ranges::greater{}, &Plan::seconds);
  for (std::size_t k = 0; k < std::min<std::size_t>(5, plans.size()); ++k) print(plans[k]);
  const double median = plans[plans.size() / 2].seconds;
  std::printf("%d random cases, seed %lu: median %.1f us, longest %.3f ms of CPU time (limit %.0f ms)\n", count, seed,
              1e6 * median, 1e3 * plans.front().seconds, 1e3 * limit);
  return plans.front().seconds > limit ? 1 : 0;
}
