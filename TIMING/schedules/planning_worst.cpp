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
#include "schedules/draw.hpp"
#include "unit/random_traffic.hpp"

namespace {

using namespace xredist::core;
using cases::Draw;

constexpr Index max_processes = 1024;

// Draws a line, a square, or a tall or flat grid.
Coord draw_grid(Draw& draw) {
  const Index all = draw.from(0, 1) == 0 ? draw.scaled_whole(1, max_processes) : draw.from(1, max_processes);
  switch (draw.from(0, 4)) {
    case 0: return {1, all};
    case 1: return {all, 1};
    case 2: {
      const auto side = static_cast<Index>(std::sqrt(static_cast<double>(all)));
      return {side, all / side};
    }
    default: {
      const Index rows = draw.scaled_whole(1, all);
      return {rows, all / rows};
    }
  }
}

Index draw_block(Draw& draw) {
  switch (draw.from(0, 3)) {
    case 0: return draw.from(1, 16);
    case 1: return Index{1} << draw.from(0, 9);
    case 2: return draw.from(1, 100);
    default: return draw.scaled_whole(1, 4096);
  }
}

// Draws a block size that often is a multiple or a divisor of another.
Index draw_block(Draw& draw, Index other) {
  switch (draw.from(0, 5)) {
    case 0: return other;
    case 1: return other * draw.from(1, 8);
    case 2: return std::gcd(other, draw_block(draw));
    default: return draw_block(draw);
  }
}

Axis draw_axis(Draw& draw, Index procs, Index block) {
  const Index source = draw.from(0, procs - 1);
  return {block, procs, source, draw.from(0, 1) == 0 ? 0 : draw.from(0, 3 * procs * block)};
}

// Draws two axes of 1 to a million elements, or of some periods.
Overlap draw_axes(Draw& draw, Index P, Index Q) {
  const Index block = draw_block(draw);
  const Axis a = draw_axis(draw, P, block), b = draw_axis(draw, Q, draw_block(draw, block));
  const Index n = draw.scaled_whole(1, 1'000'000), cycle = std::lcm(P * a.block(), Q * b.block());
  const bool periods = cycle <= 10'000'000 && draw.from(0, 2) == 0;
  return Overlap(a, b, periods ? cycle * std::max<Index>(1, n / cycle) : n);
}

Coord draw_coord(Draw& draw, const Coord& grid) {
  const Index row = draw.from(0, grid.row - 1);
  return {row, draw.from(0, grid.col - 1)};
}

// A traffic, a network, and the processes that plan.
struct RandomCase {
  Traffic traffic;
  int element;   // bytes
  double alpha;  // seconds for a message
  double beta;   // seconds for a byte
  Coord sender, receiver;

  Network network() const { return {alpha, beta * element}; }
};

RandomCase draw_case(Draw& draw) {
  const Coord A = draw_grid(draw), B = draw_grid(draw);
  const Overlap rows = draw_axes(draw, A.row, B.row), cols = draw_axes(draw, A.col, B.col);
  const int element = 4 << draw.from(0, 2);
  const double alpha = draw.scaled(1e-7, 1e-3), beta = draw.scaled(1e-12, 1e-5);
  const Coord sender = draw_coord(draw, A);
  return {{rows, cols}, element, alpha, beta, sender, draw_coord(draw, B)};
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
  const Schedule schedule = default_schedule(c.traffic, c.network(), {a, b});
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
  std::printf("%.3f ms: %ldx%ld -> %ldx%ld, %ld steps, elements of %d bytes, alpha %.4g s, beta %.4g s/byte\n%s\n",
              1e3 * seconds, c.traffic.rows.a.procs, c.traffic.cols.a.procs, c.traffic.rows.b.procs,
              c.traffic.cols.b.procs, steps, c.element, c.alpha, c.beta,
              xredist::testing::described(c.traffic).c_str());
}

}  // namespace

// Plans `count` random cases and prints those that took longest: grids of up to 1024 processes, blocks of 1 to 4096,
// networks with alpha from 1e-7 to 1e-3 s and beta from 1e-12 to 1e-5 s. Returns the exit status: 1 if a case took more
// than `limit` seconds of CPU time.
int worst_of(int count, std::uint64_t seed, double limit) {
  Draw draw(seed);
  std::vector<Plan> plans;
  plans.reserve(as_size(count));
  for (int k = 0; k < count; ++k) plans.push_back(measured(draw_case(draw), limit));
  std::ranges::sort(plans, std::ranges::greater{}, &Plan::seconds);
  for (std::size_t k = 0; k < std::min<std::size_t>(5, plans.size()); ++k) print(plans[k]);
  const double median = plans[plans.size() / 2].seconds;
  std::printf("%d random cases, seed %lu: median %.1f us, longest %.3f ms of CPU time (limit %.0f ms)\n", count, seed,
              1e6 * median, 1e3 * plans.front().seconds, 1e3 * limit);
  return plans.front().seconds > limit ? 1 : 0;
}
