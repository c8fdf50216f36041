// SPDX-License-Identifier: BSD-3-Clause
// Times the planning of one process: the schedule and the lists of its sends and receives, and the scans of one
// dimension. Takes the options of Google Benchmark. The test Planning.TakesTenMillisecondsForRandomCases looks for the
// cases whose planning takes longest.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <string>

#include "papers/scans.hpp"
#include "plan/plan.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/choose.hpp"
#include "schedules/command_line.hpp"

// The bytes that the program has allocated with new, and their maximum.
static std::size_t used = 0, peak = 0;

void* operator new(std::size_t bytes) {
  void* const memory = std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  used += malloc_usable_size(memory);
  peak = std::max(peak, used);
  return memory;
}
void operator delete(void* memory) noexcept {
  used -= malloc_usable_size(memory);
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

namespace {

using namespace xredist::core;

struct Planned {
  const char* distributions;
  Index m, n;
};
constexpr Index million = 1'000'000;

constexpr Planned planned[] = {
    {"1024/3:1024/5", million, 1},
    {"32x32/3x3:32x32/5x5", 100'000, 100'000},
    {"32x32/3x3:32x32/5x5", 10 * million, 10 * million},
    {"32x32/3x3:32x32/5x5", 1000 * million, 1000 * million},
    {"1000x1000/64x64:1000x1000/36x36", 10 * million, 10 * million},
    {"1000x1000/3x3:1000x1000/5x5", 10 * million, 10 * million},
    {"1000x1000/3x3:1000x999/5x5", 10 * million, 10 * million},
    {"1000x1000/64x64:1000x999/36x36", 10 * million, 10 * million},
    {"1000x1000/3x3:999x1001/5x5", 10 * million, 10 * million},
    {"1000x1000/64x64:999x1001/36x36", 10 * million, 10 * million},
    {"1000x1000/64x64:999x1001/36x36", 100'000, 100'000},
    {"1000x1000/64x64:999x1001/36x36", 1000 * million, 1000 * million},
    {"24x48/1x1:37x22/96x48", 39377, 39377},
    {"1024/1000:1024/1", million, million},
    {"46x40/96x96:48x40/50x50", 757891, 757891},
    {"31x31/61x26:28x24/93x31", 158844, 9672},
    // panels: programs that redistribute a matrix panel by panel plan each one anew
    {"2x2/64x64:2x2/32x32", 50'000, 64},
    {"4x4/64x64:1x16/64x64", 50'000, 64},
    {"1x16/64x64:4x4/32x32", 50'000, 64},
    {"16x16/64x64:1x1/64x64", 50'000, 64},
    {"16x16/64x64:15x17/48x48", 50'000, 64},
};

void plan(benchmark::State& state, const cases::Case& c, Schedule (*make)(const Traffic&)) {
  const Traffic traffic = traffic_of(c);
  const Coord p{c.a.nprow / 3, c.a.npcol / 2}, q{c.b.nprow / 3, c.b.npcol / 2};
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

// Seconds for a message and for an element of 8 bytes at 10 GB/s.
constexpr Network usual{2e-6, 8e-10};
Schedule optimal(const Traffic& traffic) { return optimal_schedule(traffic); }
Schedule by_default(const Traffic& traffic) { return default_schedule(traffic, usual); }

cases::Case case_of(const char* distributions, Index m, Index n) {
  cases::Case c{m, n};
  if (!lexical_cast(distributions, c)) std::abort();  // a constant of this file is wrong
  return c;
}

// Whole plans of a process in the middle, one process on each node of a network of 100 Gbit/s.
struct PlannedRoute {
  const char* distributions;
  Index n, bytes;  // bytes of an element
};
constexpr PlannedRoute routes[] = {{"32x32/7x11:32x32/11x7", 1000, 8},        {"32x32/7x11:32x32/11x7", 4000, 8},
                                   {"32x32/7x11:32x32/11x7", 100'000, 8},     {"316x316/7x11:316x316/11x7", 10'000, 8},
                                   {"316x316/7x11:316x316/11x7", 40'000, 8},  {"316x316/7x11:316x316/11x7", million, 8},
                                   {"316x316/64x64:316x315/48x48", 40'000, 8}};

struct OnNetwork {
  std::vector<int> ranks_a, ranks_b;
  Links links;
  Redistribution redistribution;
  std::shared_ptr<const GridPair> grids;

  OnNetwork(const cases::Case& c, Index bytes)
      : ranks_a(cases::ranks_of(c.a)),
        ranks_b(cases::ranks_of(c.b)),
        links{.neighbours = {},
              .network = {.seconds_per_byte = 8e-11, .seconds_per_message = 2e-6},
              .memory = {.seconds_per_byte = 1e-10, .seconds_per_message = 1e-7},
              .nodes = ranks_a},
        redistribution{traffic_of(c), {}, bytes},
        grids(std::make_shared<const GridPair>(ranks_a, c.a.npcol, ranks_b, c.b.npcol, links.nodes,
                                               static_cast<int>(ranks_a.size() / 2))) {}
};

// Reports the rounds, and the messages of all rounds in the estimate.
void choose(benchmark::State& state, const cases::Case& c, Index bytes) {
  const OnNetwork x(c, bytes);
  for (auto _ : state) benchmark::DoNotOptimize(choose_route(x.redistribution, x.grids, {}, x.links, false));
  const ChosenRoute chosen = choose_route(x.redistribution, x.grids, {}, x.links, false);
  state.counters["rounds"] = static_cast<double>(rounds_of_panel(chosen.route));
  state.counters["direct"] = static_cast<double>(chosen.route.direct.messages);
  Index messages = 0;
  if (chosen.route.best_mesh)
    for (const Work& round : chosen.route.best_mesh->rounds) messages += round.messages;
  state.counters["messages"] = static_cast<double>(messages);
}

// Reports the peak of memory in MB, without what the caller has.
void plan_all(benchmark::State& state, const cases::Case& c, Index bytes, RouteOption route) {
  const OnNetwork x(c, bytes);
  Options options;
  options.route = route;
  const auto plan = [&] { return plan_process(x.redistribution, x.grids, options, x.links); };
  for (auto _ : state) benchmark::DoNotOptimize(plan());
  const std::size_t before = peak = used;
  benchmark::DoNotOptimize(plan());
  state.counters["MB"] = 1e-6 * static_cast<double>(peak - before);
}

// The strategies of Prylli & Tourancheau, beside the library's own for planning (partners): process 0 of A looks for
// its elements for every process of B. Reports the looks.
constexpr const char* scanned[] = {"4/1:4/1",   "4/3:4/2",     "4/5:4/8",   "4/13:4/21",
                                   "4/34:4/55", "4/100:4/128", "64/3:48/5", "1024/3:1024/5"};
constexpr Index scanned_elements = 4000;

void scan(benchmark::State& state, const Overlap& o, papers::Scan (*strategy)(const Overlap&, Index, Index)) {
  for (auto _ : state)
    for (Index q = 0; q < o.b.procs; ++q) benchmark::DoNotOptimize(strategy(o, 0, q));
  Index visited = 0;
  for (Index q = 0; q < o.b.procs; ++q) visited += strategy(o, 0, q).visited;
  state.counters["visited"] = static_cast<double>(visited);
}

void scan_of_library(benchmark::State& state, const Overlap& o) {
  for (auto _ : state) benchmark::DoNotOptimize(partners(o, 0));
}

template <class Function, class... Arguments>
void add(const std::string& name, Function function, const Arguments&... arguments) {
  benchmark::RegisterBenchmark(name.c_str(), function, arguments...)->Unit(benchmark::kMicrosecond);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (const auto& [distributions, m, n] : planned) {
    const cases::Case c = case_of(distributions, m, n);
    const std::string name = std::string(distributions) + ", " + std::to_string(m) + "x" + std::to_string(n);
    add(name + " optimal", plan, c, optimal);
    add(name + " default", plan, c, by_default);
  }
  for (const char* distributions : scanned) {
    const Overlap o = traffic_of(case_of(distributions, scanned_elements, 1)).rows;
    const std::string name = std::string(distributions) + ", " + std::to_string(scanned_elements) + " scan ";
    add(name + "indices", scan, o, papers::scan_indices);
    add(name + "blocks", scan, o, papers::scan_blocks);
    add(name + "period", scan, o, papers::scan_period);
    add(name + "pairs", scan, o, papers::scan_pairs);
    add(name + "library", scan_of_library, o);
  }
  for (const auto& [distributions, n, bytes] : routes) {
    const std::string name = std::string(distributions) + ", " + std::to_string(n) + "x" + std::to_string(n);
    add(name + " route", choose, case_of(distributions, n, n), bytes);
    add(name + " plan", plan_all, case_of(distributions, n, n), bytes, RouteOption{});
    add(name + " direct plan", plan_all, case_of(distributions, n, n), bytes, RouteOption{RouteOption::Kind::direct});
  }
  benchmark::RunSpecifiedBenchmarks();
}
