// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/maximum.hpp"

#include <algorithm>
#include <iterator>

namespace xredist::core {
namespace {

bool complete(MPI_Request& request) {
  int done = 1;
  if (request != MPI_REQUEST_NULL) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  return done != 0;
}

}  // namespace

Maximum::Maximum(std::span<const int> ranks, Channel& channel) : channel_(channel) {
  const Index me = std::ranges::find(ranks, channel.rank()) - ranks.begin();
  const auto rank_at = [&](Index position) { return position < std::ssize(ranks) ? at(ranks, position) : -1; };
  if (me > 0) neighbours_[parent].rank = rank_at((me - 1) / 2);
  neighbours_[left].rank = rank_at(2 * me + 1);
  neighbours_[right].rank = rank_at(2 * me + 2);
}

void Maximum::take_numbers() {
  ++number_;
  const Ledger::Entry entry = channel_.ledger().open();
  for (Neighbour& neighbour : neighbours_) {
    if (neighbour.rank < 0) continue;
    channel_.ledger().forget(neighbour.rank, neighbour.number);
    neighbour.number = entry.count(neighbour.rank).value();
  }
}

void Maximum::start(std::span<const double> values) {
  count_ = static_cast<int>(values.size());
  std::ranges::copy(values, values_.begin());
  take_numbers();
  channel_.hear();
  if (is_refused()) return fail();
  for (Neighbour& neighbour : neighbours_)
    if (neighbour.rank >= 0)
      MPI_Irecv(neighbour.received.data(), count_, MPI_DOUBLE, neighbour.rank, channel_.tag(neighbour.number, 0),
                channel_.comm(), &neighbour.receive);
  state_ = State::gathers;
  progress();
}

void Maximum::refuse() {
  take_numbers();
  fail();
}

void Maximum::progress() {
  if (!under_way()) return;
  channel_.hear();
  const auto received = [&](Relation relation) { return complete(neighbours_[relation].receive); };
  if (state_ == State::gathers && received(left) && received(right)) {
    for (const Relation child : {left, right})
      if (has(child)) std::ranges::transform(values_, neighbours_[child].received, values_.begin(), std::ranges::max);
    if (!has(parent)) return distribute();
    state_ = State::awaits;
    send_to(parent);
  }
  if (state_ == State::awaits && received(parent) && complete(neighbours_[parent].send)) {
    values_ = neighbours_[parent].received;
    return distribute();
  }
  // What has arrived counts, although its sender may have refused later.
  if (state_ != State::distributes) return is_refused() ? fail() : void();
  if (is_refused()) release_sends();
  if (std::ranges::all_of(neighbours_, [](Neighbour& neighbour) { return complete(neighbour.send); }))
    state_ = State::ended;
}

void Maximum::send_to(Relation relation) {
  Neighbour& to = neighbours_[relation];
  MPI_Isend(values_.data(), count_, MPI_DOUBLE, to.rank, channel_.tag(to.number, 0), channel_.comm(), &to.send);
}

void Maximum::distribute() {
  state_ = State::distributes;
  for (const Relation child : {left, right})
    if (has(child)) send_to(child);
  progress();
}

bool Maximum::is_refused() const {
  const Ledger& ledger = channel_.ledger();
  return ledger.refuses_all() || std::ranges::any_of(neighbours_, [&](const Neighbour& neighbour) {
           return neighbour.rank >= 0 && ledger.refuses(neighbour.rank, neighbour.number);
         });
}

// So short messages do not wait for their receivers.
void Maximum::release_sends() {
  for (Neighbour& neighbour : neighbours_)
    if (neighbour.send != MPI_REQUEST_NULL) MPI_Request_free(&neighbour.send);
}

void Maximum::fail() noexcept {
  state_ = State::failed;
  release_sends();
  for (Neighbour& neighbour : neighbours_) {
    if (neighbour.rank < 0) continue;
    if (neighbour.receive != MPI_REQUEST_NULL) {
      MPI_Cancel(&neighbour.receive);
      MPI_Wait(&neighbour.receive, MPI_STATUS_IGNORE);
    }
    channel_.withdraw(neighbour.rank, neighbour.number, false);
  }
}

std::optional<std::span<const double>> Maximum::result() const {
  if (state_ == State::failed) return std::nullopt;
  return std::span(values_).first(static_cast<std::size_t>(count_));
}

}  // namespace xredist::core
