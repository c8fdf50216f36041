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

/// What another process owes this one.
struct Missing {
  int rank;         ///< in the channel
  int world_rank;   ///< -1: not known
  Index packets;    ///< to this process
  bool permit;      ///< to send a packet
  bool answer;      ///< that a packet in shared memory has been read
  bool acceptance;  ///< of a packet that has been sent
  Index heard;      ///< messages of this exchange have come (0), of the last but so many (1 ...), or none ever (-1)
};

/// An exchange under way.
struct Waiting {
  Index round = 0, rounds = 0;                                ///< from 1
  Index sent = 0, to_send = 0, received = 0, to_receive = 0;  ///< packets of the round
  Index copies = 0;                                           ///< that this process has not ended
  std::vector<Missing> missing{};                             ///< those of whom least is known first
};

/// Finds for whom an exchange waits.
class WaitingFor {
 public:
  WaitingFor(const Channel& channel, const Wire& wire) : channel_(channel), wire_(wire) {}

  /// Adds the packets of a round: all of them, and those that are in slots or have no slot yet.
  void add_incoming(Packets all, const Slots& slots);
  /// `handed_over`: packets on their way without slots.
  void add_outgoing(Packets all, const Slots& slots, Index handed_over);
  /// Returns the state, complete.
  Waiting sorted() &&;

  Waiting state;

 private:
  Missing& by(int rank);

  const Channel& channel_;
  const Wire& wire_;
  std::map<int, Missing> by_rank_;
};

/// Returns "exchange, round 1 of 2: 3 of 4 packets sent, 1 of 4 received; waits for rank 3 (3 packets; not heard of)".
std::string text_of(const Waiting& waiting);

}  // namespace xredist::core
