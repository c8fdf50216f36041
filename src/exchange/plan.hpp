// What one process does in a redistribution, worked out before anything moves.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "exchange/channel.hpp"
#include "exchange/pieces.hpp"

namespace xredist {

inline constexpr Index most_slots = 32;

/// How a message travels: exchange.cpp.
enum class Way { plain, shared, guarded };

/// No guarded load is longer. Two of these fit what the port of a shallow switch queues, and each is below the size
/// from which many MPIs (Open MPI over TCP ...) ask the receiver by themselves, once more.
inline constexpr Index guarded_piece = 43'000;

/// A message, or part of one, to or from another process.
struct Transfer {
  int rank;
  Way way;
  Coord peer;  ///< in the other grid
  Interval rows, cols;  ///< as in Message
};

/// Built without communication, from arguments that are equal everywhere but for `me`; holds for
/// any number of executions. What it keeps is O(own messages).
struct Plan {
  Matter matter;
  Index steps;
  std::string_view algorithm;             ///< that made the schedule
  std::optional<Coord> in_a, in_b;        ///< this process's place in either grid, if it has one
  std::vector<Transfer> sends, receives;  ///< in the order of the schedule, without oneself
  Index own_rows, own_cols;               ///< shape of the message to oneself, 0 if there is none
  Index piece_bytes;  ///< no piece is larger
  int slots;          ///< pieces under way at once in either direction, most_slots or less

  bool reads_a() const { return own_rows > 0 || !sends.empty(); }
  bool writes_b() const { return own_rows > 0 || !receives.empty(); }
};

/// By the channel's options. The schedule is that of the option `algorithm`, or the default where it is not defined.
/// ranks_a, ranks_b: rank of each process of A's and of B's grid, row-major.
Plan make_plan(const Matter& matter, std::span<const int> ranks_a, std::span<const int> ranks_b,
               const Channel& channel);

}  // namespace xredist
