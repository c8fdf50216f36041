// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/channel.hpp"

#include <algorithm>
#include <utility>

#include "exchange/communicator.hpp"

namespace xredist::core {
namespace {

// MPI attaches the bound to MPI_COMM_WORLD. Open MPI does not find it elsewhere.
Index tag_bound() {
  constexpr Index guaranteed = 32767;  // by MPI
  int* bound = nullptr;
  int found = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &found);
  return found ? *bound : guaranteed;
}

}  // namespace

Channel::Channel(Host& host, int size) : host_(host), size_(size), ledger_(size) {}

void Channel::open(MPI_Comm comm, Owner owner, Agreement agreed) {
  comm_ = comm;
  owner_ = owner;
  agreed_ = std::move(agreed);
  rank_ = rank_in(comm_);
  tagged_numbers_ = (tag_bound() - first_tag) / max_kinds;
  listen();
}

// A duplicate on which this process has withdrawn is not freed: messages may be left on it that nobody receives, and
// MPI could deliver them on another communicator to which it gives the same number.
Channel::~Channel() {
  if (comm_ == MPI_COMM_NULL) return;
  if (withdrawal_ != MPI_REQUEST_NULL) {
    MPI_Cancel(&withdrawal_);
    MPI_Wait(&withdrawal_, MPI_STATUS_IGNORE);
  }
  if (owner_ == Owner::channel && !withdrew_) MPI_Comm_free(&comm_);
}

const Links& Channel::explore(Progress& progress) {
  if (explored()) return survey_->links;
  const InPhase phase(Phase::network);
  const bool share = agreed_.options.shared != 0;
  const std::optional<KnownSurvey>& known = agreed_.survey;
  survey_ =
      known && known->share == share ? known->survey : survey_of(comm_, agreed_.processes, share, host_, progress);
  grids_.clear();
  return survey_->links;
}

const Links& Channel::unexplored_links() {
  static const Links none;
  return none;
}

const SharedMemory::Segment* Channel::memory_of(int rank) const {
  if (!explored()) return nullptr;
  const std::vector<int>& neighbours = survey_->links.neighbours;
  const auto found = std::ranges::lower_bound(neighbours, rank);
  return found == neighbours.end() || *found != rank ? nullptr : &at(survey_->memory, found - neighbours.begin());
}

void Channel::listen() {
#ifdef XREDIST_SIMULATED  // SimGrid deletes attributes after its processes have ended, and cannot cancel requests then
  return;
#endif
  static_assert(sizeof refusal_ == 2 * sizeof(std::int64_t));
  if (owner_ == Owner::channel && size_ > 1)
    MPI_Irecv(&refusal_, 2, MPI_INT64_T, MPI_ANY_SOURCE, withdrawal_tag, comm_, &withdrawal_);
}

void Channel::on_withdrawal(const MPI_Status& status) {
  ledger_.refuse(status.MPI_SOURCE, refusal_.number, refusal_.permanent != 0);
  if (!ledger_.has_late_refusal()) listen();
}

// Returns whether a withdrawal had arrived.
bool Channel::hear_one() {
  if (withdrawal_ == MPI_REQUEST_NULL) return false;
  MPI_Status status;
  int completed = 0;
  MPI_Test(&withdrawal_, &completed, &status);
  if (completed != 0) on_withdrawal(status);
  return completed != 0;
}

// Exchanges through shared memory may have ended without hearing of withdrawals. Here the record of each finds room.
void Channel::hear_with_room(std::size_t peers) {
  if (ledger_.has_late_refusal()) {
    ledger_.record_late();
    listen();
  }
  while (hear_one()) ledger_.reserve(peers);
}

// Looks for a message that need not exist: a probe that finds nothing lets MPI continue.
void Channel::let_mpi_continue() const {
  int found = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, withdrawal_tag, comm_, &found, MPI_STATUS_IGNORE);
}

// Does not block: the message is so short that MPI buffers it.
void Channel::withdraw(int rank, Index number, bool permanent) noexcept {
  if (owner_ == Owner::context) return;
  withdrew_ = true;
  const Refusal refusal{number, permanent};
  MPI_Send(&refusal, 2, MPI_INT64_T, rank, withdrawal_tag, comm_);
  if (permanent) ledger_.refuse(rank, number, true);
}

void Channel::withdraw(const Ledger::Entry& exchange, const Plan& plan) noexcept {
  for (const int rank : plan.peers)
    if (const auto number = exchange.count(rank)) withdraw(rank, *number, false);
}

}  // namespace xredist::core
