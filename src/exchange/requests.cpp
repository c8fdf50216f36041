// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/requests.hpp"

#include <algorithm>
#include <utility>

#include "watch/watched.hpp"

namespace xredist::core {
namespace {

// Waits as MPI_Waitsome does, but returns when the watch asks a thread for what it waits: inside MPI the thread could
// not answer.
int wait_for_some(int count, MPI_Request* requests, int* completed, int* indices, MPI_Status* statuses) {
  if (!is_watched()) return MPI_Waitsome(count, requests, completed, indices, statuses);
  int code = MPI_SUCCESS;
  do code = MPI_Testsome(count, requests, completed, indices, statuses);
  while (code == MPI_SUCCESS && *completed == 0 && !is_anybody_asked());
  return code;
}

}  // namespace

void Requests::reset(std::size_t slots) {
  slots_ = under_way_ = 0;
  resize(withdrawal * slots + 1);
  std::ranges::fill(all_, MPI_REQUEST_NULL);
  slots_ = slots;
}

void Requests::resize(std::size_t all) {
  completed_.resize(all);
  statuses_.resize(all);
  events_.reserve(all);
  all_.resize(all, MPI_REQUEST_NULL);
}

MPI_Request* Requests::additional() {
  resize(all_.size() + 1);
  ++under_way_;
  return &all_.back();
}

void Requests::finish(Kind kind, std::size_t slot) {
  MPI_Request& request = all_[index(kind, slot)];
  if (request == MPI_REQUEST_NULL) return;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  --under_way_;
}

MPI_Request* Requests::next(Kind kind, std::size_t slot) {
  ++under_way_;
  return &all_[index(kind, slot)];
}

void Requests::cancel(Kind kind, std::size_t slot) {
  if (MPI_Request& request = all_[index(kind, slot)]; request != MPI_REQUEST_NULL) MPI_Cancel(&request);
}

std::span<const Requests::Event> Requests::poll(bool wait, MPI_Request& withdrawal_of_channel) {
  events_.clear();
  if (idle() && withdrawal_of_channel == MPI_REQUEST_NULL) return events_;
  const std::size_t end_of_slots = index(withdrawal, 0);
  all_[end_of_slots] = withdrawal_of_channel;
  int count = 0;
  const auto some = wait && !idle() ? wait_for_some : MPI_Testsome;
  const int code = some(static_cast<int>(all_.size()), all_.data(), &count, completed_.data(), statuses_.data());
  withdrawal_of_channel = std::exchange(all_[end_of_slots], MPI_REQUEST_NULL);
  for (int c = 0; c < count && count != MPI_UNDEFINED; ++c) {
    const auto i = as_size(at(completed_, c));
    MPI_Status& status = at(statuses_, c);
    if (code == MPI_SUCCESS) status.MPI_ERROR = MPI_SUCCESS;  // MPI has not set this member
    if (i != end_of_slots) --under_way_;
    if (i < end_of_slots)
      events_.push_back({static_cast<Kind>(i / slots_), i % slots_, status});
    else
      events_.push_back({i == end_of_slots ? withdrawal : handed_over, 0, status});
  }
  return events_;
}

}  // namespace xredist::core
