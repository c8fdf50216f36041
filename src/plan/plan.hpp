// SPDX-License-Identifier: BSD-3-Clause
// What one process does in a redistribution, worked out before anything moves.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "plan/links.hpp"
#include "plan/options.hpp"
#include "plan/pieces.hpp"
#include "plan/route.hpp"

namespace xredist::core {

inline constexpr Index most_slots = 32;

/// The greatest length of a load by permit, in bytes. A shallow switch can queue two of them at a port, and each is
/// below the size from which many MPIs (for instance Open MPI over TCP) ask the receiver once more by themselves.
inline constexpr Index permitted_piece = 43'000;

/// The message from p of A to q of B, or a part of it, on its way to or from another process: to q, from p, or in two
/// hops to or from the process that forwards it.
struct RoutedMessage {
  static constexpr Index not_stored = -1;

  int rank;  ///< of the other process
  Way way;
  Coord p, q;
  Interval rows, cols;        ///< as in Message
  Index stored = not_stored;  ///< where this process keeps it between two hops, in bytes
};

/// The part of a message that travels in one panel of so many: the longer side is cut.
struct Panel {
  Interval rows, cols;
  Index elements() const { return (rows.end - rows.begin) * (cols.end - cols.begin); }
};
Panel panel_of(const RoutedMessage& message, Index panel, Index panels);
/// Elements of the largest.
Index largest_panel(const RoutedMessage& message, Index panels);

/// What a process sends and receives, in the order of the schedule, without its message to itself.
struct Hop {
  std::vector<RoutedMessage> sends, receives;
};

/// How messages are cut. Equal on all processes, but for what each stores.
struct Cut {
  Index piece_bytes;   ///< the greatest size of a piece
  int slots;           ///< pieces under way at once in either direction, most_slots or less
  Index shared_bytes;  ///< the greatest size of a piece in shared memory, at most piece_bytes
  Index stored = 0;    ///< bytes of messages between two hops

  /// The greatest size of a load that travels in this way.
  Index limit(Way way) const {
    if (way == Way::shared) return shared_bytes;
    return way == Way::by_permit && permitted_piece < piece_bytes ? permitted_piece : piece_bytes;
  }
};

/// Each direction has half of the option `buffer`; pieces in shared memory, what neighbours share if that is less.
Cut cut_of(const Options& options, const Links& links);

/// Made without communication, from arguments that are equal on all processes but for `me`, and used any number of
/// times. It needs memory in proportion to the process's own messages.
struct Plan {
  Redistribution redistribution;
  Cut cut;
  Index steps = 0;                           ///< of messages to others where own ones were left out (THEORY.md, T32)
  std::string_view algorithm{};              ///< its name: the one that made the schedule
  std::optional<Coord> in_a{}, in_b{};       ///< this process's coordinates in either grid, if it is a member
  RouteCosts route{};                        ///< why messages travel in so many hops
  std::vector<Hop> hops{};                   ///< one, or two: the second begins when the first has ended
  RunTables send_runs{}, receive_runs{};     ///< of this process's messages from A and to B
  std::vector<int> peers{};                  ///< ranks of the others in all hops, ascending, each once
  Index loads = 0;                           ///< no direction has more of them, so further slots would be idle
  Index own_rows = 0, own_cols = 0;          ///< shape of the message to oneself, 0 if there is none
  Index local_rows_a = 0, local_rows_b = 0;  ///< up to the end of the submatrix: lda and ldb are at least as large
  bool shares = false;                       ///< some messages travel through shared memory
  bool permits = false;                      ///< large loads between nodes wait for permits
  Index threads = 1;                         ///< that pack, unpack or copy a piece together
  Index window = 0;  ///< bytes by permit that may be under way at once to this process, and from it
  bool reads_a = false, writes_b = false;  ///< this process has elements that move, or gets some

  bool takes_part() const { return own_rows > 0 || !peers.empty(); }
};

/// Takes the route that the options or the costs say, and for messages that travel directly the schedule of the option
/// `algorithm`, or the default if that algorithm is not defined for this case.
/// ranks_a, ranks_b: rank of each process of A's and of B's grid, row-major; of A's as it is, also if A is transposed.
Plan make_plan(const Redistribution& redistribution, std::span<const int> ranks_a, std::span<const int> ranks_b, int me,
               const Options& options, const Links& links);

}  // namespace xredist::core
