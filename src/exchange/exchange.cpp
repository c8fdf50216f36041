// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/exchange.hpp"

#include <algorithm>
#include <utility>

#include "copy/team.hpp"

namespace xredist::core {

// Sender and Receiver each walk the packets of a round in the order of the schedule, as many at a time as there are
// slots. A packet travels in one of three ways (Transport).
//
// Shared: a packet to a neighbour is packed into a slot of the sender's shared memory. The sender sends a notice with
// the number of the slot, and uses the slot again when the receiver has unpacked the packet and answered with an empty
// message. The receiver accepts the packet itself instead of the notice. The sender sends it if another exchange has
// the shared memory, or if the packet is handed over without a slot. (A single copy, by process_vm_readv from the
// sender's array, takes 1.4 to 1.9 times as long as both copies through a slot, for runs from 8 KB to 1 MB.)
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
//
// A process that cannot continue withdraws: it tells all peers of this exchange, by the sequence number of the exchange
// between the two (Ledger). The peers fail as well and tell theirs, unless they have completed the exchange. Other
// exchanges are not affected, because tags carry the numbers. Only if arguments differ between processes, the processes
// may count differently; then they withdraw from all later exchanges.
void Exchange::prepare(std::span<const Job> jobs, Channel& channel) {
  state_ = State::done;
  failure_ = nullptr;
  channel_ = &channel;
  assign(batch_, jobs);
  std::size_t max_peers = 0;
  for (const Job& job : batch_.jobs) max_peers += job.plan->peers.size();
  peers_.clear();
  peers_.reserve(max_peers);
  channel.ledger().reserve(max_peers);
  copies_.reserve(batch_.jobs.size());
}

void Exchange::assign_numbers(Index own) {
  state_ = State::prepared;
  number_ = own;
  const Ledger::Entry entry = channel_->ledger().open();
  for (const Job& job : batch_.jobs)
    for (const int rank : job.plan->peers)
      if (const auto number = entry.count(rank)) peers_.push_back({rank, *number});
  if (batch_.joined) std::ranges::sort(peers_, {}, &Peer::rank);
}

BufferSize Exchange::buffer_size(bool early) const {
  BufferSize size = batch_.buffers;
  if (early) size.slots = std::min(size.slots, 1);
  return size;
}

void Exchange::begin(WorkspacePool::Lease lease, bool early) {
  const BufferSize size = buffer_size(early);
  space_ = std::move(lease);
  early_bytes_ = early ? size.bytes() : 0;
  state_ = State::under_way;
  demand_peers();
  for (const Job& job : batch_.jobs) {
    const Redistribution& redistribution = job.plan->redistribution;
    space().packer.reserve(redistribution, job.scalars, size.packet_bytes / redistribution.bytes);
  }
  space().packer.set_threads(threads_with_cores(batch_.threads));
  std::byte* const memory = space().reserve(size);
  space().requests.reset(as_size(size.slots));
  space().peers.assign(peers_.begin(), peers_.end());
  if (batch_.shares) space().shared_memory = channel_->shared_memory().lend();
  const Buffers buffers(memory, size, space().shared_memory.memory(), batch_.limits.shared_bytes);
  space().session.emplace(*channel_, buffers, batch_, space());
  open_round(0);
}

// A single plan without panels has its rounds as they are.
void Exchange::open_round(Index round) {
  round_ = round;
  const Plan& first = *batch_.jobs.front().plan;
  const bool as_planned = !batch_.joined && panels_of(first.route) == 1;
  if (!as_planned) merged_ = merged_round(batch_, round);
  const Round& current = as_planned ? at(first.rounds, round) : merged_;
  for (auto copy = current.copies.rbegin(); copy != current.copies.rend(); ++copy) {
    copies_.emplace_back(at(batch_.jobs, copy->job), *copy, space().packer);
    if (copies_.back().done()) copies_.pop_back();
  }
  space().session->receiver.open(current.receives);
  space().session->sender.open(current.sends);
}

// Copies one chunk at a time while packets are under way, then polls the requests.
void Exchange::progress(bool wait) {
  const bool copied = copy_chunk();
  Requests& requests = space().requests;
  // Nothing may arrive any more if another exchange has received a withdrawal from this one.
  const bool waits = wait && !copied && !requests.idle() && !is_refused();
  const auto events = requests.poll(waits, channel_->withdrawal());
  for (const auto& [kind, slot, status] : events)  // first, because other events may throw
    if (kind == Requests::withdrawal) channel_->heard(status);
  Workspace::Session& session = *space().session;
  for (const auto& [kind, slot, status] : events) {
    if (kind == Requests::arrival) session.receiver.arrived(slot, status);
    if (kind == Requests::departure) session.sender.departed(slot);
    if (kind == Requests::handed_over) session.sender.left();
  }
  if (requests.idle() && round_ + 1 < batch_.rounds) open_round(round_ + 1);
  if (copies_.empty() && requests.idle() && round_ + 1 >= batch_.rounds)
    state_ = State::done;
  else
    demand_peers();
}

bool Exchange::copy_chunk() {
  if (copies_.empty()) return false;
  copies_.back().step();
  if (copies_.back().done()) copies_.pop_back();
  return true;
}

// Elements of A have been read as soon as their packet has been packed.
bool Exchange::completed(int member) const {
  if (std::ranges::any_of(copies_, [&](const LocalCopy& copy) { return at(batch_.jobs, copy.job()).member == member; }))
    return false;
  for (int job = 0; job < std::ssize(batch_.jobs); ++job) {
    if (at(batch_.jobs, job).member != member || !batch_.has_rounds(job, round_)) continue;
    const Workspace::Session& session = *space_.mapped().session;
    if (batch_.has_rounds(job, round_ + 1) || session.receiver.expects(job) || session.sender.has_more_of(job))
      return false;
  }
  return true;
}

void Exchange::hand_over() { space().session->sender.hand_over(channel_->options().buffer / 2); }

bool Exchange::is_refused() const {
  const Ledger& ledger = channel_->ledger();
  if (!ledger.refuses_some()) return false;
  const auto refuses = [&](const Peer& peer) { return ledger.refuses(peer.rank, peer.number); };
  return ledger.refuses_all() || std::ranges::any_of(peers_, refuses);
}

void Exchange::demand_peers() const {
  if (!is_refused()) return;
  const Ledger& ledger = channel_->ledger();
  if (ledger.refuses_all()) throw WithdrawalLost();
  for (const auto& [rank, number] : peers_)
    if (ledger.refuses(rank, number)) throw Withdrawn(rank, ledger.refuses_for_ever(rank, number));
}

void Exchange::fail(std::exception_ptr why) noexcept {
  bool for_ever = false;
  try {
    std::rethrow_exception(why);
  } catch (const Disagreement&) {
    for_ever = true;
  } catch (const Withdrawn& other) {
    for_ever = other.for_ever;
  } catch (...) {
  }
  failure_ = std::move(why);
  state_ = State::failed;
  copies_.clear();
  for (const auto& [rank, number] : peers_) channel_->withdraw(rank, number, for_ever);
  if (!space_ || !space().session) return;
  space().session->receiver.close();
  space().session->sender.close();
}

void Exchange::check() const {
  if (failure_) std::rethrow_exception(failure_);
}

WorkspacePool::Lease Exchange::release() {
  channel_ = nullptr;
  return std::move(space_);
}

}  // namespace xredist::core
