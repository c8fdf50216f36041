// SPDX-License-Identifier: BSD-3-Clause
#include "plan/route.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "layout/index.hpp"

namespace xredist::core {
namespace {

// Two hops are not worth a look below so many messages to one process, and are to save a tenth at least. At the end of
// each, a process waits for others as long as some messages take.
constexpr Index least_messages = 4, waits = 2;
constexpr double saving = 0.9;

// On slow networks the processes of a node hinder each other if they send to several nodes at once, for a matching of
// processes is none of nodes. Measured: 1.1 to 1.5 times the port bound with 4 processes on each of 4 nodes,
// against 1.1 in two hops.
constexpr double hindered = 1.25;

// What is assumed where nothing was measured; bytes of a network never travel in less.
constexpr Speed unknown{1e-10, 2e-6};

// How many processes are looked at to find out what hops cost, and how many messages altogether.
constexpr Index most_samples = 8, most_looks = 1 << 17;

// The most messages and elements of one process along an axis.
struct AxisWork {
  Index messages, elements;
};
AxisWork work_of(const Overlap& o) {
  AxisWork work{max_partners(o), 0};
  for (Index p = 0; p < o.a.procs; ++p)
    work.elements = std::max(work.elements, local_count(o.a, p, o.a.first + o.n) - local_count(o.a, p, o.a.first));
  return work;
}

// What senders do, and what receivers do.
struct Sides {
  AxisWork rows, cols;
  Index messages() const { return rows.messages * cols.messages; }
  Index elements() const { return rows.elements * cols.elements; }
};

// Seconds that a byte is assumed to take to be copied within the caches.
constexpr double cached_copy = 4e-11;

// What messages cost a process. In memory, a load takes a notice and an answer, and bytes are packed and unpacked;
// between nodes, all processes of a node share its port.
struct Prices {
  double message, byte;
  double copies = 0;  // of a byte, besides

