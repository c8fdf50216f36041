// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/workspace_pool.hpp"

#include <new>
#include <tuple>
#include <utility>

namespace xredist::core {
namespace {

// Takes the slots of shared memory back that peers have read, or have said that they will not read.
void take_back(Workspace& workspace) {
  auto& [channel, peers] = workspace.failed;
  if (channel != nullptr) channel->hear();
  if (workspace.outgoing.awaiting() == 0) return;
  SharedMemory::Flags& flags = *workspace.shared_memory.flags();
  forget_read(workspace.outgoing, flags);
  if (channel != nullptr) forget_withdrawn({*channel, peers}, workspace.outgoing, flags);
}

}  // namespace

// MPI_Finalize may access the memory of requests that are still under way, so it is never freed.
WorkspacePool::~WorkspacePool() {
  if (!draining_.empty()) static_cast<void>(new (std::nothrow) Workspaces(std::move(draining_)));
}

WorkspacePool::Lease WorkspacePool::take(Index bytes) {
  if (single_) return std::move(single_);
  if (idle_.empty()) {
    Workspaces one;
    return one.extract(one.emplace(std::piecewise_construct, std::forward_as_tuple(0), std::forward_as_tuple()));
  }
  auto found = idle_.lower_bound(bytes);
  if (found == idle_.end()) --found;
  return idle_.extract(--idle_.upper_bound(found->first));
}

void WorkspacePool::put(Lease space) noexcept {
  Workspace& workspace = space.mapped();
  if (Channel* const channel = std::exchange(workspace.failed.channel, nullptr))
    for (const Peer& peer : workspace.failed.peers) channel->ledger().forget(peer.rank, peer.number);
  workspace.shared_memory = {};
  space.key() = workspace.capacity();
  if (!single_ && idle_.empty()) {
    single_ = std::move(space);
    return;
  }
  if (single_) idle_.insert(std::move(single_));
  idle_.insert(std::move(space));
}

void WorkspacePool::reserve(const BufferSize& size) {
  Lease space = take(size.bytes());
  try {
    space.mapped().reserve(size);
  } catch (...) {
    put(std::move(space));
    throw;
  }
  put(std::move(space));
}

void WorkspacePool::keep(Lease space) noexcept {
  if (space.mapped().idle()) return put(std::move(space));
  space.key() = ++turns_;
  draining_.insert(std::move(space));
}

void WorkspacePool::drain() {
  if (draining_.empty()) return;
  Lease space = draining_.extract(draining_.begin());
  take_back(space.mapped());
  MPI_Request none = MPI_REQUEST_NULL;
  space.mapped().requests.poll(false, none);
  keep(std::move(space));
}

void WorkspacePool::leave(const Channel& channel) {
  for (auto& [turn, space] : draining_) {
    if (space.failed.channel != &channel) continue;
    take_back(space);  // later withdrawals would have no channel
    space.failed.channel = nullptr;
  }
}

}  // namespace xredist::core
