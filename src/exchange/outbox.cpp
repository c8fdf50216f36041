// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/outbox.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

namespace xredist::core {
namespace {

// MPI stores small messages at a receiver that has not posted a receive yet. If no message were sent synchronously, a
// process that only sends could run ahead by any number of exchanges and fill the receiver's memory.
constexpr Index synchronous_exchange = 64;

}  // namespace

void Outbox::open(const Batch& batch, Index phase) {
  const std::size_t slots = wire_.requests.slots();
  loads_.start(batch, phase, true);
  if (slots_.size() < slots) slots_.resize(slots);
  unsent_.clear();
  unsent_.reserve(slots);
  launched_ = 0;
  handed_over_.used = handed_over_.loads = 0;
  for (std::size_t slot = 0; slot < slots; ++slot) send(slot);
}

void Outbox::close() {
  for (std::size_t slot = 0; slot < std::min(wire_.requests.slots(), slots_.size());
       ++slot)  // slots_ is empty if open() was not reached
    if (slots_[slot].state == State::waiting) wire_.requests.cancel(Requests::departure, slot);
}

void Outbox::forget_withdrawn() {
  for (std::size_t slot = 0; slot < std::min(wire_.requests.slots(), slots_.size()); ++slot) {
    const auto& [state, load, bytes, place, notice] = slots_[slot];
    if (state == State::shown && wire_.channel->ledger().refused(load.rank, wire_.number(load.rank)) > 0)
      wire_.requests.cancel(Requests::departure, slot);
  }
}

void Outbox::send(std::size_t slot) {
  Slot& out = slots_[slot];
  out.state = State::free;
  if (!loads_.next(out.load)) return;
  if (out.load.way == Way::shared && wire_.shared != nullptr) return show(slot);
  out.bytes = pack(out.load, wire_.room_out(slot));
  if (out.load.way == Way::by_permit) return ask(slot);
  out.state = State::leaving;
  post(out.load, wire_.room_out(slot), out.bytes, wire_.requests.fresh(Requests::departure, slot));
}

void Outbox::post(const Load& load, const std::byte* from, int bytes, MPI_Request* request) {
  const bool synchronous = wire_.number(load.rank) % synchronous_exchange == 0;
  (synchronous ? MPI_Issend : MPI_Isend)(from, bytes, MPI_BYTE, load.rank, wire_.load_tag(load.rank),
                                         wire_.channel->comm(), request);
}

// A neighbour, which expects a notice, accepts the load itself.
void Outbox::hand_over(Index room) {
  auto& [memory, allocated, used, loads, load] = handed_over_;
  while (loads_.upcoming() != nullptr && loads_.upcoming()->way != Way::by_permit) {
    if (loads == 0 && allocated < room) {
      memory.reset(new (std::nothrow) std::byte[static_cast<std::size_t>(room)]);
      allocated = memory ? room : 0;
    }
    if (used + wire_.piece_bytes > allocated) return;
    loads_.next(load);
    const int bytes = pack(load, memory.get() + used);
    post(load, memory.get() + used, bytes, wire_.requests.additional());
    used += bytes;
    ++loads;
  }
}

void Outbox::left() {
  if (--handed_over_.loads == 0) handed_over_.used = 0;
}

int Outbox::pack(const Load& load, std::byte* to) {
  Index end = 0;
  for (const LoadedPiece& loaded : load.pieces) {
    const auto& [job, piece, offset, stored] = loaded;
    Index bytes = loaded.bytes();
    if (stored == RoutedMessage::not_stored)
      bytes = wire_.packer.pack(job->plan->redistribution, piece, job->a, to + offset);
    else
      std::memcpy(to + offset, wire_.store + stored, static_cast<std::size_t>(bytes));
    end = offset + bytes;
  }
  return static_cast<int>(end);
}

// The fence pairs with the acquire in Inbox::take_notice: a receiver that has the notice sees the load.
void Outbox::show(std::size_t slot) {
  Slot& out = slots_[slot];
  out.bytes = pack(out.load, wire_.shared_room(slot));
  out.state = State::shown;
  std::atomic_thread_fence(std::memory_order_release);
  const int rank = out.load.rank;
  MPI_Irecv(nullptr, 0, MPI_BYTE, rank, wire_.answer_tag(rank, slot_numbers[slot]), wire_.channel->comm(),
            wire_.requests.fresh(Requests::departure, slot));
  MPI_Request* const request = wire_.requests.fresh(Requests::notice, slot);
  out.notice = {slot_numbers[slot], out.bytes, 0};
  MPI_Isend(&out.notice, Notice::size, MPI_BYTE, rank, wire_.load_tag(rank), wire_.channel->comm(), request);
}

void Outbox::ask(std::size_t slot) {
  Slot& out = slots_[slot];
  out.state = State::waiting;
  MPI_Irecv(&out.place, 1, MPI_INT, out.load.rank, wire_.permit_tag(out.load.rank), wire_.channel->comm(),
            wire_.requests.fresh(Requests::departure, slot));
  unsent_.push_back(slot);
}

// Strictly in the order of the schedule. Sent synchronously: that MPI has accepted a load says nothing about the port.
void Outbox::launch() {
  while (!unsent_.empty()) {
    const std::size_t slot = unsent_.front();
    Slot& next = slots_[slot];
    if (next.state != State::permitted || launched_ + next.load.bytes > wire_.window) return;
    launched_ += next.load.bytes;
    next.state = State::leaving;
    MPI_Issend(wire_.room_out(slot), next.bytes, MPI_BYTE, next.load.rank,
               wire_.permitted_tag(next.load.rank, next.place), wire_.channel->comm(),
               wire_.requests.fresh(Requests::departure, slot));
    unsent_.erase(unsent_.begin());
  }
}

void Outbox::departed(std::size_t slot) {
  Slot& out = slots_[slot];
  if (out.state == State::waiting) {
    out.state = State::permitted;
    return launch();
  }
  if (out.state == State::shown)
    std::atomic_thread_fence(std::memory_order_acquire);  // pairs with the release in Inbox::take_notice
  if (out.load.way == Way::by_permit) {
    launched_ -= out.load.bytes;
    launch();  // before the next load is packed
  }
  send(slot);
}

}  // namespace xredist::core
