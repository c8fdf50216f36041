// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/sender.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

namespace xredist::core {
namespace {

// Every exchange of this number with a peer is sent synchronously. MPI stores small messages at a receiver that has not
// posted a receive yet: otherwise a process that only sends could run ahead by any number of exchanges and fill the
// receiver's memory.
constexpr Index synchronous_exchange = 64;

// Returns the bytes of the message that carries a packet of `packed` bytes.
int message_bytes(const Packet& packet, int packed) {
  return packet.transport == Transport::shared ? std::max(packed, Notice::min_instead) : packed;
}

}  // namespace

void Sender::open(std::span<const Transfer> sends) {
  slots.open(batch, sends, TransferList::sends, requests.slots());
  handed_over_.used = handed_over_.packets = 0;
  for (std::size_t slot = 0; slot < slots.count(); ++slot) send(slot);
}

void Sender::close() {
  for (std::size_t slot = 0; slot < slots.count(); ++slot)
    if (slots[slot].state == SlotState::waiting) requests.cancel(Requests::departure, slot);
}

void forget_withdrawn(const Wire& wire, const Slots& outgoing, Requests& requests) {
  for (std::size_t slot = 0; slot < outgoing.count(); ++slot) {
    const int peer = outgoing[slot].packet.peer;
    if (outgoing[slot].state == SlotState::shown && wire.channel.ledger().refuses(peer, wire.number(peer)))
      requests.cancel(Requests::departure, slot);
  }
}

void Sender::send(std::size_t slot) {
  if (!slots.load(slot)) return;
  Slot& out = slots[slot];
  if (out.packet.transport == Transport::shared && buffers.in_shared_memory()) return expose(slot);
  out.bytes = message_bytes(out.packet, pack(out.packet, buffers.outgoing_slot(slot)));
  if (out.packet.transport == Transport::permit) return ask(slot);
  out.state = SlotState::moving;
  post(out.packet, buffers.outgoing_slot(slot), out.bytes, requests.next(Requests::departure, slot));
}

void Sender::post(const Packet& packet, const std::byte* from, int bytes, MPI_Request* request) {
  const bool synchronous = wire.number(packet.peer) % synchronous_exchange == 0;
  (synchronous ? MPI_Issend : MPI_Isend)(from, bytes, MPI_BYTE, packet.peer, wire.packet_tag(packet.peer), wire.comm(),
                                         request);
}

// A neighbour that expects a notice accepts the packet itself.
void Sender::hand_over(Index room) {
  auto& [memory, allocated, used, packets] = handed_over_;
  PacketCursor& next = slots.packets();
  for (; !next.done() && next.current().transport != Transport::permit; next.advance()) {
    if (packets == 0 && allocated < room) {
      memory.reset(new (std::nothrow) std::byte[as_size(room)]);
      allocated = memory ? room : 0;
    }
    if (used + buffers.packet_bytes > allocated) return;
    const int bytes = message_bytes(next.current(), pack(next.current(), memory.get() + used));
    post(next.current(), memory.get() + used, bytes, requests.additional());
    used += bytes;
    ++packets;
  }
}

void Sender::on_handed_over_sent() {
  if (--handed_over_.packets == 0) handed_over_.used = 0;
}

int Sender::pack(const Packet& packet, std::byte* to) {
  Index packed = 0;
  for (const Chunk& chunk : packet.chunks) {
    const Job& job = at(batch.jobs, chunk.job);
    const Redistribution& redistribution = job.plan->redistribution;
    if (chunk.store == Chunk::in_array) {
      packed += packer.pack(redistribution, chunk, job.a, to + packed);
    } else {
      const Index bytes = packer.bytes_of(redistribution, chunk);
      std::memcpy(to + packed, buffers.store + chunk.store, as_size(bytes));
      packed += bytes;
    }
  }
  return static_cast<int>(packed);
}

// The fence pairs with the acquire in Receiver::take_notice: a receiver that has the notice sees the packet.
//
// The reason, also on processors that reorder accesses (Arm, POWER): plain stores write the packet, and MPI carries the
// notice. MPI stores the notice, to memory of both processes or to a device, after MPI_Isend was called; the receiver's
// MPI has loaded it when the receive is complete. The release fence orders the stores of the packet before all later
// stores of this thread, so before those of the notice. The acquire fence orders all earlier loads of the receiver, so
// those of the notice, before the loads of the packet. No fence inside MPI is needed; MPI must only access the notice
// indivisibly (by atomics, the kernel or a device), as it must for its own messages. The answer is ordered likewise.
void Sender::expose(std::size_t slot) {
  Slot& out = slots[slot];
  out.bytes = pack(out.packet, buffers.shared_slot(slot));
  out.state = SlotState::shown;
  std::atomic_thread_fence(std::memory_order_release);
  const int peer = out.packet.peer;
  MPI_Irecv(nullptr, 0, MPI_BYTE, peer, wire.answer_tag(peer, slot_numbers[slot]), wire.comm(),
            requests.next(Requests::departure, slot));
  requests.finish(Requests::notice, slot);
  out.notice = {slot_numbers[slot], out.bytes};
  MPI_Isend(&out.notice, Notice::size, MPI_BYTE, peer, wire.packet_tag(peer), wire.comm(),
            requests.next(Requests::notice, slot));
}

void Sender::ask(std::size_t slot) {
  Slot& out = slots[slot];
  slots.queue(slot);
  MPI_Irecv(&out.receivers_slot, 1, MPI_INT, out.packet.peer, wire.permit_tag(out.packet.peer), wire.comm(),
            requests.next(Requests::departure, slot));
}

// Packets by permit are sent synchronously: that MPI has accepted a packet says nothing about the port.
void Sender::send_permitted() {
  while (const auto slot = slots.admit(SlotState::permitted)) {
    const Slot& out = slots[*slot];
    MPI_Issend(buffers.outgoing_slot(*slot), out.bytes, MPI_BYTE, out.packet.peer,
               wire.permitted_tag(out.packet.peer, out.receivers_slot), wire.comm(),
               requests.next(Requests::departure, *slot));
  }
}

void Sender::on_request_complete(std::size_t slot) {
  Slot& out = slots[slot];
  if (out.state == SlotState::waiting) {
    out.state = SlotState::permitted;
    return send_permitted();
  }
  if (out.state == SlotState::shown)
    std::atomic_thread_fence(std::memory_order_acquire);  // pairs with the release in Receiver::take_notice
  if (out.packet.transport == Transport::permit) {
    slots.leave_window(slot);
    send_permitted();  // before the next packet is packed
  }
  send(slot);
}

}  // namespace xredist::core
