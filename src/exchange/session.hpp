// SPDX-License-Identifier: BSD-3-Clause
// An exchange under way: the packets and the copies of one round after the other.
#pragma once

#include <span>
#include <vector>

#include "exchange/local_copy.hpp"
#include "exchange/packet_buffers.hpp"
#include "exchange/receiver.hpp"
#include "exchange/sender.hpp"
#include "exchange/waiting.hpp"
#include "exchange/wire.hpp"
#include "exchange/workspace_pool.hpp"

namespace xredist::core {

/// Carries out a batch in a workspace, which the session owns. After close(), a session does not access the jobs of the
/// batch any more.
class Session {
 public:
  /// Reserves memory in the workspace. Batch and peers (by rank) outlive the session. Throws OutOfMemory.
  Session(WorkspacePool::Lease space, Channel& channel, const Batch& batch, std::vector<Peer>& peers,
          const BufferSize& size);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Starts the first round. If this throws, the session has to be closed.
  void open() {
    if (batch_.consumes) [[unlikely]]
      list_consumptions();
    open_round(0);
  }
  /// Does all work that is possible now. `wait`: waits until there is some. Returns whether all rounds have ended.
  /// Throws Disagreement.
  bool progress(bool wait);
  /// Returns whether a member of the batch is complete on this process.
  bool completed(int member) const;
  /// Sends packets for which no slot is free (Sender).
  void hand_over() { sender_.hand_over(channel_.options().buffer / 2); }

  /// Returns what has travelled, and for whom the exchange waits. Allocates. Enumerates all packets of this round and
  /// of earlier ones.
  Waiting waiting() const;

  /// Stops. From now on, plans and arrays are not accessed.
  void close();
  /// Returns the workspace. It takes the peers if requests are still under way, or if processes have withdrawn.
  WorkspacePool::Lease end() && noexcept;

 private:
  [[gnu::cold]] void list_consumptions();
  void open_round(Index round);
  // Returns the current round.
  const Round& round() const;
  [[gnu::cold]] void merge();
  bool copy_packet();
  std::span<const Requests::Event> poll_with_flags(bool wait);
  bool end_panel();

  WorkspacePool::Lease lease_;
  Workspace& space_;
  Channel& channel_;
  const Batch& batch_;
  std::vector<Peer>& peers_;
  const Wire wire_;
  const Buffers buffers_;
  Receiver receiver_;
  Sender sender_;
  LocalCopy copies_;
  Index round_ = 0;
  unsigned polls_ = 0;
};

}  // namespace xredist::core
