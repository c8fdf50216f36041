#include "exchange/exchange.hpp"

#include <array>
#include <atomic>
#include <numeric>

namespace xredist {
namespace {

constexpr int tag = 0, permit_tag = 1;
constexpr int answer_tag = 2;                           // and the following, one for each slot
constexpr int guarded_tag = answer_tag + most_slots;  // likewise

// How many guarded bytes may be under way to or from a process, beside what the network carries while a permit comes:
// of two pieces, one travels while permit and answer of the other do, and a shallow switch's port queues them where
// they come from two senders. (16 processes, 100 Mbit/s, queues of 64 KB, three examples of Desprez et al., times
// over the port bound: 1.16, 1.22 to 1.32, 1.09; more or less by a sixth changes little; twice as much: up to 1.7, and
// four times where TCP has to wait for what was dropped.)
constexpr Index guarded_bytes = 100'000;

// What permits say; they are on their way for longer than any variable lives.
const auto numbers = [] {
  std::array<int, most_slots> all{};
  std::iota(all.begin(), all.end(), 0);
  return all;
}();

}  // namespace

// Requests [0, slots) are receives, [slots, 2 slots) sends; each has its part of the buffer. Every process takes
// its loads in the order of the schedule, `slots` at a time. A load goes one of three ways.
//
// Shared, to a neighbour: packed into the slot of the sender's shared memory. What is sent is a notice, with the
// number of the slot, and what the sender waits for is an empty answer with that tag, when the load has been
// unpacked. Requests [2 slots, 3 slots) are of the notices, [3 slots, 4 slots) of answers and permits.
//
// Guarded, over a network: so that processes keep in step without a barrier. Where several send to one, its switch
// drops what the port's queue cannot hold. A receiver permits two pieces at a time, and a sender has two under way,
// both strictly in the order of the schedule: what may overtake shares a port with what is due, whose sender is then
// late for its next receiver (up to 1.7 times the time, simulated and emulated). A permit names the receiver's slot,
// which is the load's tag. The load is sent synchronously, for that MPI has taken it says nothing about the port.
//
// Plain, in a message: what is small, and all on networks that guards would slow down (Channel::guards).
//
// None of this can deadlock: of the loads not yet delivered, the first one in the schedule has all earlier ones of its
// sender and of its receiver behind it, so both have it under way, and it is the next to be permitted and sent.
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
  buffer_ = space.reserve(slots_, 2 * static_cast<Index>(slots_) * piece_bytes_);
  coming_ = going_ = 0;
  window_ = guarded_bytes + channel_->carried();
  for (std::size_t s = 0; s < slots_; ++s) receive(s);
  for (std::size_t s = 0; s < slots_; ++s) send(s);
}

