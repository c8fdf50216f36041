// What one process does in a redistribution, worked out before anything moves.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "plan/links.hpp"
#include "plan/options.hpp"
#include "plan/pieces.hpp"

namespace xredist::core {

inline constexpr Index most_slots = 32;

/// The greatest length of a load by permit, in bytes. A shallow switch can queue two of them at a port, and each is
/// below the size from which many MPIs (for instance Open MPI over TCP) ask the receiver once more by themselves.
inline constexpr Index permitted_piece = 43'000;

/// A message, or a part of one, to or from another process.
struct RoutedMessage {
  int rank;
  Way way;
  Coord peer;           ///< in the other grid
  Interval rows, cols;  ///< as in Message
};

/// How messages are cut. Equal on all processes.
struct Cut {
  Index piece_bytes;  ///< the greatest size of a piece
  int slots;          ///< pieces under way at once in either direction, most_slots or less
};

/// Each direction has half of the option `buffer`, or what neighbours share if that is less.
Cut cut_of(const Options& options, const Links& links);

/// Made without communication, from arguments that are equal on all processes but for `me`, and used any number of
/// times. It needs memory in proportion to the process's own messages.
struct Plan {
  Redistribution redistribution;
  Cut cut;
  Index steps = 0;
  std::string_view algorithm{};                    ///< its name: the one that made the schedule
  std::optional<Coord> in_a{}, in_b{};             ///< this process's coordinates in either grid, if it is a member
  std::vector<RoutedMessage> sends{}, receives{};  ///< in the order of the schedule, without the message to itself
  RunTables send_runs{}, receive_runs{};           ///< of these and of the message to itself
  std::vector<int> peers{};                        ///< ranks of their receivers and senders, ascending, each once
  Index loads = 0;                                 ///< no direction has more of them, so further slots would be idle
  Index own_rows = 0, own_cols = 0;                ///< shape of the message to oneself, 0 if there is none
  Index local_rows_a = 0, local_rows_b = 0;  ///< up to the end of the submatrix: lda and ldb are at least as large
  bool shares = false;                       ///< some messages travel through shared memory
  bool permits = false;                      ///< large loads between nodes wait for permits
  Index window = 0;  ///< bytes by permit that may be under way at once to this process, and from it

  bool reads_a() const { return own_rows > 0 || !sends.empty(); }
  bool writes_b() const { return own_rows > 0 || !receives.empty(); }
};

/// Takes the schedule of the option `algorithm`, or the default if that algorithm is not defined for this case.
/// ranks_a, ranks_b: rank of each process of A's and of B's grid, row-major.
Plan make_plan(const Redistribution& redistribution, std::span<const int> ranks_a, std::span<const int> ranks_b, int me,
               const Options& options, const Links& links);

}  // namespace xredist::core
