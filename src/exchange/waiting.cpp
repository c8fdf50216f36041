// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/waiting.hpp"

#include <algorithm>
#include <utility>

namespace xredist::core {
namespace {

// A line names so many processes.
constexpr std::size_t max_named = 8;

std::string of(Index count, Index all) { return std::to_string(count) + " of " + std::to_string(all); }

std::string heard_text(Index heard) {
  if (heard < 0) return "not heard of yet";
  if (heard == 0) return "in this exchange";
  return "behind: heard of " + (heard == 1 ? "in the exchange before" : std::to_string(heard) + " exchanges before");
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
  return name + " (" + owes + "; " + heard_text(missing.heard) + ")";
}

}  // namespace

Missing& WaitingFor::by(int rank) {
  const Index heard = channel_.ledger().heard(rank);
  const Missing empty{
      rank, channel_.world_rank(rank), 0, false, false, false, heard == 0 ? -1 : wire_.number(rank) - heard};
  return by_rank_.try_emplace(rank, empty).first->second;
}

void WaitingFor::add_incoming(Packets all, const Slots& slots) {
  Packet packet;
  while (all.next(packet)) ++state.to_receive;
  Index missing = 0;
  for (std::size_t slot = 0; slot < slots.count(); ++slot)
    if (slots[slot].state != SlotState::free) ++missing, ++by(slots[slot].packet.peer).packets;
  for (Packets later = slots.packets(); later.next(packet);) ++missing, ++by(packet.peer).packets;
  state.received = state.to_receive - missing;
}

void WaitingFor::add_outgoing(Packets all, const Slots& slots, Index handed_over) {
  Packet packet;
  while (all.next(packet)) ++state.to_send;
  Index under_way = handed_over;
  for (std::size_t slot = 0; slot < slots.count(); ++slot) {
    const SlotState is = slots[slot].state;
    if (is == SlotState::free) continue;
    ++under_way;
    if (is == SlotState::permitted) continue;  // waits for its turn
    Missing& missing = by(slots[slot].packet.peer);
    (is == SlotState::waiting ? missing.permit : is == SlotState::shown ? missing.answer : missing.acceptance) = true;
  }
  for (Packets later = slots.packets(); later.next(packet);) ++under_way;
  state.sent = state.to_send - under_way;
}

Waiting WaitingFor::sorted() && {
  for (const auto& [rank, missing] : by_rank_) state.missing.push_back(missing);
  const auto behind = [](const Missing& x) { return x.heard < 0 ? max_elements : x.heard; };
  std::ranges::stable_sort(state.missing, std::ranges::greater(), behind);
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
