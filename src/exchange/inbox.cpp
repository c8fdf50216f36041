// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/inbox.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>

namespace xredist::core {

void Inbox::open(const Batch& batch, Index phase) {
  const std::size_t slots = wire_.requests.slots();
  loads_.start(batch, phase, false);
  if (slots_.size() < slots) slots_.resize(slots);
  unpermitted_.clear();
  unpermitted_.reserve(slots);
  permitted_ = 0;
  for (std::size_t slot = 0; slot < slots; ++slot) receive(slot);
}

// Slots that expect nothing have a load without pieces.
bool Inbox::expects(const Job& job) const {
  const auto of_job = [&](const LoadedPiece& piece) { return piece.job == &job; };
  for (std::size_t slot = 0; slot < wire_.requests.slots(); ++slot)
    if (std::ranges::any_of(slots_[slot].pieces, of_job)) return true;
  return loads_.has_more_of(job);
}

void Inbox::close() {
  for (std::size_t slot = 0; slot < wire_.requests.slots(); ++slot) wire_.requests.cancel(Requests::arrival, slot);
}

void Inbox::receive(std::size_t slot) {
  Load& load = slots_[slot];
  if (!loads_.next(load)) return;
  const bool by_permit = load.way == Way::by_permit;
  const int tag = by_permit ? wire_.permitted_tag(load.rank, slot_numbers[slot]) : wire_.load_tag(load.rank);
  MPI_Irecv(wire_.room_in(slot), static_cast<int>(wire_.piece_bytes), MPI_BYTE, load.rank, tag, wire_.channel->comm(),
            wire_.requests.fresh(Requests::arrival, slot));
  if (!by_permit) return;
  unpermitted_.push_back(slot);
  permit();
}

// Gives permits strictly in the order of the schedule.
void Inbox::permit() {
  while (!unpermitted_.empty()) {
    const std::size_t slot = unpermitted_.front();
    const Load& next = slots_[slot];
    if (permitted_ + next.bytes > wire_.window) return;
    permitted_ += next.bytes;
    MPI_Isend(&slot_numbers[slot], 1, MPI_INT, next.rank, wire_.permit_tag(next.rank), wire_.channel->comm(),
              wire_.requests.fresh(Requests::reply, slot));
    unpermitted_.erase(unpermitted_.begin());
  }
}

void Inbox::arrived(std::size_t slot, const MPI_Status& status) {
  const Load& load = slots_[slot];
  if (load.way == Way::by_permit) {
    permitted_ -= load.bytes;
    permit();  // before the load is unpacked
  }
  int bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  if (load.way == Way::shared && bytes == Notice::size) {
    take_notice(slot);
  } else {
    check(load, bytes);
    unpack(load, wire_.room_in(slot), bytes);
  }
  receive(slot);
}

// Two fences. The sender wrote the load before it sent the notice: acquire pairs with the release in Outbox::show. The
// sender overwrites the slot after it has received the answer: release pairs with the acquire in Outbox::departed, so
// that the answer does not overtake the reads.
void Inbox::take_notice(std::size_t slot) {
  const Load& load = slots_[slot];
  Notice notice{};
  std::memcpy(static_cast<void*>(&notice), wire_.room_in(slot), Notice::size);
  std::atomic_thread_fence(std::memory_order_acquire);
  check(load, notice.bytes);
  unpack(load, wire_.channel->memory_of(load.rank) + notice.slot * wire_.shared_bytes, notice.bytes);
  std::atomic_thread_fence(std::memory_order_release);
  MPI_Isend(nullptr, 0, MPI_BYTE, load.rank, wire_.answer_tag(load.rank, notice.slot), wire_.channel->comm(),
            wire_.requests.fresh(Requests::reply, slot));
}

// Costs nothing, and finds most of what XREDIST_CHECK finds before anything is moved.
void Inbox::check(const Load& load, int bytes) const {
  const bool whole = load.pieces.back().job->plan->redistribution.region.kind == Region::Kind::all;
  if (bytes == load.bytes || (!whole && bytes < load.bytes)) return;
  throw Disagreement("process " + std::to_string(load.rank) + " of the context sends " + std::to_string(bytes) +
                     " bytes where " + std::to_string(load.bytes) +
                     " are due: do all processes pass the same arguments? (XREDIST_CHECK=1 compares them)");
}

// What is to be sent on is copied as it is. Pieces of a trapezoid may be shorter than they could be, so the last may be
// cut off.
void Inbox::unpack(const Load& load, const std::byte* from, Index bytes) {
  for (const LoadedPiece& loaded : load.pieces) {
    const auto& [job, piece, offset, stored] = loaded;
    if (stored == RoutedMessage::not_stored)
      wire_.packer.unpack(job->plan->redistribution, piece, from + offset, job->b, job->scalars);
    else
      std::memcpy(wire_.store + stored, from + offset,
                  static_cast<std::size_t>(std::min(loaded.bytes(), bytes - offset)));
  }
}

}  // namespace xredist::core
