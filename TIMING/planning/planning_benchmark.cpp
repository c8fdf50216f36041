// What a plan costs one process: the schedule, what it sends and what it receives.
// With --worst the longest of many random plans instead.
#include <benchmark/benchmark.h>

#include <CLI/CLI.hpp>
#include <string>

#include "schedule/algorithm.hpp"
#include "schedule/choose.hpp"
#include "worst.hpp"

namespace {

using namespace xredist::core;

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
    {"1000x1000 -> 1000x1000, 64 -> 36", axis(1000, 64, 1000, 36, 10 * million),
     axis(1000, 64, 1000, 36, 10 * million)},
    {"1000x1000 -> 1000x1000, 3 -> 5", axis(1000, 3, 1000, 5, 10 * million), axis(1000, 3, 1000, 5, 10 * million)},
    {"1000x1000 -> 1000x999, 3 -> 5", axis(1000, 3, 1000, 5, 10 * million), axis(1000, 3, 999, 5, 10 * million)},
    {"1000x1000 -> 1000x999, 64 -> 36", axis(1000, 64, 1000, 36, 10 * million), axis(1000, 64, 999, 36, 10 * million)},
    {"1000x1000 -> 999x1001, 3 -> 5", axis(1000, 3, 999, 5, 10 * million), axis(1000, 3, 1001, 5, 10 * million)},
    {"1000x1000 -> 999x1001, 64 -> 36", axis(1000, 64, 999, 36, 10 * million), axis(1000, 64, 1001, 36, 10 * million)},
    {"1000x1000 -> 999x1001, 64 -> 36, n 1e5", axis(1000, 64, 999, 36, 100'000), axis(1000, 64, 1001, 36, 100'000)},
    {"1000x1000 -> 999x1001, 64 -> 36, n 1e9", axis(1000, 64, 999, 36, 1000 * million),
     axis(1000, 64, 1001, 36, 1000 * million)},
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

// A network of today: 2 microseconds, and 8 bytes at 10 GB/s; and one of 100 MB/s.
constexpr Network usual{2e-6, 8e-10}, slow{2e-6, 8e-8};
Schedule by_default(const Traffic& traffic) { return default_schedule(traffic, usual); }

// A matrix goes to a file, say, panel by panel of so many columns: each is another JA, and is planned anew.
struct Panels {
  const char* name;
  Coord A, B;
  Index a_block, b_block;
};
constexpr Panels panels[] = {
    {"2x2 -> 2x2, 64 -> 32", {2, 2}, {2, 2}, 64, 32},         {"4x4 -> 4x4, 32 -> 64", {4, 4}, {4, 4}, 32, 64},
    {"4x4 -> 1x16, 64 -> 64", {4, 4}, {1, 16}, 64, 64},       {"1x16 -> 4x4, 64 -> 32", {1, 16}, {4, 4}, 64, 32},
    {"16x16 -> 16x16, 64 -> 32", {16, 16}, {16, 16}, 64, 32}, {"16x16 -> 1x1, 64", {16, 16}, {1, 1}, 64, 64},
    {"16x16 -> 15x17, 64 -> 48", {16, 16}, {15, 17}, 64, 48},
};

void plan_panels(benchmark::State& state, const Panels& c, Index rows, Index width, Network network) {
  Index first = 0;
  for (auto _ : state) {
    first = (first + width) % rows;
    const auto axis = [](Index P, Index r, Index Q, Index s, Index n, Index at) {
      return overlap({r, P, 0, at}, {s, Q, 0, 0}, n);
    };
    const Traffic traffic{axis(c.A.row, c.a_block, c.B.row, c.b_block, rows, 0),
                          axis(c.A.col, c.a_block, c.B.col, c.b_block, width, first)};
    const Schedule schedule = default_schedule(traffic, network);
    benchmark::DoNotOptimize(sends_of(traffic, schedule, {c.A.row / 3, c.A.col / 2}));
    benchmark::DoNotOptimize(receives_of(traffic, schedule, {c.B.row / 3, c.B.col / 2}));
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("What a plan costs one process. Options of Google Benchmark are passed on (--benchmark_help).");
  app.allow_extras();
  std::vector<std::uint64_t> worst;
  const CLI::Option* const wanted = app.add_option("--worst", worst, "Time COUNT random cases (10000), from SEED (1)")
                                        ->expected(0, 2)
                                        ->type_name("[COUNT [SEED]]");
  double limit = 10;
  app.add_option("--limit", limit, "Milliseconds that none of them may take (10)");
  CLI11_PARSE(app, argc, argv);
  if (*wanted) {  // without a COUNT there is a 0
    const bool counted = !worst.empty() && worst[0] > 0;
    return worst_of(counted ? static_cast<int>(worst[0]) : 10'000, worst.size() > 1 ? worst[1] : 1, 1e-3 * limit);
  }
  for (const Case& c : cases) {
    const std::string name(c.name);
    benchmark::RegisterBenchmark((name + " optimal").c_str(), plan, c, optimal_schedule)->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark((name + " default").c_str(), plan, c, by_default)->Unit(benchmark::kMicrosecond);
  }
  for (const Panels& c : panels)
    for (const Index rows : {5'000, 50'000})
      for (const auto& [network, its] : {std::pair("usual", usual), std::pair("slow", slow)}) {
        const std::string name = std::string("panels of ") + std::to_string(rows) + ", " + c.name + ", " + network;
        benchmark::RegisterBenchmark(name.c_str(), plan_panels, c, rows, Index{64}, its)->Unit(benchmark::kMicrosecond);
      }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
