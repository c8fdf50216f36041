#include "exchange/exchange.hpp"

#include <atomic>
#include <utility>

#include "exchange/attribute.hpp"

namespace xredist {
namespace {

constexpr int tag = 0, answer_tag = 1;

// Small loads travel faster in a message than through a notice and its answer.
constexpr Index least_shared = 4000;

}  // namespace

// Requests [0, slots) are receives, [slots, 2 slots) sends; each has its part of the buffer. A load for
// a neighbour is packed into the slot of the sender's shared memory: what is sent is a notice, with the
// number of the slot, and what the sender waits for is an empty answer with that tag, when the load has been
// unpacked. Requests [2 slots, 3 slots) are of the notices. Every process takes its loads in the order of
// the schedule, `slots` at a time. That cannot deadlock: of the loads not yet delivered, the first one in
// the schedule has all earlier ones of its sender and of its receiver behind it, so both have it under way.
void Exchange::prepare(std::span<const Job> jobs, Channel& channel) {
  jobs_.assign(jobs.begin(), jobs.end());
  channel_ = &channel;
  piece_bytes_ = jobs_.front().plan->piece_bytes;
  slots_ = static_cast<std::size_t>(jobs_.front().plan->slots);
  sends_.start(jobs_, true);
  receives_.start(jobs_, false);
  done_ = false;
}

void Exchange::begin(Workspace& space) {
  space_ = &space;
  synchronous_ = channel_->next_call_synchronises();
  bool messages = false;
  for (const Job& job : jobs_) {
    messages = messages || !job.plan->sends.empty() || !job.plan->receives.empty();
    if (job.plan->own_rows > 0) own_.emplace_back(job, space.packer);
  }
  if (!messages) slots_ = 0;
  buffer_ = space.reserve(2 * static_cast<Index>(slots_) * piece_bytes_);
  space.requests.assign(3 * slots_, MPI_REQUEST_NULL);
  space.completed.resize(space.requests.size());
  space.statuses.resize(space.requests.size());
  space.notices.resize(2 * slots_);
  if (space.arriving.size() < slots_) space.arriving.resize(slots_);
  for (std::size_t s = 0; s < slots_; ++s) receive(s);
  for (std::size_t s = 0; s < slots_; ++s) send(s);
}

// The own part is copied while messages are under way, a piece between two looks at them.
void Exchange::progress(bool wait) {
  const bool copied = copy_own();
  int count = 0;
  (copied || !wait ? MPI_Testsome : MPI_Waitsome)(static_cast<int>(space_->requests.size()), space_->requests.data(), &count,
                                                  space_->completed.data(), space_->statuses.data());
  if (count == MPI_UNDEFINED)
    done_ = !copied;
  else
    for (std::size_t c = 0; c < static_cast<std::size_t>(count); ++c)
      finish(static_cast<std::size_t>(space_->completed[c]), space_->statuses[c]);
}

bool Exchange::copy_own() {
  while (!own_.empty()) {
    if (own_.back().step()) return true;
    own_.pop_back();
  }
  return false;
}

std::byte* Exchange::part(std::size_t slot) const { return buffer_ + static_cast<Index>(slot) * piece_bytes_; }

bool Exchange::shared(const Load& load) const {
  return jobs_.front().plan->shares && load.bytes > least_shared && channel_->neighbours().contains(load.rank);
}

void Exchange::receive(std::size_t slot) {
  Load& load = space_->arriving[slot];
  if (!receives_.next(load)) return;
  MPI_Request& request = space_->requests[slot];
  if (shared(load))
    MPI_Irecv(&space_->notices[slot], 2, MPI_INT, load.rank, tag, channel_->comm(), &request);
  else
    MPI_Irecv(part(slot), static_cast<int>(piece_bytes_), MPI_BYTE, load.rank, tag, channel_->comm(), &request);
}

void Exchange::send(std::size_t slot) {
  Load& load = space_->leaving;
  if (!sends_.next(load)) return;
  const bool by_notice = shared(load);
  std::byte* const buffer = by_notice ? channel_->neighbours().own() + static_cast<Index>(slot) * piece_bytes_ : part(slots_ + slot);
  Index bytes = 0;
  for (const auto& [job, transfer, piece, offset] : load.slices)
    bytes = offset + space_->packer.pack(job->plan->matter, *job->plan->in_a, transfer->peer, piece, job->a, buffer + offset);
  if (by_notice) return give_notice(slot, load.rank, bytes);
  (synchronous_ ? MPI_Issend : MPI_Isend)(buffer, static_cast<int>(bytes), MPI_BYTE, load.rank, tag, channel_->comm(),
                                          &space_->requests[slots_ + slot]);
}

void Exchange::give_notice(std::size_t slot, int rank, Index bytes) {
  std::atomic_thread_fence(std::memory_order_release);
  const int number = static_cast<int>(slot);
  MPI_Irecv(nullptr, 0, MPI_BYTE, rank, answer_tag + number, channel_->comm(), &space_->requests[slots_ + slot]);
  MPI_Request& notice = space_->requests[2 * slots_ + slot];
  MPI_Wait(&notice, MPI_STATUS_IGNORE);  // the last one of this slot has been answered
  space_->notices[slots_ + slot] = {number, static_cast<int>(bytes)};
  MPI_Isend(&space_->notices[slots_ + slot], 2, MPI_INT, rank, tag, channel_->comm(), &notice);
}

void Exchange::finish(std::size_t request, const MPI_Status& status) {
  if (request >= 2 * slots_) return;
  if (request >= slots_) return send(request - slots_);
  const Load& load = space_->arriving[request];
  if (shared(load)) {
    std::atomic_thread_fence(std::memory_order_acquire);
    const auto [number, bytes] = space_->notices[request];
    check(load, bytes);
    unpack(load, channel_->neighbours().memory_of(load.rank) + number * piece_bytes_);
    MPI_Request answer;
    MPI_Isend(nullptr, 0, MPI_BYTE, load.rank, answer_tag + number, channel_->comm(), &answer);
    MPI_Request_free(&answer);
  } else {
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    check(load, bytes);
    unpack(load, part(request));
  }
  receive(request);
}

// Costs nothing, and finds what XREDIST_CHECK would have found before anything moved.
void Exchange::check(const Load& load, int bytes) const {
  const bool whole = load.slices.back().job->plan->matter.region.kind == Region::Kind::all;
  if (bytes == load.bytes || (!whole && bytes < load.bytes)) return;
  throw Disagreement("process " + std::to_string(load.rank) + " of the context sends " + std::to_string(bytes) + " bytes where " +
                     std::to_string(load.bytes) + " are due: do all processes pass the same arguments? (XREDIST_CHECK=1 compares them)");
}

void Exchange::unpack(const Load& load, const std::byte* from) {
  for (const auto& [job, transfer, piece, offset] : load.slices)
    space_->packer.unpack(job->plan->matter, transfer->peer, *job->plan->in_b, piece, from + offset, job->b);
}

std::byte* Workspace::reserve(Index bytes) {
  if (bytes > size_) {
    memory_.reset();
    size_ = 0;
    memory_.reset(new (std::nothrow) std::byte[static_cast<std::size_t>(bytes)]);
    if (!memory_) throw OutOfMemory(bytes);
    size_ = bytes;
  }
  return memory_.get();
}

std::shared_ptr<Exchange> Queue::start(std::span<const Job> jobs, Channel& channel) {
  std::shared_ptr<Exchange> exchange = last_ && last_.use_count() == 1 ? std::move(last_) : std::make_shared<Exchange>();
  exchange->prepare(jobs, channel);
  exchanges_.push_back(exchange);
  if (exchanges_.size() == 1) exchange->begin(space);
  return exchange;
}

void Queue::progress(bool wait) {
  exchanges_.front()->progress(wait);
  if (!exchanges_.front()->done()) return;
  last_ = std::move(exchanges_.front());
  exchanges_.erase(exchanges_.begin());
  if (!exchanges_.empty()) exchanges_.front()->begin(space);
}

bool Queue::test(const Exchange& exchange) {
  if (!exchange.done()) progress(false);
  return exchange.done();
}

void Queue::wait(const Exchange& exchange) {
  while (!exchange.done()) progress(true);
}

Queue& queue() {
  if (Queue* known = attached<Queue>(MPI_COMM_SELF)) return *known;
  return attach(MPI_COMM_SELF, std::make_unique<Queue>());
}

}  // namespace xredist
