// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <tuple>

#include "route/mesh_route.hpp"
#include "schedules/listed.hpp"
#include "schedules/reports.hpp"

namespace xschedule {
namespace {

constexpr double max_pairs = 1 << 28;  // pairs of processes that are examined, some seconds

// Returns whether scheduling would take too long: each process examines all pairs whose messages it may forward, and
// those of its row and column.
bool too_large(const Mesh& mesh, const Traffic& traffic) {
  const double size = mesh.size();
  return size * size + static_cast<double>(messages_of(traffic)) * (mesh.rows() + mesh.columns()) > max_pairs;
}

std::vector<int> nodes_of(const Shown& c) {
  std::vector<int> nodes;
  if (c.per_node > 0)
    for (int rank = 0; rank < cases::processes(c.c); ++rank) nodes.push_back(rank / c.per_node);
  return nodes;
}

// Adds a message. Messages to one process follow each other and become one part.
void add(ListedSchedule& schedule, int sender, const Leg& leg, bool forwarded) {
  if (schedule.parts.empty() || schedule.parts.back().sender != sender || schedule.parts.back().receiver != leg.peer)
    schedule.parts.push_back({leg.step, sender, leg.peer, 0});
  schedule.parts.back().elements += leg.elements();
  if (forwarded) schedule.parts.back().forwarded += leg.elements();
  schedule.steps = std::max<Index>(schedule.steps, leg.step + 1);
}

// Maxima over all processes: what a process sends or receives, and the forwarded elements that it receives.
struct Busiest {
  Index messages = 0, elements = 0, forwarded = 0;
};

Busiest busiest_of(const ListedSchedule& schedule) {
  const auto processes = static_cast<std::size_t>(schedule.senders);
  std::vector<Busiest> sent(processes), received(processes);
  for (const ListedPart& x : schedule.parts)
    for (Busiest* end : {&sent[static_cast<std::size_t>(x.sender)], &received[static_cast<std::size_t>(x.receiver)]})
      *end = {end->messages + 1, end->elements + x.elements, end->forwarded + x.forwarded};
  Busiest max;
  for (const Busiest& x : sent) max = {std::max(max.messages, x.messages), std::max(max.elements, x.elements), 0};
  for (const Busiest& x : received)
    max = {std::max(max.messages, x.messages), std::max(max.elements, x.elements),
           std::max(max.forwarded, x.forwarded)};
  return max;
}

std::string mesh_text(const ListedSchedule& schedule) {
  return std::to_string(schedule.mesh[0]) + "x" + std::to_string(schedule.mesh[1]) + " mesh";
}

}  // namespace

// The process at position k of the mesh is process k, because nodes have consecutive processes.
std::vector<ListedSchedule> two_hops_of(const std::string& name, const Shown& c) {
  const std::vector<int> ranks_a = cases::ranks_of(c.c.a), ranks_b = cases::ranks_of(c.c.b);
  const ProcessGrid a{ranks_a, c.c.a.npcol}, b{ranks_b, c.c.b.npcol};
  MeshRoute route(c.traffic, a, b, mesh_of(a, b, nodes_of(c)));
  const Mesh& mesh = route.mesh();
  if (mesh.rows() == 1 || mesh.columns() == 1 || too_large(mesh, c.traffic)) return {};
  const bool coloured = route.quick_to_colour(bounds_of(c.traffic).steps);
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
    const MeshLegs legs = route.scheduled(x, coloured);
    for (const Leg& leg : legs[0].sends) add(schedules[0], x, leg, leg.q != leg.peer);
    for (const Leg& leg : legs[1].sends) add(schedules[1], x, leg, leg.p != x);
  }
  for (ListedSchedule& schedule : schedules)
    std::ranges::sort(schedule.parts, {}, [](const ListedPart& x) { return std::tuple(x.step, x.sender, x.receiver); });
  return schedules;
}

std::string described_hops(const std::vector<ListedSchedule>& hops) {
  return mesh_text(hops[0]) + ", " + std::to_string(hops[0].steps) + " + " + std::to_string(hops[1].steps) +
         " steps; elements that stay on a process cost nothing";
}

void print_hops(std::ostream& out, const std::vector<ListedSchedule>& hops) {
  out << hops[0].name << ": " << mesh_text(hops[0])
      << "; maximum messages and elements that one process sends or receives\n";
  std::vector<Row> rows{{"", "steps", "messages", "elements"}};
  for (const ListedSchedule& schedule : hops) {
    const Busiest max = busiest_of(schedule);
    rows.push_back({"hop " + std::to_string(schedule.hop), std::to_string(schedule.steps), std::to_string(max.messages),
                    std::to_string(max.elements)});
  }
  print_columns(out, rows);
  out << "Between the hops a process stores at most " << busiest_of(hops[0]).forwarded
      << " forwarded elements.\n"
         "If they do not fit into its buffer, the library cuts the matrix into panels.\n\n";
}

}  // namespace xschedule
