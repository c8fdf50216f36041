// SPDX-License-Identifier: BSD-3-Clause
// The plans of a table of cases. Each threshold of route, plan and schedule decides in one of them, so a changed
// threshold changes a row. (recoloured_if_exact decides in ColouredSchedule.RecoloursAtMost250000Edges.) A failure
// prints the new row, for intended changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "plan/plan.hpp"
#include "random/random_traffic.hpp"
#include "settings/options.hpp"

namespace xredist::testing {
namespace {

// Whole matrices, on the first processes of a communicator.
struct PlannedCase {
  Layout a, b;
  Index m = 0, n = 0, bytes = 0;  // of an element
  Speed network{}, memory{};      // all 0: not measured
  Index processes_of_node = 0, shared_bytes = 0;
  double executions = 0;
  Options options{};
};

// Reads "2x3/64x64:3x2/16x16,1000,1000,8,10,2,4,0,1": process grids and blocks of A and B, rows and columns, bytes of
// an element, GB/s and microseconds of the network, processes of a node, bytes of shared memory, executions.
PlannedCase case_of(const std::string& line, const std::string& algorithm) {
  PlannedCase c;
  Index grid[4] = {}, block[4] = {};
  double rate = 0, latency = 0;
  const int read = std::sscanf(line.c_str(),
                               "%" SCNd64 "x%" SCNd64 "/%" SCNd64 "x%" SCNd64 ":%" SCNd64 "x%" SCNd64 "/%" SCNd64
                               "x%" SCNd64 ",%" SCNd64 ",%" SCNd64 ",%" SCNd64 ",%lf,%lf,%" SCNd64 ",%" SCNd64 ",%lf",
                               &grid[0], &grid[1], &block[0], &block[1], &grid[2], &grid[3], &block[2], &block[3], &c.m,
                               &c.n, &c.bytes, &rate, &latency, &c.processes_of_node, &c.shared_bytes, &c.executions);
  EXPECT_EQ(read, 16) << line;
  c.a = {{block[0], grid[0], 0, 0}, {block[1], grid[1], 0, 0}};
  c.b = {{block[2], grid[2], 0, 0}, {block[3], grid[3], 0, 0}};
  EXPECT_EQ(set_option(c.options, "algorithm", algorithm), "");
  if (rate > 0) {
    c.network = {1e-9 / rate, 1e-6 * latency};
    c.memory = {1e-10, 1e-7};
  }
  return c;
}

// Combines numbers, as Fowler, Noll and Vo do with bytes.
class Checksum {
 public:
  void add(Index number) { sum_ = (sum_ ^ static_cast<std::uint64_t>(number)) * 1'099'511'628'211U; }
  std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t sum_ = 14'695'981'039'346'656'037U;
};

std::uint64_t checksum(const std::vector<Round>& rounds) {
  Checksum all;
  for (const Round& round : rounds)
    for (const auto* list : {&round.sends, &round.receives}) {
      all.add(-1);
      for (const Transfer& x : *list)
        for (const Index number : {Index{x.peer}, x.rows.begin, x.rows.end, x.cols.begin, x.cols.end}) all.add(number);
    }
  return all.sum();
}

// Returns what the plan of the process in the middle is: route or algorithm, steps, panels, packets, window, and a
// checksum of the messages in their order.
std::string choice(const PlannedCase& c) {
  const auto size = [](const Layout& layout) { return layout.rows.procs * layout.cols.procs; };
  const Index processes = std::max(size(c.a), size(c.b)), me = processes / 2;
  Links links{.neighbours = {}, .shared_bytes = c.shared_bytes, .network = c.network, .memory = c.memory};
  std::vector<int> nodes;
  for (Index rank = 0; rank < processes; ++rank) {
    nodes.push_back(static_cast<int>(rank / c.processes_of_node));
    if (c.shared_bytes > 0 && rank != me && rank / c.processes_of_node == me / c.processes_of_node)
      links.neighbours.push_back(static_cast<int>(rank));
  }
  links.nodes = std::move(nodes);
  const Plan plan = plan_process(redistribution_of(c.a, c.b, c.m, c.n, Region{}, c.bytes), ranks_from(0, size(c.a)),
                                 ranks_from(0, size(c.b)), static_cast<int>(me), c.options, links, c.executions);
  const OverMesh* const mesh = over_mesh(plan.route);
  std::ostringstream text;
  text << (mesh != nullptr ? text_of(mesh->mesh) : std::string(plan.algorithm)) << ' ' << plan.steps << " steps "
       << panels_of(plan.route) << " panels " << plan.limits.slots << 'x' << plan.limits.packet_bytes << " bytes "
       << plan.limits.shared_bytes << " shared " << plan.window << " window " << std::hex << checksum(plan.rounds);
  return text.str();
}

TEST(Choices, AreThoseOfTheTable) {
  std::ifstream table(XREDIST_CHOICES);
  std::string line;
  int rows = 0;
  ASSERT_TRUE(std::getline(table, line)) << "no table " XREDIST_CHOICES;  // names of the columns
  while (std::getline(table, line)) {
    std::istringstream columns(line);
    std::string given, algorithm, expected, column;
    for (int k = 0; k < 9 && std::getline(columns, column, ','); ++k) given += (k > 0 ? "," : "") + column;
    std::getline(std::getline(columns, algorithm, ','), expected);
    const std::string chosen = choice(case_of(given, algorithm));
    EXPECT_EQ(chosen, expected) << given << ',' << algorithm << ',' << chosen;
    ++rows;
  }
  EXPECT_GE(rows, 20);
}

}  // namespace
}  // namespace xredist::testing
