// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/receiver.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>

#include "exchange/errors.hpp"

namespace xredist::core {
namespace {

[[gnu::cold]] Disagreement wrong_length(const Packet& packet, Index bytes, const char* at_least = "") {
  return Disagreement("process " + std::to_string(packet.peer) + " of the context sends " + at_least +
                      std::to_string(bytes) + " bytes, but " + std::to_string(packet.bytes) +
                      " were expected: do all processes pass the same arguments, and the same `consume` in their jobs? "
                      "(XREDIST_CHECK=1 compares those of plans and drop-in calls, but not `consume`)");
}

}  // namespace

void Receiver::open(std::span<const Transfer> receives) {
  slots.open(batch, receives, TransferList::receives, requests.slots());
  for (std::size_t slot = 0; slot < slots.count(); ++slot) receive(slot);
}

void Receiver::close() {
  for (std::size_t slot = 0; slot < requests.slots(); ++slot) requests.cancel(Requests::arrival, slot);
  for (std::size_t slot = 0; slot < slots.count(); ++slot)
    if (slots[slot].state == SlotState::expected) slots.settle(slot);
}

// A neighbour sends or shows its packets in order, and all its messages without permits have one tag. So a message is
// the first packet that is missing and not shown. A receive is posted in advance only if all packets before are here,
// or have posted receives themselves.
void Receiver::receive(std::size_t slot) {
  if (!slots.load(slot)) return;
  Slot& in = slots[slot];
  in.segment = nullptr;
  if (in.packet.transport == Transport::permit) {
    post(slot, wire.permitted_tag(in.packet.peer, slot_numbers[slot]));
    slots.queue(slot);
    return give_permits();
  }
  if (batch.shares) {
    in.number = wire.peer(in.packet.peer).received++;
    if (in.packet.transport == Transport::shared) {
      in.segment = wire.channel.memory_of(in.packet.peer);
      in.identity = wire.identity(wire.channel.rank(), wire.number(in.packet.peer), in.number);
    }
    if (in.segment != nullptr || (slots.awaiting() > 0 && follows_expected(in)))
      return slots.await_flag(slot, SlotState::expected);
  }
  post(slot, wire.packet_tag(in.packet.peer));
}

void Receiver::post(std::size_t slot, int tag) {
  MPI_Irecv(buffers.incoming_slot(slot), static_cast<int>(buffers.packet_bytes), MPI_BYTE, slots[slot].packet.peer, tag,
            wire.comm(), requests.next(Requests::arrival, slot));
  slots[slot].state = SlotState::moving;
}

// Returns whether a packet before this one, from the same process, is expected.
bool Receiver::follows_expected(const Slot& in) const {
  for (std::size_t slot = 0; slot < slots.count(); ++slot) {
    const Slot& other = slots[slot];
    if (other.state == SlotState::expected && other.packet.peer == in.packet.peer && other.number < in.number)
      return true;
  }
  return false;
}

void Receiver::give_permits() {
  while (const auto slot = slots.admit(SlotState::waiting)) {
    const int peer = slots[*slot].packet.peer;
    requests.finish(Requests::reply, *slot);
    MPI_Isend(&slot_numbers[*slot], 1, MPI_INT, peer, wire.permit_tag(peer), wire.comm(),
              requests.next(Requests::reply, *slot));
  }
}

// A packet may be longer than the slot if processes disagree: the slots of short packets are smaller (Placement), and
// plans may have options of their own. Errors of MPI other than a truncated packet end the program.
void Receiver::arrived(std::size_t slot, const MPI_Status& status) {
  const Packet& packet = slots[slot].packet;
  if (status.MPI_ERROR != MPI_SUCCESS) {
    MPI_Comm_call_errhandler(wire.comm(), status.MPI_ERROR);
    throw wrong_length(packet, buffers.packet_bytes + 1, "at least ");
  }
  if (packet.transport == Transport::permit) {
    slots.leave_window(slot);
    give_permits();  // before the packet is unpacked
  }
  int bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  unpack(packet, buffers.incoming_slot(slot), bytes);
  receive(slot);
}

bool Receiver::poll_flags() {
  bool any = false;
  for (std::size_t slot = 0; slot < slots.count(); ++slot) {
    const Slot& in = slots[slot];
    if (in.state == SlotState::expected && in.segment != nullptr && take(slot)) any = true;
  }
  return any;
}

// Unpacks a packet if the neighbour shows it. If the flag has changed meanwhile, the neighbour has withdrawn for ever
// and has taken the packet back (forget_withdrawn): the slot may hold a packet for another process, and what was read
// may be of both.
bool Receiver::take(std::size_t slot) {
  const Slot& in = slots[slot];
  auto& [shown, all_bytes] = *in.segment->flags;
  const auto found = std::ranges::find_if(
      shown, [&](const auto& flag) { return flag.load(std::memory_order_relaxed) == in.identity; });
  if (found == shown.end()) return false;
  std::atomic_thread_fence(std::memory_order_acquire);  // pairs with the release in Sender::show
  const Index place = found - shown.begin(), bytes = at(all_bytes, place), begin = place * buffers.shared_bytes;
  if (bytes < 0 || begin + bytes > wire.channel.links().shared_bytes) throw wrong_length(in.packet, bytes);
  unpack(in.packet, in.segment->data + begin, bytes);
  std::uint64_t identity = in.identity;
  if (!found->compare_exchange_strong(identity, 0, std::memory_order_release, std::memory_order_relaxed))
    throw PeerFailed(in.packet.peer, true);
  slots.settle(slot);
  receive(slot);
  return true;
}

// A message that was to come behind a packet in shared memory needs no probe any more when that packet is here.
//
// The fence pairs with the release in Sender::post. The sender stored the flags of earlier packets before it called
// MPI_Isend, and MPI carries the message: it stores the message after the call, and has loaded it when a probe finds
// it. So a flag that is still missing is that of the message.
bool Receiver::accept(bool probes) {
  bool any = false;
  for (std::size_t slot = 0; slot < slots.count() && slots.awaiting() > 0; ++slot) {
    const Slot& in = slots[slot];
    if (in.state != SlotState::expected || follows_expected(in)) continue;
    if (in.segment != nullptr) {
      int found = 0;
      if (probes) MPI_Iprobe(in.packet.peer, wire.packet_tag(in.packet.peer), wire.comm(), &found, MPI_STATUS_IGNORE);
      if (found == 0) continue;
      any = true;
      std::atomic_thread_fence(std::memory_order_acquire);
      if (take(slot)) continue;
    }
    any = true;
    slots.settle(slot);
    post(slot, wire.packet_tag(in.packet.peer));
  }
  return any;
}

// Checks the length before each chunk is read. This costs nothing, and finds most of the differences that XREDIST_CHECK
// finds before anything moves.
void Receiver::unpack(const Packet& packet, const std::byte* from, Index bytes) {
  if (packet.exact ? bytes != packet.bytes : bytes > packet.bytes) throw wrong_length(packet, bytes);
  Index read = 0;
  for (const Chunk& chunk : packet.chunks) {
    const Job& job = at(batch.jobs, chunk.job);
    const std::optional<Index> length =
        chunk.store == Chunk::in_array
            ? packer.unpack(job.plan->redistribution, chunk, from + read, bytes - read, job.b, job.scalars)
            : store(chunk, from + read, bytes - read);
    if (!length) throw wrong_length(packet, bytes);
    read += *length;
  }
  if (read != bytes) throw wrong_length(packet, bytes);
}

// Copies a packed chunk to the store. Returns its bytes, or nothing if these are more than `available`.
std::optional<Index> Receiver::store(const Chunk& chunk, const std::byte* from, Index available) {
  const Index bytes = packer.bytes_of(at(batch.jobs, chunk.job).plan->redistribution, chunk);
  if (bytes > available) return std::nullopt;
  std::memcpy(buffers.store + chunk.store, from, as_size(bytes));
  return bytes;
}

}  // namespace xredist::core
