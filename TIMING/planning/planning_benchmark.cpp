// What a plan costs one process: the schedule, what it sends and what it receives.
#include <benchmark/benchmark.h>

#include <string>

#include "schedule/algorithm.hpp"

namespace {

using namespace xredist;

struct Case {
  const char* name;
  Overlap rows, cols;
};

Overlap axis(Index P, Index r, Index Q, Index s, Index n) { return overlap({r, P, 0, 0}, {s, Q, 0, 0}, n); }

const Overlap point = axis(1, 1, 1, 1, 1);
constexpr Index million = 1'000'000;

const Case cases[] = {
    {"1024 -> 1024, 3 -> 5", axis(1024, 3, 1024, 5, million), point},
    {"32x32 -> 32x32, 3 -> 5", axis(32, 3, 32, 5, 100'000), axis(32, 3, 32, 5, 100'000)},
    {"32x32 -> 32x32, 3 -> 5, n 1e7", axis(32, 3, 32, 5, 10 * million), axis(32, 3, 32, 5, 10 * million)},
    {"32x32 -> 32x32, 3 -> 5, n 1e9", axis(32, 3, 32, 5, 1000 * million), axis(32, 3, 32, 5, 1000 * million)},
    {"1000x1000 -> 1000x1000, 64 -> 36", axis(1000, 64, 1000, 36, 10 * million), axis(1000, 64, 1000, 36, 10 * million)},
    {"1000x1000 -> 1000x1000, 3 -> 5", axis(1000, 3, 1000, 5, 10 * million), axis(1000, 3, 1000, 5, 10 * million)},
    {"1000x1000 -> 1000x999, 3 -> 5", axis(1000, 3, 1000, 5, 10 * million), axis(1000, 3, 999, 5, 10 * million)},
    {"1000x1000 -> 1000x999, 64 -> 36", axis(1000, 64, 1000, 36, 10 * million), axis(1000, 64, 999, 36, 10 * million)},
    {"1000x1000 -> 999x1001, 3 -> 5", axis(1000, 3, 999, 5, 10 * million), axis(1000, 3, 1001, 5, 10 * million)},
    {"1000x1000 -> 999x1001, 64 -> 36", axis(1000, 64, 999, 36, 10 * million), axis(1000, 64, 1001, 36, 10 * million)},
    {"1000x1000 -> 999x1001, 64 -> 36, n 1e5", axis(1000, 64, 999, 36, 100'000), axis(1000, 64, 1001, 36, 100'000)},
    {"1000x1000 -> 999x1001, 64 -> 36, n 1e9",
     axis(1000, 64, 999, 36, 1000 * million), axis(1000, 64, 1001, 36, 1000 * million)},
    {"24x48 -> 37x22, 1 -> 96x48", axis(24, 1, 37, 96, 39377), axis(48, 1, 22, 48, 39377)},
    {"1024x1 -> 1024x1, 1000 -> 1", axis(1024, 1000, 1024, 1, million), axis(1, 1000, 1, 1, million)},
    {"46x40 -> 48x40, 96 -> 50", axis(46, 96, 48, 50, 757891), axis(40, 96, 40, 50, 757891)},
    {"31x31 -> 28x24, 61x26 -> 93x31", axis(31, 61, 28, 93, 158844), axis(31, 26, 24, 31, 9672)},
};

void plan(benchmark::State& state, const Case& c, Schedule (*make)(const Traffic&)) {
  const Traffic traffic{c.rows, c.cols};
  const Coord p{c.rows.a.procs / 3, c.cols.a.procs / 2}, q{c.rows.b.procs / 3, c.cols.b.procs / 2};
  for (auto _ : state) {
    const Schedule schedule = make(traffic);
    benchmark::DoNotOptimize(sends_of(traffic, schedule, p));
    benchmark::DoNotOptimize(receives_of(traffic, schedule, q));
  }
  const Schedule schedule = make(traffic);
  state.counters["steps"] = static_cast<double>(schedule.count);
  state.counters["messages"] =
      static_cast<double>(sends_of(traffic, schedule, p).size() + receives_of(traffic, schedule, q).size());
}

// A network of today: 2 microseconds, and 8 bytes at 10 GB/s.
Schedule by_default(const Traffic& traffic) { return default_schedule(traffic, {2e-6, 8e-10}); }

}  // namespace

int main(int argc, char** argv) {
  for (const Case& c : cases) {
    const std::string name(c.name);
    benchmark::RegisterBenchmark((name + " optimal").c_str(), plan, c, optimal_schedule)->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark((name + " default").c_str(), plan, c, by_default)->Unit(benchmark::kMicrosecond);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
