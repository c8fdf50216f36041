// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/exchange.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "exchange/process.hpp"

namespace xredist::core {

// Every process takes its loads in the order of the schedule, as many at a time as it has slots in either direction
// (Inbox, Outbox). A load travels in one of three ways.
//
// Shared: a load to a neighbour is packed into a slot of the sender's shared memory. The sender sends a notice with the
// number of the slot, and uses the slot again when the receiver has unpacked the load and answered with an empty
// message. If an exchange of another thread has the shared memory, or the load is handed over without a slot because
// the program goes off to compute, the load itself is sent instead of the notice; the receiver accepts both.
//
// By permit: on slow networks processes have to keep in step without a barrier, because the switch drops packets if
// several processes send to one. A receiver permits two pieces at a time and a sender has two under way, both strictly
// in the order of the schedule. (Loads out of order would share a port with those that are due, whose senders would
// then be late for their next receivers: up to 1.7 times the time, simulated and emulated.) A permit names the
// receiver's slot; the load carries it in its tag. The load is sent synchronously: that MPI has accepted a message says
// nothing about the port.
//
// Plain: small loads travel in messages, and so do all loads on networks that permits would slow down (make_plan).
//
// There is no deadlock: consider the first load in the order of the schedule that has not been delivered. All earlier
// loads of its sender and of its receiver have been delivered, so both have it under way, and it is the next to be
// permitted and sent (THEORY.md, T28).
//
// Phases: messages in two hops take a phase for each, and for each panel; direct messages travel in the first phase.
// All processes number the phases of a batch alike, and each goes to the next when its loads of this one are done,
// without waiting for others: of those behind, the ones in the earliest phase can go on, as above.
//
// A process that cannot go on withdraws: it tells every process that has messages with it in this exchange, by the
// number of the exchange between the two (Ledger). Those fail as well and tell others, unless they have completed the
// exchange. Other exchanges are not affected, because tags carry the numbers. Only if arguments differ between
// processes, the processes may count differently; then they withdraw from all later exchanges.
void Exchange::prepare(std::span<const Job> jobs, Channel& channel, std::thread::id lane) {
  state_ = State::done;
  failure_ = nullptr;
  channel_ = &channel;
  lane_ = lane;
  batch_.jobs.clear();
  batch_.jobs.reserve(jobs.size());
  batch_.joined = jobs.size() > 1;
  batch_.cut = jobs.front().plan->cut;
  std::size_t most_peers = 0;
  for (const Job& job : jobs) {
    batch_.cut = common(batch_.cut, job.plan->cut);
    most_peers += job.plan->peers.size();
  }
  enter(jobs);
  peers_.clear();
  peers_.reserve(most_peers);
  own_.reserve(jobs.size());
}

// Plans in two hops whose messages are more together than may be stored are carried out one after the other. All
// processes count alike, whether or not they have a part in a job.
void Exchange::enter(std::span<const Job> jobs) {
  phase_ = last_phase_ = 0;
  batch_.cut.stored = 0;
  Index phase = 0, phases = 0, most = 0, own = 0;
  for (Job job : jobs) {
    const Plan& plan = *job.plan;
    if (plan.route.two_hops) {
      const Index its = std::min(plan.route.stored, plan.route.room);
      if (most > 0 && most + its > plan.route.room) {
        phase += phases;
        phases = most = own = 0;
      }
      most += its;
      phases = std::max(phases, 2 * plan.route.panels);
      job.phase = phase;
      job.stored = own;
      own += plan.cut.stored;
      batch_.cut.stored = std::max(batch_.cut.stored, own);
    }
    if (!plan.takes_part()) continue;
    batch_.jobs.push_back(job);
    last_phase_ = std::max(last_phase_, job.phase + phases_of(plan) - 1);
  }
}

void Exchange::count() {
  state_ = State::prepared;
  channel_->ledger().count(
      static_cast<int>(batch_.jobs.size()),
      [&](int i) -> const Plan& { return *batch_.jobs[static_cast<std::size_t>(i)].plan; },
      [&](int rank, Index number) {
        peers_.push_back({rank, number});
      });
  if (batch_.joined) std::ranges::sort(peers_, {}, &Peer::rank);
}

// Processes need not have the same number of slots.
Cut Exchange::cut(bool overtaking) const {
  Index slots = 0;
  for (const Job& job : batch_.jobs) slots += job.plan->loads;
  slots = std::min<Index>(slots, overtaking ? 1 : batch_.cut.slots);
  return {batch_.cut.piece_bytes, static_cast<int>(slots), batch_.cut.shared_bytes, batch_.cut.stored};
}

void Exchange::begin(std::unique_ptr<Workspace> space, const Cut& cut) {
  space_ = std::move(space);
  state_ = State::under_way;
  demand_peers();
  open(*space_, cut);
}

void Exchange::open(Workspace& space, const Cut& cut) {
  Wire& wire = space.wire;
  wire.channel = channel_;
  wire.peers.assign(peers_.begin(), peers_.end());  // after a failure the workspace needs them longer than the exchange
  wire.piece_bytes = batch_.cut.piece_bytes;
  wire.shared_bytes = batch_.cut.shared_bytes;
  wire.window = 0;
  bool shared = false;
  Index threads = 1;
  for (const Job& job : batch_.jobs) {
    threads = std::max(threads, job.plan->threads);
    wire.window = std::max(wire.window, job.plan->window);
    shared = shared || job.plan->shares;
    wire.packer.reserve(job.plan->redistribution, job.scalars, cut.piece_bytes / job.plan->redistribution.bytes);
  }
  for (auto job = batch_.jobs.rbegin(); job != batch_.jobs.rend(); ++job)  // the last of own_ is carried out first
    if (own_.emplace_back(*job, wire.packer).done()) own_.pop_back();
  wire.packer.set_threads(threads);
  const Index half = Index{cut.slots} * cut.piece_bytes;
  wire.incoming = space.reserve(cut);
  wire.outgoing = wire.incoming + half;
  wire.store = wire.outgoing + half;
  Segments& segments = channel_->process().segments;
  wire.shared = shared ? segments.take() : nullptr;
  if (wire.shared != nullptr) space.segments = &segments;
  wire.requests.reset(static_cast<std::size_t>(cut.slots));
  listen();
  open_phase(0);
}

void Exchange::open_phase(Index phase) {
  phase_ = phase;
  space_->inbox.open(batch_, phase);
  space_->outbox.open(batch_, phase);
}

// The message to itself is copied while others are under way: one piece at a time, then the requests are tested.
void Exchange::progress(bool wait) {
  listen();
  const bool copied = copy_own();
  Requests& requests = space_->wire.requests;
  const auto events = requests.poll(wait && !copied && !requests.idle());
  for (const auto& [kind, slot, status] : events)  // first, because taking in the other events may throw
    if (kind == Requests::withdrawal) channel_->heard(status);
  for (const auto& [kind, slot, status] : events) {
    if (kind == Requests::arrival) space_->inbox.arrived(slot, status);
    if (kind == Requests::departure) space_->outbox.departed(slot);
    if (kind == Requests::handed_over) space_->outbox.left();
  }
  if (requests.idle() && phase_ < last_phase_) open_phase(phase_ + 1);
  if (!copied && requests.idle() && phase_ == last_phase_)
    state_ = State::done;
  else
    demand_peers();
}

// One of the channel's exchanges that are under way has the receive of withdrawals among its requests.
void Exchange::listen() {
  MPI_Request& request = space_->wire.requests.withdrawals();
  if (request == MPI_REQUEST_NULL) request = std::exchange(channel_->withdrawal(), MPI_REQUEST_NULL);
}

bool Exchange::copy_own() {
  if (own_.empty()) return false;
  own_.back().step();
  if (own_.back().done()) own_.pop_back();
  return true;
}

// What is sent has been read from A as soon as its load has been made.
bool Exchange::completed(int member) const {
  const auto its = [&](const Job& job) { return job.member == member; };
  const auto moved = [&](const Job& job) {
    if (const Index last = job.phase + phases_of(*job.plan) - 1; phase_ != last) return phase_ > last;
    return !space_->inbox.expects(job) && !space_->outbox.has_more_of(job);
  };
  return std::ranges::none_of(own_, its, &OwnMessage::job) &&
         std::ranges::all_of(batch_.jobs, [&](const Job& job) { return !its(job) || moved(job); });
}

void Exchange::hand_over() { space_->outbox.hand_over(channel_->options().buffer / 2); }

void Exchange::demand_peers() const {
  if (!channel_->ledger().refuses_some()) return;
  if (channel_->ledger().refuses_all()) throw std::bad_alloc();
  for (const auto& [rank, number] : peers_)
    if (const Index last = channel_->ledger().refused(rank, number); last > 0)
      throw Withdrawn(rank, last == Ledger::for_ever);
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
  own_.clear();
  for (const auto& [rank, number] : peers_) channel_->withdraw(rank, number, for_ever ? Ledger::for_ever : number);
  if (!space_) return;
  space_->inbox.close();
  space_->outbox.close();
}

void Exchange::check() const {
  if (failure_) std::rethrow_exception(failure_);
}

std::unique_ptr<Workspace> Exchange::release() {
  if (space_ && space_->wire.requests.withdrawals() != MPI_REQUEST_NULL)
    channel_->withdrawal() = std::exchange(space_->wire.requests.withdrawals(), MPI_REQUEST_NULL);
  channel_ = nullptr;
  return std::move(space_);
}

}  // namespace xredist::core
