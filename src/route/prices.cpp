// SPDX-License-Identifier: BSD-3-Clause
#include "route/prices.hpp"

#include <algorithm>

namespace xredist::core {
namespace {

// Assumed where nothing was measured. No network is taken to be faster per byte. Where the latency was not measured, it
// is taken to be the processor time of a message.
constexpr Speed assumed{.seconds_per_byte = 1e-10, .seconds_per_message = 2e-6};

// Seconds per byte of a copy within the caches, assumed where memory was not measured.
constexpr double cached_copy = 4e-11;

double measured_or(double assumption, double measured) { return measured > 0 ? measured : assumption; }

// Returns the seconds of a byte between nodes. Nodes that are far from each other share links on some networks, as on a
// torus. Messages go to near and to far nodes, so the mean of both rates is assumed.
double seconds_per_byte(const Speed& network) {
  const double far = network.seconds_per_byte, near = network.to_next_node;
  return near > 0 && near < far ? (near + far) / 2 : far;
}

}  // namespace

double Prices::of(const Work& work) const {
  const auto messages = static_cast<double>(work.messages), bytes = static_cast<double>(work.bytes);
  return std::max({message * messages + copy * bytes, message * (messages + 1) / 2 + latency + copy * bytes,
                   byte * bytes + latency});
}

// A packet in memory takes a flag there and back, at the price of two messages, and its bytes are packed and unpacked.
// At the price of one, direct messages are chosen where a mesh takes 0.8 of the time: 48 processes, 420 x 420 elements.
Prices in_memory(const Links& links) {
  const double message = 2 * measured_or(assumed.seconds_per_message, links.memory.seconds_per_message);
  return {message, 2 * measured_or(assumed.seconds_per_byte, links.memory.seconds_per_byte), message};
}

Prices between_nodes(const Links& links) {
  const double sharers = static_cast<double>(links.nodes.max_processes());
  const double message = measured_or(assumed.seconds_per_message, links.network.seconds_per_message);
  return {message, sharers * std::max(seconds_per_byte(links.network), assumed.seconds_per_byte),
          measured_or(message, links.network.latency), 2 * measured_or(cached_copy, links.memory.seconds_per_byte)};
}

double Costs::of(const Mesh& mesh, const std::vector<Work>& rounds) const {
  double seconds = 0;
  for (int round = 0; round < mesh.rounds(); ++round) {
    const Work& work = rounds[static_cast<std::size_t>(round)];
    seconds += (stays(mesh, round) ? memory : far).of(work);
    // The store costs two more copies. Between nodes, `copy` has them.
    if (round > 0 && (far.copy == 0 || stays(mesh, 0))) seconds += memory.byte * static_cast<double>(work.bytes);
  }
  return seconds;
}

}  // namespace xredist::core
