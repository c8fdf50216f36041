// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/requests.hpp"

namespace xredist::core {

void Requests::reset(std::size_t slots) {
  const std::size_t all = withdrawal * slots + 1;
  slots_ = under_way_ = 0;
  completed_.resize(all);
  statuses_.resize(all);
  events_.reserve(all);
  all_.assign(all, MPI_REQUEST_NULL);
  slots_ = slots;
}

MPI_Request* Requests::fresh(Kind kind, std::size_t slot) {
  MPI_Request& request = all_[at(kind, slot)];
  if (request != MPI_REQUEST_NULL)
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  else
    ++under_way_;
  return &request;
}

void Requests::cancel(Kind kind, std::size_t slot) {
  if (MPI_Request& request = all_[at(kind, slot)]; request != MPI_REQUEST_NULL) MPI_Cancel(&request);
}

std::span<const Requests::Event> Requests::poll(bool wait) {
  events_.clear();
  int count = 0;
  (wait ? MPI_Waitsome : MPI_Testsome)(static_cast<int>(all_.size()), all_.data(), &count, completed_.data(),
                                       statuses_.data());
  for (int c = 0; c < count && count != MPI_UNDEFINED; ++c) {
    const auto i = static_cast<std::size_t>(completed_[static_cast<std::size_t>(c)]);
    const bool heard = i + 1 == all_.size();
    if (!heard) --under_way_;
    events_.push_back({heard ? withdrawal : static_cast<Kind>(i / slots_), heard ? 0 : i % slots_,
                       statuses_[static_cast<std::size_t>(c)]});
  }
  return events_;
}

}  // namespace xredist::core
