// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/exchange.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "watch/watched.hpp"

namespace xredist::core {

// A process that cannot continue withdraws: it tells all peers of this exchange, by the sequence number of the exchange
// between the two (Ledger). The peers fail as well and tell theirs, unless they have completed the exchange. Other
// exchanges are not affected, because tags carry the numbers. Only if arguments differ between processes, the processes
// may count differently; then they withdraw from all later exchanges. A process without memory for the record of a
// withdrawal fails in the exchanges that are under way, and makes the record before the next exchange.
void Exchange::prepare(std::span<const Job> jobs, Channel& channel) {
  state_ = State::over;
  failure_ = nullptr;
  channel_ = &channel;
  assign(batch_, jobs);
  std::size_t max_peers = 0;
  for (const Job& job : batch_.jobs) max_peers += job.plan->peers.size();
  peers_.clear();
  peers_.reserve(max_peers);
  channel.make_room(max_peers);
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

void Exchange::begin(WorkspacePool& pool, const BufferSize& size) {
  state_ = State::under_way;
  throw_if_withdrawn();
  session_.emplace(pool.take(size.bytes()), *channel_, batch_, peers_, size);
  session_->open();
}

void Exchange::progress(bool wait) {
  // Nothing may arrive any more if another exchange has received a withdrawal from this one.
  if (session_->progress(wait && !is_refused()))
    state_ = State::over;
  else
    throw_if_withdrawn();
}

bool Exchange::is_refused() const {
  const Ledger& ledger = channel_->ledger();
  if (!ledger.refuses_some()) return false;
  const auto refuses = [&](const Peer& peer) { return ledger.refuses(peer.rank, peer.number); };
  return ledger.has_late_refusal() || std::ranges::any_of(peers_, refuses);
}

void Exchange::throw_if_withdrawn() const {
  if (!is_refused()) return;
  const Ledger& ledger = channel_->ledger();
  if (ledger.has_late_refusal()) throw WithdrawalNotRecorded();
  for (const Peer& peer : peers_)
    if (ledger.refuses(peer.rank, peer.number))
      throw PeerFailed(peer.rank, ledger.refuses_permanently(peer.rank, peer.number));
}

void Exchange::fail(std::exception_ptr why) noexcept {
  bool permanent = false;
  try {
    std::rethrow_exception(why);
  } catch (const Disagreement&) {
    permanent = true;
  } catch (const PeerFailed& other) {
    permanent = other.permanent;
  } catch (...) {
  }
  failure_ = std::move(why);
  state_ = State::over;
  for (const Peer& peer : peers_) channel_->withdraw(peer.rank, peer.number, permanent);
  if (session_) session_->close();
}

void Exchange::state_size() const {
  state_facts([&](Call& call) {
    if (call.processes == 0) channel_->state_communicator(call);
    if (call.m >= 0) return;
    call.jobs = std::ssize(batch_.jobs);
    const Job& job = batch_.jobs.front();
    if (job.a.strides != nullptr || job.b.strides != nullptr) return;  // the size of an array is not that of its plan
    const Redistribution& first = job.plan->redistribution;
    const auto& [rows, cols] = first.traffic;
    call.m = rows.n / first.units, call.n = cols.n;
    std::ranges::transform(std::array{rows.a.procs, cols.a.procs, rows.b.procs, cols.b.procs}, call.grids.begin(),
                           [](Index processes) { return static_cast<std::int32_t>(processes); });
  });
}

void Exchange::check() const {
  if (failure_) std::rethrow_exception(failure_);
}

void Exchange::release(WorkspacePool& pool) noexcept {
  channel_ = nullptr;
  if (!session_) return;
  pool.keep(std::move(*session_).end());
  session_.reset();
}

}  // namespace xredist::core
