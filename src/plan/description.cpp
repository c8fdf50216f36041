// SPDX-License-Identifier: BSD-3-Clause
// The work and the memory of a plan as numbers and as text: bytes_of, memory_of, case_text_of and description_of.
#include "copy/chunk_move.hpp"
#include "layout/partition.hpp"
#include "plan/buffers.hpp"
#include "plan/plan.hpp"
#include "settings/decimals.hpp"

namespace xredist::core {
namespace {

std::string by(Index x, Index y) { return std::to_string(x) + "x" + std::to_string(y); }

// An element of the matrix is `units` elements of the axis, which is no product.
std::string cut(const Axis& axis, Index units) {
  if (is_cyclic(axis)) return "CYCLIC(" + std::to_string(axis.block() / units) + ")";
  return std::to_string(axis.partition()->intervals().size()) + " intervals";
}

// Returns a text of a product's axes on one side, such as "(2x1 grid of CYCLIC(8) x CYCLIC(16))".
std::string product_grid(const Overlap& cols, const Axis Overlap::*side) {
  std::string procs, cuts;
  for (const Overlap& factor : *cols.factors()) {
    procs.append(procs.empty() ? "" : "x").append(std::to_string((factor.*side).procs));
    cuts.append(cuts.empty() ? "" : " x ").append(cut(factor.*side, 1));
  }
  return "(" + procs + " grid of " + cuts + ")";
}

std::string grid(const Traffic& traffic, const Axis Overlap::*side, Index units) {
  const Axis &rows = traffic.rows.*side, &cols = traffic.cols.*side;
  if (is_product(traffic.cols))
    return std::to_string(rows.procs) + " grid of " + cut(rows, units) + " x " + product_grid(traffic.cols, side);
  const std::string shape = by(rows.procs, cols.procs) + " grid of ";
  if (is_cyclic(rows) && is_cyclic(cols)) return shape + by(rows.block() / units, cols.block()) + " blocks";
  return shape + cut(rows, units) + " x " + cut(cols, 1);
}

// Returns a text such as "64 bytes", "1.5 KB" or "2.25 MB", in powers of 1000 and rounded to three digits.
std::string size_text(Index bytes) {
  if (bytes < 1000) return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  const auto size = static_cast<double>(bytes);
  if (size < 999.5e3) return with_digits(1e-3 * size, 3) + " KB";
  return size < 999.5e6 ? with_digits(1e-6 * size, 3) + " MB" : with_digits(1e-9 * size, 3) + " GB";
}

// Returns a text such as "3 messages, 1.5 MB". Transfers that share packets are one message.
std::string traffic_of(const Plan& plan, std::vector<Transfer> Round::*side) {
  Index bytes = 0, messages = 0;
  for (const Round& round : plan.rounds)
    for (const Transfer& transfer : round.*side) {
      bytes += bytes_of(plan, transfer);
      messages += !transfer.joins;
    }
  return std::to_string(messages) + (messages == 1 ? " message, " : " messages, ") + size_text(bytes);
}

std::string copies_of(const Plan& plan) {
  Index bytes = 0;
  for (const Round& round : plan.rounds)
    for (const Transfer& copy : round.copies) bytes += bytes_of(plan, copy);
  return ", keeps " + size_text(bytes);
}

std::string route_of(const Plan& plan) {
  std::string steps;
  if (const OverMesh* const route = over_mesh(plan.route)) {
    for (const Work& round : route->rounds) steps += (steps.empty() ? "" : " + ") + std::to_string(round.messages);
    steps += " steps (" + text_of(route->mesh) + " mesh";
  } else {
    steps = std::to_string(plan.steps) + (plan.steps == 1 ? " step (" : " steps (") + std::string(plan.algorithm);
  }
  if (const std::optional<OverMesh>& mesh = plan.route.best_mesh)
    steps += "; estimated: " + with_digits(1e6 * *plan.route.seconds_direct, 3) + " us directly, " +
             with_digits(1e6 * mesh->seconds, 3) + " us over a " + text_of(mesh->mesh) + " mesh";
  return steps + ")";
}

}  // namespace

Index bytes_of(const Plan& plan, const Transfer& transfer) {
  return plan.redistribution.bytes *
         elements_in(plan.redistribution, transfer.p, transfer.q, transfer.rows, transfer.cols);
}

namespace {

template <class Value>
Index list_bytes(const std::vector<Value>& list) {
  return static_cast<Index>(list.capacity() * sizeof(Value));
}

Index memory_of(const RunTables& tables) { return tables.rows.bytes() + tables.cols.bytes(); }

// Partitions have lists of intervals, and of the partners of each process.
Index memory_of(const Overlap& o) {
  if (o.partners() == nullptr) return 0;
  Index bytes = 0;
  for (const Overlap& side : {o, reversed(o)}) {
    bytes +=
        list_bytes(side.partners()->values()) + side.partners()->groups() * static_cast<Index>(sizeof(std::size_t));
    if (const Partition* partition = side.a.partition())
      bytes += std::ssize(partition->intervals()) * static_cast<Index>(sizeof(OwnedInterval) + sizeof(std::int32_t)) +
               partition->procs() * static_cast<Index>(sizeof(std::size_t));
  }
  return bytes;
}

// Returns the packets that the plan may have under way, or more and shorter ones if this process has them.
std::string slots_of(const Plan& plan) {
  const BufferSize size = buffers_of({&plan, 1});
  const bool more = size.slots > plan.limits.slots;
  return std::to_string(more ? size.slots : plan.limits.slots) + " packets of " +
         std::to_string((more ? size.packet_bytes : plan.limits.packet_bytes) / 1024) + " KB";
}

}  // namespace

Index memory_of(const Plan& plan) {
  const auto& [rows, cols] = plan.redistribution.traffic;
  Index bytes = static_cast<Index>(sizeof plan) + memory_of(rows) + memory_of(cols) + memory_of(plan.a.runs) +
                memory_of(plan.b.runs) + list_bytes(plan.peers) + list_bytes(plan.rounds);
  for (const Round& round : plan.rounds)
    bytes += list_bytes(round.sends) + list_bytes(round.receives) + list_bytes(round.copies);
  return bytes;
}

std::string case_text_of(const Plan& plan) {
  const auto& [traffic, region, bytes, operation, units] = plan.redistribution;
  const auto& [rows, cols] = traffic;
  return by(rows.n / units, cols.n) + " elements of " + std::to_string(bytes * units) + " bytes, " +
         grid(traffic, &Overlap::a, units) + " -> " + grid(traffic, &Overlap::b, units);
}

std::string description_of(const Plan& plan) {
  return case_text_of(plan) + ": " + route_of(plan) + "; this process sends " + traffic_of(plan, &Round::sends) +
         ", receives " + traffic_of(plan, &Round::receives) + copies_of(plan) + "; " + slots_of(plan) +
         " under way each way" + (plan.panels > 1 ? ", in " + std::to_string(plan.panels) + " panels" : "") +
         (plan.shares ? ", shared on a node" : "") + (plan.permits ? ", others by permit" : "");
}

}  // namespace xredist::core
