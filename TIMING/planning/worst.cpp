#include "planning/worst.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

#include "planning/random_case.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/choose.hpp"

namespace {

using namespace xredist::core;

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

// What one process does for a plan.
Plan planned(const RandomCase& c) {
  const double start = cpu_seconds();
  const Schedule schedule = default_schedule(c.traffic, c.network());
  sends_of(c.traffic, schedule, c.sender);
  receives_of(c.traffic, schedule, c.receiver);
  return {c, cpu_seconds() - start, schedule.count};
}

// Over the limit, the best of three: caches and interrupts are no part of a plan.
Plan measured(const RandomCase& c, double limit) {
  Plan best = planned(c);
  for (int again = 0; again < 2 && best.seconds > limit; ++again)
    if (const Plan next = planned(c); next.seconds < best.seconds) best = next;
  return best;
}

void print_axis(const char* name, const Overlap& o) {
  const auto side = [](const Axis& axis) {
    std::printf("%ld processes, block %ld, source %ld, first %ld", axis.procs, axis.block, axis.source, axis.first);
  };
  std::printf("  %s: %ld elements, ", name, o.n);
  side(o.a);
  std::printf(" -> ");
  side(o.b);
  std::printf("\n");
}

void print(const Plan& plan) {
  const auto& [c, seconds, steps] = plan;
  std::printf("%.3f ms: %ldx%ld -> %ldx%ld, %ld steps, elements of %d bytes, alpha %.4g s, beta %.4g s/byte\n",
              1e3 * seconds, c.traffic.rows.a.procs, c.traffic.cols.a.procs, c.traffic.rows.b.procs,
              c.traffic.cols.b.procs, steps, c.element, c.alpha, c.beta);
  print_axis("rows", c.traffic.rows);
  print_axis("cols", c.traffic.cols);
}

}  // namespace

int worst_of(int count, std::uint64_t seed, double limit) {
  std::mt19937_64 random(seed);
  std::vector<Plan> plans;
  plans.reserve(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) plans.push_back(measured(random_case(random), limit));
  std::ranges::sort(plans, std::ranges::greater{}, &Plan::seconds);
  for (std::size_t k = 0; k < std::min<std::size_t>(5, plans.size()); ++k) print(plans[k]);
  const double median = plans[plans.size() / 2].seconds;
  std::printf("%d random cases, seed %lu: median %.1f us, longest %.3f ms of CPU time (limit %.0f ms)\n", count, seed,
              1e6 * median, 1e3 * plans.front().seconds, 1e3 * limit);
  return plans.front().seconds > limit ? 1 : 0;
}
