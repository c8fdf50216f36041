// SPDX-License-Identifier: BSD-3-Clause
// The work of one process in a redistribution, computed before anything moves.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copy/chunks.hpp"
#include "route/links.hpp"
#include "route/route.hpp"
#include "route/transfer.hpp"
#include "settings/options.hpp"

namespace xredist::core {

/// The maximum number of slots in one direction.
inline constexpr Index max_slots = 32;

/// Bytes: maximum of a packet by permit. A shallow switch can queue two of them at a port, and each is below the size
/// from which many MPIs (for instance Open MPI over TCP) negotiate with the receiver themselves.
inline constexpr Index max_permit_packet = 43'000;

/// The limits of packets and slots. Equal on all processes.
struct ChunkLimits {
  Index packet_bytes;  ///< maximum size of a packet
  int slots;           ///< maximum number of packets under way at once in either direction, at most max_slots
  Index shared_bytes;  ///< maximum size of a packet in shared memory, at most packet_bytes

  /// Returns the maximum size of a packet that travels by `transport`.
  Index of(Transport transport) const {
    if (transport == Transport::shared) return shared_bytes;
    return transport == Transport::permit && max_permit_packet < packet_bytes ? max_permit_packet : packet_bytes;
  }
};

/// Returns the limits for a plan. Each direction has half of the option `buffer`; packets in shared memory have the
/// memory that neighbours show each other, if that is less.
ChunkLimits limits_of(const Options& options, const Links& links);

/// Returns whether large packets between nodes wait for permits.
bool permits_for(const Options& options, const Links& links);

/// Returns limits that fit two plans, which may have been made under different options.
ChunkLimits common(const ChunkLimits& x, const ChunkLimits& y);

/// One of the matrices A and B, as this process sees it.
struct LocalPart {
  std::optional<Coord> at{};  ///< this process's coordinates in the grid, if it is a member
  /// Rows and columns of the local array that belong to the submatrix, in elements of the matrix. The leading dimension
  /// is at least rows.end.
  Interval rows{}, cols{};
  bool accessed = false;  ///< whether this process reads elements of A, or writes elements of B
  RunTables runs{};       ///< of the messages that this process sends from A, or receives into B
};

/// The work of one process in a redistribution. A plan is made without communication, from arguments that are equal on
/// all processes except `me`. It can be executed any number of times. Its memory is in proportion to the process's own
/// transfers.
struct Plan {
  Redistribution redistribution;
  ChunkLimits limits;
  Route route{};
  Estimates estimates{};
  std::string_view algorithm{};  ///< name of the algorithm that made the schedule
  Index steps = 0;               ///< of the schedule
  std::vector<Round> rounds{};   ///< of uncut messages; empty if the process has no part
  Index store_bytes = 0;         ///< bytes of messages that this process stores between rounds
  std::vector<int> peers{};      ///< ranks of the peers in all rounds, ascending
  Index max_packets = 0;         ///< upper bound in one direction and round: more slots would be idle
  LocalPart a{}, b{};
  bool shares = false;   ///< some transfers use shared memory
  Index threads = 1;     ///< threads that pack, unpack or copy a chunk together
  bool permits = false;  ///< large packets between nodes wait for permits
  Index window = 0;      ///< bytes by permit that may be under way at once to this process, and from it

  bool takes_part() const { return !peers.empty() || (!rounds.empty() && !rounds.front().copies.empty()); }
};

/// Makes the plan of process `me`, for the route that the options ask for or that costs less. Direct messages follow
/// the schedule of the option `algorithm`, or the default if that algorithm is not defined for this case.
/// ranks_a, ranks_b: rank of each process of A's and of B's grid, row-major; of A's as it is, also if A is transposed.
/// executions: the search for a schedule may take as long as it saves in so many executions.
Plan plan_process(const Redistribution& redistribution, std::span<const int> ranks_a, std::span<const int> ranks_b,
                  int me, const Options& options, const Links& links, double executions = 1);

/// The expected number of executions of a plan that the program makes. A plan that a call of P?GEMR2D makes counts as
/// executed once, because the program did not ask for a plan.
inline constexpr double executions_of_plan = 1000;

/// Returns the number of rounds in which a plan is carried out: all rounds for each panel. Equal on all processes.
inline Index rounds_of(const Plan& plan) { return rounds_of_panel(plan.route) * panels_of(plan.route); }

/// Returns a line for XREDIST_VERBOSE: what moves, by which route and why, and the work of this process. A trapezoid
/// counts as its rectangle. An axis of one process has one block.
std::string description_of(const Plan& plan);

/// Returns the beginning of that line: what moves.
std::string case_text_of(const Plan& plan);

}  // namespace xredist::core
