// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/maximum.hpp"

#include <algorithm>
#include <iterator>

namespace xredist::core {
namespace {

// Returns whether a request of each neighbour is complete, or there is none.
bool all_complete(auto neighbours, auto request) {
  return std::ranges::all_of(
      neighbours,
      [](MPI_Request& each) {
        int done = 1;
        if (each != MPI_REQUEST_NULL) MPI_Test(&each, &done, MPI_STATUS_IGNORE);
        return done != 0;
      },
      request);
}

}  // namespace

// The process at position k has its children at 2 k + 1 and 2 k + 2.
Maximum::Maximum(std::span<const int> ranks, Channel& channel) : channel_(channel) {
  const Index me = std::ranges::find(ranks, channel.rank()) - ranks.begin();
  const auto add = [&](Index position) {
    if (position < std::ssize(ranks)) neighbours_.push_back({.rank = at(ranks, position)});
  };
  if (me > 0) add((me - 1) / 2);
  parents_ = neighbours_.size();
  add(2 * me + 1);
  add(2 * me + 2);
}

void Maximum::take_numbers() {
  ++number_;
  const Ledger::Entry entry = channel_.ledger().open();
  for (Neighbour& neighbour : neighbours_) {
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
    MPI_Irecv(neighbour.received.data(), count_, MPI_DOUBLE, neighbour.rank, channel_.tag(neighbour.number, 0),
              channel_.comm(), &neighbour.receive);
  state_ = State::gathers;
  progress();
}

void Maximum::refuse() {
  take_numbers();
  fail();
}

// The root of the tree awaits nothing.
void Maximum::progress() {
  if (!under_way()) return;
  channel_.hear();
  if (state_ == State::gathers && all_complete(children(), &Neighbour::receive)) {
    for (const Neighbour& child : children())
      std::ranges::transform(values_, child.received, values_.begin(), std::ranges::max);
    send_to(parents());
    state_ = State::awaits;
  }
  if (state_ == State::awaits && all_complete(parents(), &Neighbour::receive) &&
      all_complete(parents(), &Neighbour::send)) {
    for (const Neighbour& parent : parents()) values_ = parent.received;
    send_to(children());
    state_ = State::distributes;
  }
  // The maxima that have arrived count, although their sender may have refused later.
  if (state_ == State::distributes) {
    if (is_refused()) release_sends();
    if (all_complete(children(), &Neighbour::send)) state_ = State::ended;
  } else if (is_refused()) {
    fail();
  }
}

void Maximum::send_to(std::span<Neighbour> neighbours) {
  for (Neighbour& to : neighbours)
    MPI_Isend(values_.data(), count_, MPI_DOUBLE, to.rank, channel_.tag(to.number, 0), channel_.comm(), &to.send);
}

bool Maximum::is_refused() const {
  const Ledger& ledger = channel_.ledger();
  return ledger.refuses_all() || std::ranges::any_of(neighbours_, [&](const Neighbour& neighbour) {
           return ledger.refuses(neighbour.rank, neighbour.number);
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
