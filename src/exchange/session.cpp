// SPDX-License-Identifier: BSD-3-Clause
// Sender and Receiver each walk the packets of a round in the order of the schedule, as many at a time as there are
// slots. A packet travels in one of three ways (Transport).
//
// Shared: a packet to a neighbour is packed into a slot of the sender's shared memory. The sender stores the identity
// of the packet in the flag of the slot. The receiver looks for the identity among the flags of the sender, unpacks the
// packet, and stores 0 in the flag, so that the sender uses the slot again. No message is sent. If another exchange has
// the shared memory, or if the packet is handed over without a slot, the sender sends the packet. The receiver posts no
// receive for it: it probes, and a message is the first packet of the sender that is missing without a flag. (A single
// copy, by process_vm_readv from the sender's array, takes 1.4 to 1.9 times as long as both copies through a slot, for
// runs from 8 KB to 1 MB. With two messages of MPI in place of the flags, exchanges of blocks of 7 and 5 took 1.04 to
// 1.15 times as long on 2, 4 and 16 processes, and as long on 48 that shared two cores.)
//
// Permit: on slow networks processes have to keep step without a barrier, because the switch drops packets if several
// processes send to one. A receiver permits a window of bytes at a time, and a sender has a window under way, both
// strictly in the order of the schedule. (Packets out of order would share a port with packets in order, whose
// senders would then be late for their next receivers: up to 1.7 times the time, simulated and emulated.) A permit
// names the receiver's slot, and the tag of the packet repeats it.
//
// Message: small packets are plain messages, and so are all packets on networks that permits would slow down.
//
// There is no deadlock (THEORY.md, T28): both ends take packets in the order of the schedule. All processes number the
// rounds of a batch alike, and each goes to the next round when its own packets are done, so the processes in the
// earliest round can always continue.
#include "exchange/session.hpp"

#include <algorithm>
#include <span>
#include <thread>
#include <utility>

#include "copy/team.hpp"

