// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "route/route.hpp"
#include "schedules/listed.hpp"

namespace xschedule {
namespace {

constexpr double max_pairs = 1 << 28;  // pairs of processes that are examined, some seconds

// Returns whether scheduling would take too long: each process examines all messages that it may forward, and those of
// its peers.
bool too_large(const Mesh& mesh, const Traffic& traffic) {
  const double size = mesh.size(), rounds = mesh.rounds();
  double peers = 0;
  for (int round = 0; round < mesh.rounds(); ++round) peers += mesh.radix(round);
  return size * size * (rounds - 1) + static_cast<double>(messages_of(traffic)) * peers > max_pairs;
}

std::vector<int> nodes_of(const Shown& c) {
  std::vector<int> nodes;
  if (c.per_node > 0)
    for (int rank = 0; rank < cases::processes(c.c); ++rank) nodes.push_back(rank / c.per_node);
  return nodes;
}

// Adds a message. Messages to one process follow each other and become one part.
void add(ListedSchedule& schedule, int sender, const Leg& leg) {
  if (schedule.parts.empty() || schedule.parts.back().sender != sender || schedule.parts.back().receiver != leg.peer)
    schedule.parts.push_back({leg.step, sender, leg.peer, 0});
  schedule.parts.back().elements += leg.elements();
  if (leg.p != sender || leg.q != leg.peer) schedule.parts.back().forwarded += leg.elements();
  schedule.steps = std::max<Index>(schedule.steps, leg.step + 1);
}

std::string steps_of(const std::vector<ListedSchedule>& hops) {
  std::string text;
  for (const ListedSchedule& hop : hops) text += (text.empty() ? "" : " + ") + std::to_string(hop.steps);
  return text;
}

// Returns the mesh of an option; nothing if it has one row or one column. Without radices, the mesh has two digits.
std::optional<Mesh> mesh_for(const GridPair& grids, const std::string& route) {
  Options options;
  if (const std::string wrong = set_option(options, "route", route); !wrong.empty())
    throw std::invalid_argument("--route: " + wrong);
  return mesh_of(grids, options.route);
}

}  // namespace

// The process at position k of the mesh is process k, because nodes have consecutive processes.
std::vector<ListedSchedule> hops_of(const std::string& name, const Shown& c) {
  const auto grids = std::make_shared<const GridPair>(cases::ranks_of(c.c.a), c.c.a.npcol, cases::ranks_of(c.c.b),
                                                      c.c.b.npcol, nodes_of(c), 0);
  const std::optional<Mesh> mesh = mesh_for(*grids, c.route);
  if (!mesh || too_large(*mesh, c.traffic)) return {};
  MeshRoute route(c.traffic, grids, *mesh);
  std::vector<ListedSchedule> schedules;
  for (int hop = 1; hop <= mesh->rounds(); ++hop)
    schedules.push_back({.name = name,
                         .half_duplex = false,
                         .senders = mesh->size(),
                         .receivers = mesh->size(),
                         .steps = 0,
                         .parts = {},
                         .hop = hop,
                         .mesh = text_of(*mesh)});
  for (int x = 0; x < mesh->size(); ++x) {
    const std::vector<Legs> legs = route.scheduled(x);
    Index stored = 0;
    for (std::size_t hop = 0; hop < legs.size(); ++hop)
      for (const Leg& leg : legs[hop].sends) {
        add(schedules[hop], x, leg);
        if (leg.p != x) stored += leg.elements();
      }
    schedules.front().stored = std::max(schedules.front().stored, stored);
  }
  for (ListedSchedule& schedule : schedules)
    std::ranges::sort(schedule.parts, {}, [](const ListedPart& x) { return std::tuple(x.step, x.sender, x.receiver); });
  return schedules;
}

std::string described_hops(const std::vector<ListedSchedule>& hops) {
  return hops[0].mesh + " mesh, " + steps_of(hops) + " steps; elements that stay on a process cost nothing";
}

std::string described_passes(const std::vector<ListedSchedule>& passes) {
  const std::string count = std::to_string(passes.size()) + (passes.size() == 1 ? " pass, " : " passes, ");
  return count + steps_of(passes) + " steps";
}

void print_hops(std::ostream& out, const std::vector<ListedSchedule>& hops) {
  out << hops[0].name << ": " << hops[0].mesh
      << " mesh; maximum messages and elements that one process sends or receives\n";
  std::vector<Row> rows{{"", "steps", "messages", "elements"}};
  for (const ListedSchedule& schedule : hops) {
    const Occupation max = busiest_of(schedule);
    rows.push_back({"hop " + std::to_string(schedule.hop), std::to_string(schedule.steps), std::to_string(max.messages),
                    std::to_string(max.elements)});
  }
  print_columns(out, rows);
  out << "Between the hops a process stores at most " << hops[0].stored
      << " forwarded elements.\n"
         "If they do not fit into its buffer, the library cuts the matrix into panels.\n\n";
}

}  // namespace xschedule
