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

/// No load by permit is longer. Two of these fit what the port of a shallow switch queues, and each is below the size
/// from which many MPIs (Open MPI over TCP ...) ask the receiver by themselves, once more.
inline constexpr Index permitted_piece = 43'000;

/// A message, or part of one, to or from another process.
struct RoutedMessage {
  int rank;
  Way way;
  Coord peer;           ///< in the other grid
  Interval rows, cols;  ///< as in Message
};

/// How messages are cut: the same on all processes.
struct Cut {
  Index piece_bytes;  ///< no piece is larger
  int slots;          ///< pieces under way at once in either direction, most_slots or less
};

/// Half of the option `buffer` for each direction; within what neighbours share, where they do.
Cut cut_of(const Options& options, const Links& links);

/// Built without communication, from arguments that are equal everywhere but for `me`; holds for
/// any number of executions. What it keeps is O(own messages).
struct Plan {
  Redistribution redistribution;
  Cut cut;
  Index steps = 0;
  std::string_view algorithm{};                    ///< that made the schedule
  std::optional<Coord> in_a{}, in_b{};             ///< this process's place in either grid, if it has one
  std::vector<RoutedMessage> sends{}, receives{};  ///< in the order of the schedule, without oneself
  std::vector<int> peers{};                        ///< ranks that these are to or from, ascending, each once
  Index loads = 0;                           ///< about so many in the direction that has more: slots beyond are idle
  Index own_rows = 0, own_cols = 0;          ///< shape of the message to oneself, 0 if there is none
  Index local_rows_a = 0, local_rows_b = 0;  ///< up to the end of the submatrix, which lda and ldb cannot be below
  bool shares = false;                       ///< some of these travel through shared memory
  bool permits = false;                      ///< large loads to others than neighbours wait for permits
  Index window = 0;                          ///< bytes of loads by permit under way at once to, or from, this process

  bool reads_a() const { return own_rows > 0 || !sends.empty(); }
  bool writes_b() const { return own_rows > 0 || !receives.empty(); }
};

/// The schedule is that of the option `algorithm`, or the default where it is not defined.
/// ranks_a, ranks_b: rank of each process of A's and of B's grid, row-major.
Plan make_plan(const Redistribution& redistribution, std::span<const int> ranks_a, std::span<const int> ranks_b, int me,
               const Options& options, const Links& links);

}  // namespace xredist::core
