// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/requests.hpp"

#include <algorithm>

namespace xredist::core {

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

MPI_Request* Requests::fresh(Kind kind, std::size_t slot) {
  MPI_Request& request = all_[index(kind, slot)];
  if (request != MPI_REQUEST_NULL)
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  else
    ++under_way_;
  return &request;
}

void Requests::cancel(Kind kind, std::size_t slot) {
  if (MPI_Request& request = all_[index(kind, slot)]; request != MPI_REQUEST_NULL) MPI_Cancel(&request);
}

std::span<const Requests::Event> Requests::poll(bool wait) {
  events_.clear();
  if (idle() && withdrawals() == MPI_REQUEST_NULL) return events_;
  int count = 0;
  (wait ? MPI_Waitsome : MPI_Testsome)(static_cast<int>(all_.size()), all_.data(), &count, completed_.data(),
                                       statuses_.data());
  for (int c = 0; c < count && count != MPI_UNDEFINED; ++c) {
    const auto i = as_size(at(completed_, c));
    const std::size_t end_of_slots = index(withdrawal, 0);
    const MPI_Status& status = at(statuses_, c);
    if (i != end_of_slots) --under_way_;
    if (i < end_of_slots)
      events_.push_back({static_cast<Kind>(i / slots_), i % slots_, status});
    else
      events_.push_back({i == end_of_slots ? withdrawal : handed_over, 0, status});
  }
  return events_;
}

}  // namespace xredist::core