namespace xredist::core {

namespace {

// A process that waits for flags calls MPI at every poll of this number: a call may take longer than all flags, and it
// gives the core up where processes share cores. Enough for what may wait as long: withdrawals, messages of other
// communicators, and disagreements.
constexpr unsigned polls_for_mpi = 8;

// Reserves memory. Returns the buffers, with slots in shared memory if no other exchange has it.
Buffers buffers_in(Workspace& space, Channel& channel, const Batch& batch, const BufferSize& size) {
  for (const Job& job : batch.jobs) {
    const Redistribution& redistribution = job.plan->redistribution;
    space.packer.reserve(redistribution, job.scalars, size.packet_bytes / redistribution.bytes);
  }
  space.packer.set_threads(threads_with_cores(batch.threads));
  std::byte* const memory = space.reserve(size);
  space.requests.reset(as_size(size.slots));
  if (batch.shares) space.shared_memory = channel.shared_memory().lend();
  return {memory, size, space.shared_memory, batch.limits.shared_bytes};
}

}  // namespace

Session::Session(WorkspacePool::Lease space, Channel& channel, const Batch& batch, std::vector<Peer>& peers,
                 const BufferSize& size)
    : lease_(std::move(space)),
      space_(lease_.mapped()),
      channel_(channel),
      batch_(batch),
      peers_(peers),
      wire_{channel, peers},
      buffers_(buffers_in(space_, channel, batch, size)),
      receiver_({wire_, buffers_, batch, space_.requests, space_.packer, space_.incoming}),
      sender_({wire_, buffers_, batch, space_.requests, space_.packer, space_.outgoing}, space_.handed_over),
      copies_(batch, space_.packer, space_.copies) {}

void Session::list_consumptions() {
  space_.consumptions.clear();
  for (const Job& job : batch_.jobs) space_.consumptions.emplace_back(job);
}

// Copies come after the first packets have been packed, and before others are unpacked (progress): the caches then have
// lines of A, and keep lines of B.
void Session::open_round(Index round) {
  round_ = round;
  const Round& opened = this->round();
  if (&opened == &space_.merged)
    merge();
  else
    copies_.open(opened.copies);
  receiver_.open(opened.receives);
  sender_.open(opened.sends);
}

const Round& Session::round() const {
  return is_as_planned(batch_) ? at(batch_.jobs.front().plan->rounds, round_) : space_.merged;
}

// Copies one packet at a time while others are under way, then polls the flags and the requests.
bool Session::progress(bool wait) {
  wait = !copy_packet() && wait;
  const auto events = space_.awaiting() > 0 ? poll_with_flags(wait) : space_.requests.poll(wait, channel_.withdrawal());
  for (const auto& [kind, slot, status] : events)  // first, because other events may throw
    if (kind == Requests::withdrawal) channel_.on_withdrawal(status);
  for (const auto& [kind, slot, status] : events) {
    if (kind == Requests::arrival) receiver_.arrived(slot, status);
    if (kind == Requests::departure) sender_.on_request_complete(slot);
    if (kind == Requests::handed_over) sender_.on_handed_over_sent();
  }
  if (batch_.consumes) return space_.idle() && copies_.done() && end_panel();
  if (round_ + 1 < batch_.rounds && space_.idle()) open_round(round_ + 1);
  return copies_.done() && round_ + 1 >= batch_.rounds && space_.idle();
}

// A session does not wait for flags inside MPI, which does not know them. While the flags alone are missing, MPI has to
// be called all the same: another process may wait for a message that this one has begun to send elsewhere.
std::span<const Requests::Event> Session::poll_with_flags(bool wait) {
  Requests& requests = space_.requests;
  const bool any_read = sender_.poll_flags(), any = receiver_.poll_flags() || any_read;
  if (any && requests.idle()) return {};
  const bool asks_mpi = !wait || ++polls_ % polls_for_mpi == 0;
  if (asks_mpi || !requests.idle()) {
    const auto events = requests.poll(false, channel_.withdrawal());
    if (!events.empty()) return events;
  }
  if (any || receiver_.accept(asks_mpi)) return {};
  if (asks_mpi && space_.incoming.awaiting() == 0) channel_.let_mpi_continue();
  if (wait) std::this_thread::yield();
  return {};
}

// Ends a round of a batch that consumes A: its panel of A has left. Returns whether the round was the last one.
bool Session::end_panel() {
  for (const auto* list : {&round().sends, &round().copies})
    for (const Transfer& transfer : *list) at(space_.consumptions, transfer.job).left(transfer, space_.packer);
  for (Consumption& consumption : space_.consumptions) consumption.release();
  if (round_ + 1 < batch_.rounds) {
    open_round(round_ + 1);
    return false;
  }
  space_.consumptions.clear();
  return true;
}

// Copies that have not ended stay where they are, unless new ones take their place.
void Session::merge() {
  Round &merged = space_.merged, &next = space_.next_merged;
  merge_round(batch_, round_, next);
  const bool keeps_copies = next.copies.empty() && !copies_.done();
  if (keeps_copies)
    next.copies.swap(merged.copies);
  else
    copies_.finish();
  std::swap(merged, next);
  if (!keeps_copies) copies_.open(merged.copies);
}

bool Session::copy_packet() {
  if (copies_.done()) return false;
  copies_.step();
  return true;
}

// Elements of A have been read as soon as their packet has been packed. The pages of a consumed A go back at the end of
// a round: until then the program may not write to A. Copies may go on in rounds after the last one of their job.
bool Session::completed(int member) const {
  const auto is_of_member = [&](int job) { return at(batch_.jobs, job).member == member; };
  for (int job = 0; job < std::ssize(batch_.jobs); ++job) {
    if (!is_of_member(job)) continue;
    if (copies_.has_more_of(job)) return false;
    if (batch_.has_rounds(job, round_) && (at(batch_.jobs, job).consumes || batch_.has_rounds(job, round_ + 1) ||
                                           receiver_.expects(job) || sender_.has_more_of(job)))
      return false;
  }
  return true;
}

Waiting Session::waiting() const {
  WaitingFor all(channel_, wire_);
  Round earlier;
  for (Index number = 0; number < round_; ++number) {
    merge_round(batch_, number, earlier);
    all.add_earlier({batch_, earlier.receives, TransferList::receives});
  }
  all.state.round = round_ + 1, all.state.rounds = batch_.rounds;
  for (int job = 0; job < std::ssize(batch_.jobs); ++job) all.state.copies += copies_.has_more_of(job);
  all.add_incoming({batch_, round().receives, TransferList::receives}, space_.incoming);
  all.add_outgoing({batch_, round().sends, TransferList::sends}, space_.outgoing, space_.handed_over.packets,
                   buffers_.in_shared_memory() && space_.handed_over.allocated == 0);
  return std::move(all).sorted();
}

void Session::close() {
  copies_.close();
  space_.consumptions.clear();
  receiver_.close();
  sender_.close();
}

WorkspacePool::Lease Session::end() && noexcept {
  if (!space_.idle() || channel_.ledger().refuses_some()) [[unlikely]] {
    space_.failed.channel = &channel_;
    space_.failed.peers.swap(peers_);
  }
  return std::move(lease_);
}

}  // namespace xredist::core