// The own part is copied while messages are under way, a piece between two looks at them.
void Exchange::progress(bool wait) {
  const bool copied = copy_own();
  int count = 0;
  (copied || !wait ? MPI_Testsome : MPI_Waitsome)(static_cast<int>(space_->requests.size()), space_->requests.data(),
                                                  &count, space_->completed.data(), space_->statuses.data());
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

void Exchange::finish(std::size_t request, const MPI_Status& status) {
  if (request < slots_)
    arrived(request, status);
  else if (request < 2 * slots_)
    sent(request - slots_);
}

std::byte* Exchange::part(std::size_t slot) const { return buffer_ + static_cast<Index>(slot) * piece_bytes_; }

// ---- receiving

void Exchange::receive(std::size_t slot) {
  auto& [load, notice] = space_->arriving[slot];
  if (!receives_.next(load)) return;
  const auto post = [&](void* to, Index bytes, int from_tag) {
    MPI_Irecv(to, static_cast<int>(bytes), MPI_BYTE, load.rank, from_tag, channel_->comm(), &space_->requests[slot]);
  };
  if (load.way == Way::shared) return post(&notice, sizeof notice, tag);
  if (load.way == Way::plain) return post(part(slot), piece_bytes_, tag);
  post(part(slot), piece_bytes_, guarded_tag + numbers[slot]);
  unpermitted_.push_back(slot);
  permit();
}

void Exchange::permit() {
  while (!unpermitted_.empty()) {
    const std::size_t slot = unpermitted_.front();
    const Load& next = space_->arriving[slot].load;
    if (coming_ + next.bytes > window_) return;
    coming_ += next.bytes;
    MPI_Isend(&numbers[slot], 1, MPI_INT, next.rank, permit_tag, channel_->comm(), reply(slot));
    unpermitted_.erase(unpermitted_.begin());
  }
}

// The request of the slot's permit or answer; the last one has been received, or else the slot would not be free.
MPI_Request* Exchange::reply(std::size_t slot) {
  MPI_Request* request = &space_->requests[3 * slots_ + slot];
  MPI_Wait(request, MPI_STATUS_IGNORE);
  return request;
}

void Exchange::arrived(std::size_t slot, const MPI_Status& status) {
  const auto& [load, notice] = space_->arriving[slot];
  if (load.way == Way::shared) {
    std::atomic_thread_fence(std::memory_order_acquire);
    check(load, notice.bytes);
    unpack(load, channel_->neighbours().memory_of(load.rank) + notice.slot * piece_bytes_);
    MPI_Isend(nullptr, 0, MPI_BYTE, load.rank, answer_tag + notice.slot, channel_->comm(), reply(slot));
  } else {
    if (load.way == Way::guarded) {
      coming_ -= load.bytes;
      permit();  // before the load is unpacked
    }
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    check(load, bytes);
    unpack(load, part(slot));
  }
  receive(slot);
}

// Costs nothing, and finds what XREDIST_CHECK would have found before anything moved.
void Exchange::check(const Load& load, int bytes) const {
  const bool whole = load.slices.back().job->plan->matter.region.kind == Region::Kind::all;
  if (bytes == load.bytes || (!whole && bytes < load.bytes)) return;
  throw Disagreement("process " + std::to_string(load.rank) + " of the context sends " + std::to_string(bytes) +
                     " bytes where " + std::to_string(load.bytes) +
                     " are due: do all processes pass the same arguments? (XREDIST_CHECK=1 compares them)");
}

void Exchange::unpack(const Load& load, const std::byte* from) {
  for (const auto& [job, transfer, piece, offset] : load.slices)
    space_->packer.unpack(job->plan->matter, transfer->peer, *job->plan->in_b, piece, from + offset, job->b);
}

// ---- sending

void Exchange::send(std::size_t slot) {
  Leaving& out = space_->leaving[slot];
  if (!sends_.next(out.load)) return;
  MPI_Request& request = space_->requests[slots_ + slot];
  if (out.load.way == Way::shared) {
    out.bytes = pack(out.load, channel_->neighbours().own() + static_cast<Index>(slot) * piece_bytes_);
    return give_notice(slot);
  }
  out.bytes = pack(out.load, part(slots_ + slot));
  if (out.load.way == Way::plain) {
    (synchronous_ ? MPI_Issend : MPI_Isend)(part(slots_ + slot), out.bytes, MPI_BYTE, out.load.rank, tag,
                                            channel_->comm(), &request);
    return;
  }
  out.permitted = false;
  MPI_Irecv(&out.place, 1, MPI_INT, out.load.rank, permit_tag, channel_->comm(), &request);
  unsent_.push_back(slot);
}

int Exchange::pack(const Load& load, std::byte* to) {
  Index bytes = 0;
  for (const auto& [job, transfer, piece, offset] : load.slices)
    bytes = offset + space_->packer.pack(job->plan->matter, *job->plan->in_a, transfer->peer, piece, job->a, to + offset);
  return static_cast<int>(bytes);
}

void Exchange::give_notice(std::size_t slot) {
  Leaving& out = space_->leaving[slot];
  std::atomic_thread_fence(std::memory_order_release);
  MPI_Irecv(nullptr, 0, MPI_BYTE, out.load.rank, answer_tag + numbers[slot], channel_->comm(),
            &space_->requests[slots_ + slot]);
  MPI_Request& request = space_->requests[2 * slots_ + slot];
  MPI_Wait(&request, MPI_STATUS_IGNORE);  // the last one of this slot has been answered
  out.notice = {numbers[slot], out.bytes};
  MPI_Isend(&out.notice, sizeof out.notice, MPI_BYTE, out.load.rank, tag, channel_->comm(), &request);
}

void Exchange::launch() {
  while (!unsent_.empty()) {
    const std::size_t slot = unsent_.front();
    const Leaving& next = space_->leaving[slot];
    if (!next.permitted || going_ + next.load.bytes > window_) return;
    going_ += next.load.bytes;
    MPI_Issend(part(slots_ + slot), next.bytes, MPI_BYTE, next.load.rank, guarded_tag + next.place, channel_->comm(),
               &space_->requests[slots_ + slot]);
    unsent_.erase(unsent_.begin());
  }
}

void Exchange::sent(std::size_t slot) {
  Leaving& out = space_->leaving[slot];
  if (out.load.way == Way::guarded && !out.permitted) {
    out.permitted = true;
    return launch();
  }
  if (out.load.way == Way::guarded) {
    going_ -= out.load.bytes;
    launch();  // before the next load is packed
  }
  send(slot);
}

}  // namespace xredist
