// SPDX-License-Identifier: BSD-3-Clause
// The transfers of one process, round by round.
#pragma once

#include <vector>

#include "layout/layout.hpp"
#include "route/transports.hpp"

namespace xredist::core {

/// A rectangle of the message from process p of A to process q of B, which this process sends to a peer, receives from
/// a peer, or copies, in one round.
struct Transfer {
  static constexpr Index in_array = -1;

  int peer;     ///< rank of the other process; this process's own rank for a copy
  int job = 0;  ///< index of its plan in a batch
  Transport transport = Transport::message;
  bool joins = false;  ///< shares packets with the transfer before it in the list, which has the same peer
  Coord p, q;
  Interval rows, cols;     ///< counted from 0 among those that p and q share
  Index store = in_array;  ///< offset in the store (bytes), if this process forwards the message; else A or B has it

  Index elements() const { return rows.length() * cols.length(); }
  bool forwarded() const { return store != in_array; }
};

/// The transfers of one process in one round, in the order of a schedule. A round begins on a process when the previous
/// one has ended there.
struct Round {
  std::vector<Transfer> sends, receives;
  std::vector<Transfer> copies;  ///< at most one for each job: the elements that stay on this process
};

/// Returns one of `parts` parts, into which an interval is cut as evenly as possible.
inline Interval part_of(const Interval& whole, Index part, Index parts) {
  const auto begin = [&](Index k) { return whole.begin + static_cast<Index>(Wide{whole.length()} * k / parts); };
  return {begin(part), begin(part + 1)};
}

/// Reduces a rectangle to one of `parts` panels, into which its longer side is cut.
inline void cut_longer_side(Interval& rows, Interval& cols, Index part, Index parts) {
  Interval& longer = rows.length() > cols.length() ? rows : cols;
  longer = part_of(longer, part, parts);
}

}  // namespace xredist::core