  // The two overlap: while a port carries one message, the processor works at the next.
  double of(const Work& work) const {
    const auto messages = static_cast<double>(work.messages), bytes = static_cast<double>(work.bytes);
    return std::max(message * messages + copies * bytes, byte * bytes) + message * static_cast<double>(waits);
  }
};

double or_unknown(double measured, double value) { return measured > 0 ? measured : value; }

Prices in_memory(const Links& links) {
  return {2 * or_unknown(links.memory.seconds_per_message, unknown.seconds_per_message),
          2 * or_unknown(links.memory.seconds_per_byte, unknown.seconds_per_byte)};
}

Prices between_nodes(const Links& links, Index sharers) {
  return {or_unknown(links.network.seconds_per_message, unknown.seconds_per_message),
          static_cast<double>(sharers) * std::max(links.network.seconds_per_byte, unknown.seconds_per_byte),
          2 * or_unknown(links.memory.seconds_per_byte, cached_copy)};
}

// How many processes share a node's port.
Index processes_on_node(const Links& links) {
  std::vector<Index> count(links.nodes.size() + 1, 0);
  for (const int node : links.nodes) ++count[static_cast<std::size_t>(node)];
  return std::max<Index>(1, std::ranges::max(count));
}

Work work_of(const HopMessages& messages, Index bytes) {
  Work most;
  for (const auto* list : {&messages.sends, &messages.receives}) {
    std::set<int> peers;
    Index elements = 0;
    for (const HopMessage& m : *list) {
      peers.insert(m.peer);
      elements += m.elements();
    }
    most = {std::max(most.messages, static_cast<Index>(peers.size())), std::max(most.bytes, elements * bytes)};
  }
  return most;
}

// Looks at some processes, the same on all.
void sample(TwoHops& hops, Index bytes, RouteCosts& costs) {
  const Index size = hops.mesh().size();
  const Index samples = std::clamp<Index>(most_looks / (size + 2 * costs.direct.messages), 1, most_samples);
  for (Index k = 0; k < std::min(samples, size); ++k) {
    const BothHops messages =
        hops.messages_of(static_cast<int>(k * size / samples + k % hops.mesh().columns()) % static_cast<int>(size));
    for (std::size_t hop = 0; hop < 2; ++hop) {
      const Work work = work_of(messages[hop], bytes);
      costs.hops[hop] = {std::max(costs.hops[hop].messages, work.messages),
                         std::max(costs.hops[hop].bytes, work.bytes)};
    }
  }
}

// No process keeps more between the hops than its row sends, than its column receives, or, if A and B are on the grid
// that is the mesh, than its rows of A have in its columns of B (THEORY.md, T31).
Index most_stored(const Mesh& mesh, const ProcessGrid& a, const ProcessGrid& b, const Sides& senders,
                  const Sides& receivers) {
  const Index row = mesh.columns() + (mesh.short_row() > 0 ? mesh.short_row() / (mesh.rows() - 1) + 1 : 0);
  const Index most = std::min(row * senders.elements(), Index{mesh.rows()} * receivers.elements());
  const bool grid = mesh.columns() == a.columns && a.columns == b.columns && std::ranges::equal(a.ranks, b.ranks);
  return grid ? std::min(most, senders.rows.elements * receivers.cols.elements) : most;
}

// What messages between processes of the grids cost.
struct Ways {
  Prices memory, far;
  Index sharers;  // processes of a node that send to others; 1: there is no other node
};

Ways ways_of(const Links& links) {
  const bool network = !links.nodes.empty() && std::ranges::max(links.nodes) > 0;
  const Index sharers = network ? processes_on_node(links) : 1;
  return {in_memory(links), network ? between_nodes(links, sharers) : in_memory(links), sharers};
}

// Room for what is stored is taken by halves, because messages cannot be cut in equal parts.
void set_panels(RouteCosts& costs, Index stored, Index buffer) {
  costs.stored = stored;
  costs.room = buffer / 2;
  costs.panels = stored <= costs.room ? 1 : ceil_div(stored, costs.room / 2);
}

}  // namespace

std::optional<TwoHops> two_hops_for(const Redistribution& redistribution, const ProcessGrid& a, const ProcessGrid& b,
                                    const Options& options, const Links& links, bool permits, RouteCosts& costs) {
  const auto& [traffic, region, bytes, operation] = redistribution;
  const Traffic back = reversed(traffic);
  const Sides senders{work_of(traffic.rows), work_of(traffic.cols)}, receivers{work_of(back.rows), work_of(back.cols)};
  costs.direct = {std::max(senders.messages(), receivers.messages()),
                  bytes * std::max(senders.elements(), receivers.elements())};
  const bool asked = options.route == Options::two_hops;
  // Who names an algorithm wants to see its schedule.
  if (options.route == Options::direct || (options.algorithm != 0 && !asked)) return std::nullopt;
  if ((costs.direct.messages < least_messages || links.nodes.empty()) && !asked) return std::nullopt;
  Mesh mesh = mesh_of(a, b, links.nodes);
  if (mesh.rows() == 1 || mesh.columns() == 1) return std::nullopt;

  const auto [memory, far, sharers] = ways_of(links);
  const bool by_nodes = sharers > 1 && mesh.columns() == sharers;
  costs.mesh_rows = mesh.rows(), costs.mesh_columns = mesh.columns();
  costs.seconds_direct = far.of(costs.direct) * (permits && by_nodes ? hindered : 1);
  set_panels(costs, bytes * most_stored(mesh, a, b, senders, receivers), options.buffer);
  const double least = far.of({costs.panels, costs.direct.bytes}) * (by_nodes ? 1 : 2);
  if (!asked && least > saving * costs.seconds_direct) return std::nullopt;  // without a closer look
  TwoHops hops(traffic, a, b, std::move(mesh));
  sample(hops, bytes, costs);
  for (Work& hop : costs.hops) hop.messages *= costs.panels;
  // What is stored is copied twice more, as other messages are packed and unpacked: between nodes, that is in `copies`.
  const bool within = by_nodes || far.copies == 0;
  costs.seconds_two_hops = (by_nodes ? memory : far).of(costs.hops[0]) + far.of(costs.hops[1]) +
                           (within ? memory.byte * static_cast<double>(costs.hops[1].bytes) : 0);
  costs.two_hops = asked || costs.seconds_two_hops < saving * costs.seconds_direct;
  return costs.two_hops ? std::optional(std::move(hops)) : std::nullopt;
}

}  // namespace xredist::core
