// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/receiver.hpp"

#include <atomic>
#include <cstring>
#include <string>

#include "exchange/errors.hpp"

namespace xredist::core {
namespace {

Disagreement wrong_length(const Packet& packet, Index bytes, const char* at_least = "") {
  return Disagreement(
      "process " + std::to_string(packet.peer) + " of the context sends " + at_least + std::to_string(bytes) +
      " bytes, but " + std::to_string(packet.bytes) +
      " were expected: do all processes pass the same arguments? (XREDIST_CHECK=1 compares those of drop-in calls)");
}

}  // namespace

void Receiver::open(std::span<const Transfer> receives) {
  slots.open(batch, receives, TransferList::receives, requests.slots());
  for (std::size_t slot = 0; slot < slots.count(); ++slot) receive(slot);
}

void Receiver::close() {
  for (std::size_t slot = 0; slot < requests.slots(); ++slot) requests.cancel(Requests::arrival, slot);
}

void Receiver::receive(std::size_t slot) {
  if (!slots.load(slot)) return;
  const Packet& packet = slots[slot].packet;
  const bool by_permit = packet.transport == Transport::permit;
  const int tag = by_permit ? wire.permitted_tag(packet.peer, slot_numbers[slot]) : wire.packet_tag(packet.peer);
  MPI_Irecv(buffers.incoming_slot(slot), static_cast<int>(buffers.packet_bytes), MPI_BYTE, packet.peer, tag,
            wire.comm(), requests.next(Requests::arrival, slot));
  slots[slot].state = SlotState::moving;
  if (!by_permit) return;
  slots.queue(slot);
  give_permits();
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
  if (packet.transport == Transport::shared && bytes == Notice::size)
    take_notice(slot);
  else
    unpack(packet, buffers.incoming_slot(slot), bytes);
  receive(slot);
}

// Two fences. The sender wrote the packet before it sent the notice: acquire pairs with the release in Sender::expose.
// The sender overwrites the slot after it has received the answer: release pairs with the acquire in
// Sender::on_request_complete, so that the answer does not overtake the reads.
void Receiver::take_notice(std::size_t slot) {
  const Packet& packet = slots[slot].packet;
  Notice notice{};
  std::memcpy(static_cast<void*>(&notice), buffers.incoming_slot(slot), Notice::size);
  std::atomic_thread_fence(std::memory_order_acquire);
  const Index begin = notice.slot * buffers.shared_bytes;
  if (notice.slot < 0 || notice.bytes < 0 || begin + notice.bytes > wire.channel.links().shared_bytes)
    throw wrong_length(packet, notice.bytes);
  unpack(packet, wire.channel.memory_of(packet.peer) + begin, notice.bytes);
  std::atomic_thread_fence(std::memory_order_release);
  requests.finish(Requests::reply, slot);
  MPI_Isend(nullptr, 0, MPI_BYTE, packet.peer, wire.answer_tag(packet.peer, notice.slot), wire.comm(),
            requests.next(Requests::reply, slot));
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
  const bool filled_up = packet.transport == Transport::shared && bytes == Notice::min_instead && read < bytes;
  if (read != bytes && !filled_up) throw wrong_length(packet, bytes);
}

// Copies a packed chunk to the store. Returns its bytes, or nothing if these are more than `available`.
std::optional<Index> Receiver::store(const Chunk& chunk, const std::byte* from, Index available) {
  const Index bytes = packer.bytes_of(at(batch.jobs, chunk.job).plan->redistribution, chunk);
  if (bytes > available) return std::nullopt;
  std::memcpy(buffers.store + chunk.store, from, as_size(bytes));
  return bytes;
}

}  // namespace xredist::core
