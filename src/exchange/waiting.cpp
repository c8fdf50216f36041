// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/waiting.hpp"

#include <algorithm>
#include <utility>

namespace xredist::core {
namespace {

// A line names so many processes.
constexpr std::size_t max_named = 8;

std::string of(Index count, Index all) { return std::to_string(count) + " of " + std::to_string(all); }

std::string heard_text(const Missing& missing) {
  if (missing.heard == Heard::perhaps) return {};
  if (missing.heard == Heard::yes) return "; in this exchange";
  if (missing.number == 1) return "; not heard of yet";
  return "; not heard of in their exchange " + std::to_string(missing.number);
}

// Returns "rank 3 (2 packets, permit; not heard of yet)".
std::string text_of(const Missing& missing) {
  std::string owes;
  const auto add = [&](const std::string& thing) { owes += (owes.empty() ? "" : ", ") + thing; };
  if (missing.packets > 0) add(missing.packets == 1 ? "1 packet" : std::to_string(missing.packets) + " packets");
  if (missing.permit) add("permit");
  if (missing.answer) add("answer");
  if (missing.acceptance) add("acceptance");
  const std::string name = missing.world_rank >= 0 ? "rank " + std::to_string(missing.world_rank)
                                                   : "process " + std::to_string(missing.rank) + " of the communicator";
  return name + " (" + owes + heard_text(missing) + ")";
}

}  // namespace

Missing& WaitingFor::by(int rank) {
  const Missing owes_nothing{.rank = rank, .world_rank = channel_.world_rank(rank), .number = wire_.number(rank)};
  return by_rank_.try_emplace(rank, owes_nothing).first->second;
}

void WaitingFor::add_earlier(PacketCursor received) {
  for (; !received.done(); received.advance()) heard_[received.current().peer] = Heard::yes;
}

void WaitingFor::add_incoming(PacketCursor all, const Slots& slots) {
  std::map<int, Index> come;
  for (; !all.done(); all.advance()) ++state.to_receive, ++come[all.current().peer];
  Index missing = 0;
  const auto add_missing = [&](int peer) { ++missing, ++by(peer).packets, --come[peer]; };
  for (std::size_t slot = 0; slot < slots.count(); ++slot)
    if (slots[slot].state != SlotState::free) add_missing(slots[slot].packet.peer);
  for (PacketCursor later = slots.packets(); !later.done(); later.advance()) add_missing(later.current().peer);
  state.received = state.to_receive - missing;
  for (const auto& [peer, packets] : come)
    if (packets > 0) heard_[peer] = Heard::yes;
}

void WaitingFor::add_outgoing(PacketCursor all, const Slots& slots, Index handed_over, bool answered) {
  std::map<int, Index> read;  // or on their way as messages
  for (; !all.done(); all.advance()) {
    ++state.to_send;
    if (all.current().transport == Transport::shared) ++read[all.current().peer];
  }
  Index under_way = handed_over;
  for (std::size_t slot = 0; slot < slots.count(); ++slot) {
    const SlotState is = slots[slot].state;
    const Packet& packet = slots[slot].packet;
    if (is == SlotState::free) continue;
    ++under_way;
    if (packet.transport == Transport::shared) --read[packet.peer];
    if (packet.transport == Transport::permit && is != SlotState::waiting) heard_[packet.peer] = Heard::yes;
    if (is == SlotState::permitted) continue;  // waits for its turn
    Missing& missing = by(packet.peer);
    (is == SlotState::waiting ? missing.permit : is == SlotState::shown ? missing.answer : missing.acceptance) = true;
  }
  for (PacketCursor later = slots.packets(); !later.done(); later.advance()) {
    ++under_way;
    if (later.current().transport == Transport::shared) --read[later.current().peer];
  }
  state.sent = state.to_send - under_way;
  for (const auto& [peer, packets] : read)
    if (packets > 0) heard_[peer] = std::max(heard_[peer], answered ? Heard::yes : Heard::perhaps);
}

Waiting WaitingFor::sorted() && {
  for (auto& [rank, missing] : by_rank_) {
    if (const auto heard = heard_.find(rank); heard != heard_.end()) missing.heard = heard->second;
    state.missing.push_back(missing);
  }
  std::ranges::stable_sort(state.missing, {}, &Missing::heard);
  return std::move(state);
}

std::string text_of(const Waiting& waiting) {
  std::string text = "exchange, round " + of(waiting.round, waiting.rounds) + ": " + of(waiting.sent, waiting.to_send) +
                     " packets sent, " + of(waiting.received, waiting.to_receive) + " received";
  if (waiting.copies > 0) text += "; copies on this process";
  const std::size_t named = std::min(waiting.missing.size(), max_named);
  for (std::size_t k = 0; k < named; ++k) text += (k == 0 ? "; waits for " : ", ") + text_of(waiting.missing[k]);
  if (waiting.missing.size() > named) text += " and " + std::to_string(waiting.missing.size() - named) + " more";
  return text;
}

}  // namespace xredist::core
