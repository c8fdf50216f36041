// SPDX-License-Identifier: BSD-3-Clause
// What has travelled in an exchange, and for whom the exchange waits: the answer to a question of the watch.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "exchange/slots.hpp"
#include "exchange/wire.hpp"

namespace xredist::core {

/// Whether a message of this exchange has come from a process. MPI may send a message without the receiver, so a
/// message that has left says nothing.
enum class Heard { no, perhaps, yes };

/// What another process owes this one.
struct Missing {
  int rank;                 ///< in the channel
  int world_rank;           ///< -1: not known
  Index number = 1;         ///< of this exchange among those of the two processes, from 1
  Index packets = 0;        ///< to this process
  bool permit = false;      ///< to send a packet
  bool answer = false;      ///< that a packet in shared memory has been read
  bool acceptance = false;  ///< of a packet that has been sent
  Heard heard = Heard::no;
};

/// An exchange under way.
struct Waiting {
  Index round = 0, rounds = 0;                                ///< from 1
  Index sent = 0, to_send = 0, received = 0, to_receive = 0;  ///< packets of the round
  Index copies = 0;                                           ///< that this process has not ended
  std::vector<Missing> missing{};                             ///< those first that have not been heard of
};

/// Finds for whom an exchange waits.
class WaitingFor {
 public:
  WaitingFor(const Channel& channel, const Wire& wire) : channel_(channel), wire_(wire) {}

  /// Adds the packets that have come in an earlier round.
  void add_earlier(PacketCursor received);
  /// Adds the packets of a round: all of them, and those that are in slots or have no slot yet.
  void add_incoming(PacketCursor all, const Slots& slots);
  /// `handed_over`: packets on their way without slots. `answered`: all packets in shared memory that have left their
  /// slots have been read.
  void add_outgoing(PacketCursor all, const Slots& slots, Index handed_over, bool answered);
  /// Returns the state, complete.
  Waiting sorted() &&;

  Waiting state;

 private:
  Missing& by(int rank);

  const Channel& channel_;
  const Wire& wire_;
  std::map<int, Missing> by_rank_;
  std::map<int, Heard> heard_;  // by rank; absent: no
};

/// Returns "exchange, round 1 of 2: 3 of 4 packets sent, 1 of 4 received; waits for rank 3 (3 packets; not heard of)".
[[gnu::cold]] std::string text_of(const Waiting& waiting);

}  // namespace xredist::core
