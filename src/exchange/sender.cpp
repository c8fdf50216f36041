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
// receiver's memory. All packets of an execution in panels are sent so, for the same reason.
constexpr Index synchronous_exchange = 64;

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

void forget_read(Slots& outgoing, const SharedMemory::Flags& flags) {
  for (std::size_t slot = 0; slot < outgoing.count(); ++slot)
    if (outgoing[slot].state == SlotState::shown && flags.shown[slot].load(std::memory_order_acquire) == 0)
      outgoing.settle(slot);
}

// A process may be reading when this one has withdrawn for ever and the other has not heard of it: it finds out that
// the identity has changed (Receiver::take). The fence orders this store before those of the next packet in the slot.
void forget_withdrawn(const Wire& wire, Slots& outgoing, SharedMemory::Flags& flags) {
  for (std::size_t slot = 0; slot < outgoing.count(); ++slot) {
    const int peer = outgoing[slot].packet.peer;
    if (outgoing[slot].state != SlotState::shown || !wire.channel.ledger().refuses(peer, wire.number(peer))) continue;
    flags.shown[slot].store(0, std::memory_order_relaxed);
    outgoing.settle(slot);
  }
  std::atomic_thread_fence(std::memory_order_release);
}

void Sender::send(std::size_t slot) {
  if (!slots.load(slot)) return;
  Slot& out = slots[slot];
  const bool by_permit = out.packet.transport == Transport::permit;
  if (!by_permit) {
    Peer& peer = wire.peer(out.packet.peer);
    const Index number = peer.sent++;
    if (out.packet.transport == Transport::shared && buffers.in_shared_memory())
      return show(slot, wire.identity(peer.rank, peer.number, number));
  }
  out.bytes = pack(out.packet, buffers.outgoing_slot(slot));
  if (by_permit) return ask(slot);
  out.state = SlotState::moving;
  post(out.packet, buffers.outgoing_slot(slot), out.bytes, requests.next(Requests::departure, slot));
}

// The fence: a receiver that finds this message, of any size, sees the flags of earlier packets (Receiver::accept).
void Sender::post(const Packet& packet, const std::byte* from, int bytes, MPI_Request* request) {
  if (batch.shares) std::atomic_thread_fence(std::memory_order_release);
  const bool synchronous =
      wire.number(packet.peer) % synchronous_exchange == 0 || at(batch.jobs, packet.chunks.front().job).panels > 1;
  (synchronous ? MPI_Issend : MPI_Isend)(from, bytes, MPI_BYTE, packet.peer, wire.packet_tag(packet.peer), wire.comm(),
                                         request);
}

// A neighbour that expects a packet in shared memory also accepts a message.
void Sender::hand_over(Index room) {
  auto& [memory, allocated, used, packets] = handed_over_;
  PacketCursor& next = slots.packets();
  for (; !next.done() && next.current().transport != Transport::permit; next.advance()) {
    if (packets == 0 && allocated < room) {
      memory.reset(new (std::nothrow) std::byte[as_size(room)]);
      allocated = memory ? room : 0;
    }
    if (used + buffers.packet_bytes > allocated) return;
    const int bytes = pack(next.current(), memory.get() + used);
    ++wire.peer(next.current().peer).sent;
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

// Plain stores write the packet and its bytes, and the release orders them before the flag, also on processors that
// reorder accesses (Arm, POWER). The receiver's acquire orders the flag before its loads of the packet. The flag's way
// back is ordered likewise: the receiver's loads before its store of 0, and that before the next packet in the slot.
void Sender::show(std::size_t slot, std::uint64_t identity) {
  Slot& out = slots[slot];
  out.bytes = pack(out.packet, buffers.shared_slot(slot));
  buffers.flags->bytes[slot] = out.bytes;
  buffers.flags->shown[slot].store(identity, std::memory_order_release);
  slots.await_flag(slot, SlotState::shown);
}

bool Sender::poll_flags() {
  bool any = false;
  for (std::size_t slot = 0; slot < slots.count() && slots.awaiting() > 0; ++slot)
    if (slots[slot].state == SlotState::shown && buffers.flags->shown[slot].load(std::memory_order_acquire) == 0) {
      any = true;
      slots.settle(slot);
      send(slot);
    }
  return any;
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
  if (out.packet.transport == Transport::permit) {
    slots.leave_window(slot);
    send_permitted();  // before the next packet is packed
  }
  send(slot);
}

}  // namespace xredist::core
