// SPDX-License-Identifier: BSD-3-Clause
// Any input is read as a traffic, an algorithm and a network: the schedule must move the traffic.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "checker.hpp"
#include "random_traffic.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/cost.hpp"

namespace xredist::core {
namespace {

using testing::described;
using testing::Ports;
using testing::Truth;

// Takes numbers from the front of the input, 0 at its end.
class Input {
 public:
  explicit Input(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  Index below(Index n) {
    Index value = 0;
    for (Index range = 1; range < n; range *= 256) {
      value *= 256;
      if (bytes_.empty()) continue;
      value += bytes_.front();
      bytes_ = bytes_.subspan(1);
    }
    return value % n;
  }

  Axis axis(Index procs) {
    const Index block = 1 + below(40), count = 1 + below(procs), source = below(count);
    return {block, count, source, below(200)};
  }

  // Some intervals, which repeat: each pass has other owners.
  Axis cut(const Axis& axis, Index extent) {
    std::vector<Index> lengths(static_cast<std::size_t>(1 + below(12))), cuts{0};
    for (Index& length : lengths) length = below(60);
    lengths.back() += 1;
    std::vector<int> owners;
    for (const Index turn = below(7); cuts.back() < extent;) {
      const auto number = static_cast<Index>(owners.size());
      owners.push_back(
          static_cast<int>((number + number / std::ssize(lengths) * turn + below(axis.procs)) % axis.procs));
      cuts.push_back(std::min(extent, cuts.back() + lengths[static_cast<std::size_t>(number) % lengths.size()]));
    }
    return testing::in_partition(axis, cuts, owners);
  }

  // Up to a thousand elements, or a period and up to a thousand more. The end of the input says which axes are in
  // intervals: short inputs are about CYCLIC ones.
  Overlap overlap(Index procs) {
    Axis a = axis(procs), b = axis(procs);
    const Index whole = std::lcm(a.block() * a.procs, b.block() * b.procs), least = 1 + below(1000);
    const Index n = below(2) == 0 && whole <= 20'000 ? whole + least - 1 : least;
    for (Axis* axis : {&a, &b})
      if (below(3) == 1) *axis = cut(*axis, axis->first + n);
    return Overlap(std::move(a), std::move(b), n);
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

[[noreturn]] void fail(const Traffic& traffic, std::string_view algorithm, const std::string& what) {
  std::fprintf(stderr, "%.*s: %s\n%s\n", static_cast<int>(algorithm.size()), algorithm.data(), what.c_str(),
               described(traffic).c_str());
  std::abort();
}

void expect_equal(const Traffic& traffic, std::string_view algorithm, const char* what, Index is, Index should) {
  if (is == should) return;
  fail(traffic, algorithm, std::string(what) + " " + std::to_string(is) + ", should be " + std::to_string(should));
}

void try_algorithm(const Traffic& traffic, const Truth& truth, const Algorithm& algorithm, const Network& network) {
  const auto schedule = algorithm.make(traffic, network, {});
  if (!schedule) return;
  const Ports ports = algorithm.name == "rank" ? Ports::unlimited : Ports::one;
  if (const std::string fault = testing::fault_in(traffic, truth, *schedule, ports); !fault.empty())
    fail(traffic, algorithm.name, fault);
}

void try_optimal(const Traffic& traffic, const Truth& truth) {
  const Schedule schedule = optimal_schedule(traffic);
  expect_equal(traffic, "optimal", "steps", schedule.count, truth.steps());
  expect_equal(traffic, "optimal, reversed", "steps", optimal_schedule(reversed(traffic)).count, truth.steps());
  if (const std::string fault = testing::fault_in(traffic, truth, schedule); !fault.empty())
    fail(traffic, "optimal", fault);
}

}  // namespace
}  // namespace xredist::core

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace xredist::core;
  Input input({data, size});
  const auto choice = static_cast<std::size_t>(input.below(static_cast<Index>(algorithms().size())));
  const double alpha = std::pow(10, -static_cast<double>(input.below(8)));
  const Network network{alpha, std::pow(10, -static_cast<double>(input.below(12)))};
  // Grids that are small enough for the whole graph to be coloured: then every schedule is optimal.
  const bool grid = input.below(2) == 1;
  const Overlap rows = input.overlap(grid ? 8 : 40);
  const Traffic traffic{rows, grid ? input.overlap(8) : point};
  const Truth truth(traffic);
  try_optimal(traffic, truth);
  // Matchings take time that grows with the cube of the number of processes; more of them would test nothing new.
  const Index senders = traffic.rows.a.procs * traffic.cols.a.procs;
  const Index receivers = traffic.rows.b.procs * traffic.cols.b.procs;
  if (std::max(senders, receivers) <= 40) try_algorithm(traffic, truth, algorithms()[choice], network);
  return 0;
}
