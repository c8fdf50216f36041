// SPDX-License-Identifier: BSD-3-Clause
#include "pivots/line_processes.hpp"

#include <thread>

namespace xredist::core {
namespace {

int distance(int from, int to, int size) { return (to - from + size) % size; }

}  // namespace

LineProcesses::LineProcesses(MPI_Comm comm, bool shares) : comm_(comm), shares_(shares) {
  MPI_Comm_rank(comm, &rank_);
  MPI_Comm_size(comm, &size_);
}

LineProcesses::~LineProcesses() { MPI_Comm_free(&comm_); }

void LineProcesses::meet() {
  if (has_met_) return;
  const std::size_t size = as_size(size_);
  std::vector<SharedMemory::Identity> identities(size);
  std::vector<char> sees(size);
  seen_.resize(size), shown_to_.resize(size);
  const SharedMemory::Identity mine = shares_ ? shared_.identity() : SharedMemory::Identity{};
  own_ = shared_.lend();
  MPI_Allgather(&mine, sizeof mine, MPI_BYTE, identities.data(), sizeof mine, MPI_BYTE, comm_);
  for (int source = 0; source < size_; ++source) {
    const SharedMemory::Identity& other = at(identities, source);
    const int away = distance(source, rank_, size_);
    if (mine.cookie != 0 && other.node == mine.node && 0 < away && away <= max_slots)
      at(seen_, source) = shared_.map(other, SharedMemory::max_bytes);
    at(sees, source) = this->sees(source) ? 1 : 0;
  }
  MPI_Alltoall(sees.data(), 1, MPI_CHAR, shown_to_.data(), 1, MPI_CHAR, comm_);
  has_met_ = true;
}

std::atomic<std::uint64_t>& LineProcesses::slot(SharedMemory::Flags* flags, int source, int target) const {
  return flags->shown[as_size(distance(source, target, size_) - 1)];
}

std::byte* LineProcesses::memory() {
  for (int target = 0; target < size_; ++target)
    while (shows_to(target) && slot(own_.flags(), rank_, target).load(std::memory_order_acquire) != 0)
      let_others_continue();
  return own_.memory();
}

const std::byte* LineProcesses::shown_by(int source) {
  const SharedMemory::Segment& segment = at(seen_, source);
  const std::uint64_t shown = slot(segment.flags, source, rank_).load(std::memory_order_acquire);
  return shown != 0 ? segment.data + (shown - 1) : nullptr;
}

void LineProcesses::let_others_continue() const {
  int found = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &found, MPI_STATUS_IGNORE);
  std::this_thread::yield();
}

}  // namespace xredist::core
