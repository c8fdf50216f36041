// SPDX-License-Identifier: BSD-3-Clause
#include "xschedule/two_hops.hpp"

#include <algorithm>
#include <tuple>

#include "route/mesh_route.hpp"
#include "xschedule/columns.hpp"
#include "xschedule/reports.hpp"

namespace xschedule {
namespace {

constexpr double most_looks = 1 << 28;  // they take some seconds

// Each process looks at all pairs whose messages may go by way of it, and at those of its row and of its column.
bool too_large(const Mesh& mesh, const Traffic& traffic) {
  const double size = mesh.size();
  return size * size + static_cast<double>(messages_of(traffic)) * (mesh.rows() + mesh.columns()) > most_looks;
}

std::vector<int> nodes_of(const Shown& c) {
  std::vector<int> nodes;
  if (c.per_node > 0)
    for (int rank = 0; rank < cases::processes(c.c); ++rank) nodes.push_back(rank / c.per_node);
  return nodes;
}

// Messages to one process follow each other.
void add(ListedSchedule& schedule, int sender, const HopMessage& m, bool forwarded) {
  if (schedule.parts.empty() || schedule.parts.back().sender != sender || schedule.parts.back().receiver != m.peer)
    schedule.parts.push_back({m.step, sender, m.peer, 0});
  schedule.parts.back().elements += m.elements();
  if (forwarded) schedule.parts.back().forwarded += m.elements();
  schedule.steps = std::max<Index>(schedule.steps, m.step + 1);
}

// The most that one process sends or receives, and the most forwarded elements that one receives.
struct Busiest {
  Index messages = 0, elements = 0, forwarded = 0;
};

Busiest busiest_of(const ListedSchedule& schedule) {
  const auto processes = static_cast<std::size_t>(schedule.senders);
  std::vector<Busiest> sent(processes), received(processes);
  for (const ListedPart& x : schedule.parts)
    for (Busiest* end : {&sent[static_cast<std::size_t>(x.sender)], &received[static_cast<std::size_t>(x.receiver)]})
      *end = {end->messages + 1, end->elements + x.elements, end->forwarded + x.forwarded};
  Busiest most;
  for (const Busiest& x : sent) most = {std::max(most.messages, x.messages), std::max(most.elements, x.elements), 0};
  for (const Busiest& x : received)
    most = {std::max(most.messages, x.messages), std::max(most.elements, x.elements),
            std::max(most.forwarded, x.forwarded)};
  return most;
}

std::string mesh_text(const ListedSchedule& schedule) {
  return std::to_string(schedule.mesh[0]) + "x" + std::to_string(schedule.mesh[1]) + " mesh";
}

}  // namespace

// In these cases the process at position k of the mesh is process k: nodes have consecutive processes.
std::vector<ListedSchedule> two_hops_of(const std::string& name, const Shown& c) {
  const std::vector<int> ranks_a = cases::ranks_of(c.c.a), ranks_b = cases::ranks_of(c.c.b);
  const ProcessGrid a{ranks_a, c.c.a.npcol}, b{ranks_b, c.c.b.npcol};
  TwoHops hops(c.traffic, a, b, mesh_of(a, b, nodes_of(c)));
  const Mesh& mesh = hops.mesh();
  if (mesh.rows() == 1 || mesh.columns() == 1 || too_large(mesh, c.traffic)) return {};
  const bool coloured = hops.quick_to_colour(bounds_of(c.traffic).steps);
  std::vector<ListedSchedule> schedules;
  for (const int hop : {1, 2})
    schedules.push_back({.name = name,
                         .half_duplex = false,
                         .senders = mesh.size(),
                         .receivers = mesh.size(),
                         .steps = 0,
                         .parts = {},
                         .hop = hop,
                         .mesh = {mesh.rows(), mesh.columns()}});
  for (int x = 0; x < mesh.size(); ++x) {
    const BothHops both = hops.scheduled(x, coloured);
    for (const HopMessage& m : both[0].sends) add(schedules[0], x, m, m.q != m.peer);
    for (const HopMessage& m : both[1].sends) add(schedules[1], x, m, m.p != x);
  }
  for (ListedSchedule& schedule : schedules)
    std::ranges::sort(schedule.parts, {}, [](const ListedPart& x) { return std::tuple(x.step, x.sender, x.receiver); });
  return schedules;
}

std::string described_hops(const std::vector<ListedSchedule>& hops) {
  return mesh_text(hops[0]) + ", " + std::to_string(hops[0].steps) + " + " + std::to_string(hops[1].steps) +
         " steps; what stays on a process costs nothing";
}

void print_hops(std::ostream& out, const std::vector<ListedSchedule>& hops) {
  out << hops[0].name << ": " << mesh_text(hops[0])
      << "; the most messages and elements that one process sends or receives\n";
  std::vector<Row> rows{{"", "steps", "messages", "elements"}};
  for (const ListedSchedule& schedule : hops) {
    const Busiest most = busiest_of(schedule);
    rows.push_back({"hop " + std::to_string(schedule.hop), std::to_string(schedule.steps),
                    std::to_string(most.messages), std::to_string(most.elements)});
  }
  print_columns(out, rows);
  out << "Between the hops a process keeps at most " << busiest_of(hops[0]).forwarded
      << " elements of others,\n"
         "or less if messages are cut into panels, which the library does where there is no room for so many\n\n";
}

}  // namespace xschedule
