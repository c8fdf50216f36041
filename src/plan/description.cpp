// SPDX-License-Identifier: BSD-3-Clause
#include "plan/description.hpp"

#include <cstdio>

#include "layout/partition.hpp"

namespace xredist::core {
namespace {

std::string by(Index x, Index y) { return std::to_string(x) + "x" + std::to_string(y); }

std::string cut(const Axis& axis) {
  if (is_cyclic(axis)) return "CYCLIC(" + std::to_string(axis.block()) + ")";
  return std::to_string(axis.partition()->intervals().size()) + " intervals";
}

std::string grid(const Axis& rows, const Axis& cols) {
  const std::string shape = by(rows.procs, cols.procs) + " grid of ";
  if (is_cyclic(rows) && is_cyclic(cols)) return shape + by(rows.block(), cols.block()) + " blocks";
  return shape + cut(rows) + " x " + cut(cols);
}

template <class... Values>
std::string text(const char* format, Values... values) {
  char line[128];
  std::snprintf(line, sizeof line, format, values...);
  return line;
}

// "3 messages, 1.5 MB". In two hops all that goes to one process is a message.
std::string described(const Plan& plan, std::vector<RoutedMessage> Hop::*side) {
  Index elements = 0, messages = 0;
  for (const Hop& hop : plan.hops) {
    int last = -1;
    for (const RoutedMessage& m : hop.*side) {
      elements += (m.rows.end - m.rows.begin) * (m.cols.end - m.cols.begin);
      messages += plan.hops.size() == 1 || m.rank != last;
      last = m.rank;
    }
  }
  return text("%lld messages, %.3g MB", static_cast<long long>(messages),
              1e-6 * static_cast<double>(elements * plan.redistribution.bytes));
}

std::string route(const Plan& plan) {
  const RouteCosts& r = plan.route;
  std::string steps = std::to_string(plan.steps) + " steps (" + std::string(plan.algorithm);
  if (r.two_hops)
    steps = std::to_string(r.hops[0].messages) + " + " + std::to_string(r.hops[1].messages) + " steps (two-hop, " +
            std::to_string(r.mesh_rows) + " rows of " + std::to_string(r.mesh_columns) + " processes";
  if (r.seconds_two_hops > 0)
    steps +=
        text("; estimated: %.3g us directly, %.3g us in two hops", 1e6 * r.seconds_direct, 1e6 * r.seconds_two_hops);
  return steps + ")";
}

}  // namespace

std::string described(const Plan& plan) {
  const auto& [traffic, region, bytes, operation] = plan.redistribution;
  const auto& [rows, cols] = traffic;
  return by(rows.n, cols.n) + " elements of " + std::to_string(bytes) + " bytes, " + grid(rows.a, cols.a) + " -> " +
         grid(rows.b, cols.b) + ": " + route(plan) + "; this process sends " + described(plan, &Hop::sends) +
         ", receives " + described(plan, &Hop::receives) +
         text(", keeps %.3g MB; %d pieces of %lld KB under way each way",
              1e-6 * static_cast<double>(plan.own_rows * plan.own_cols * bytes), plan.cut.slots,
              static_cast<long long>(plan.cut.piece_bytes / 1024)) +
         (plan.shares ? ", shared on a node" : "") + (plan.permits ? ", others by permit" : "");
}

}  // namespace xredist::core
