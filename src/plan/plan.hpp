// SPDX-License-Identifier: BSD-3-Clause
// The work of one process in a redistribution, computed before anything moves.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copy/chunks.hpp"
#include "plan/packet_limits.hpp"
#include "route/grid_pair.hpp"
#include "route/route.hpp"
#include "route/transfer.hpp"
#include "settings/options.hpp"

namespace xredist::core {

/// One of the matrices A and B, as this process sees it.
struct LocalPart {
  std::optional<Coord> at{};  ///< this process's coordinates in the grid, if it is a member
  /// Rows and columns of the local array that belong to the submatrix, in elements of the matrix. The leading dimension
  /// is at least rows.end. If the columns are a product, ArrayStrides says what belongs to the subarray.
  Interval rows{}, cols{};
  bool accessed = false;  ///< whether this process reads elements of A, or writes elements of B
  RunTables runs{};       ///< of the messages that this process sends from A, or receives into B
};

/// The work of one process in a redistribution. A plan is made without communication, from arguments that are equal on
/// all processes except this process's rank. It can be executed any number of times. Its memory is in proportion to the
/// process's own transfers.
struct Plan {
  Redistribution redistribution;
  ChunkLimits limits;
  Route route{};
  std::string_view algorithm{};  ///< name of the algorithm that made the schedule
  Index steps = 0;               ///< of the schedule
  std::vector<Round> rounds{};   ///< of uncut messages; empty if the process has no part
  Index store_bytes = 0;         ///< bytes of messages that this process stores between rounds
  std::int16_t panels = 1;       ///< of an execution by itself, besides those of the route (plan/execution_panels.hpp)
  std::vector<int> peers{};      ///< ranks of the peers in all rounds, ascending
  Index max_packets = 0;         ///< upper bound in one direction and round: more slots would be idle
  Index longest_packet = 0;      ///< upper bound (bytes), unless packets have parts of several plans
  LocalPart a{}, b{};
  bool shares = false;                    ///< some transfers use shared memory
  Index threads = 1;                      ///< threads that pack, unpack or copy a chunk together
  bool permits = false;                   ///< large packets between nodes wait for permits
  Index page_bytes = default_page_bytes;  ///< as in Links
  Index window = 0;  ///< in-flight limit (bytes) for packets that need a permit, to this process and from it

  bool takes_part() const { return !peers.empty() || (!rounds.empty() && !rounds.front().copies.empty()); }
};

/// Makes the plan of one process, for the route that the options ask for or that costs less. Direct messages follow
/// the schedule of the option `algorithm`, or the default if that algorithm is not defined for this case.
/// grids: for a transposed A if the redistribution transposes A. executions: the search for a schedule may take as long
/// as it saves in so many executions. Takes nothing of the size of a grid, unless an axis has as many processes, or the
/// messages are many.
Plan plan_process(const Redistribution& redistribution, const std::shared_ptr<const GridPair>& grids,
                  const Options& options, const Links& links, double executions = 1);
/// Makes a plan as above between grids that no other plan shares. ranks_a, ranks_b: rank of each process of A's and of
/// B's grid, row-major; of A's as it is, also if A is transposed.
Plan plan_process(const Redistribution& redistribution, std::span<const int> ranks_a, std::span<const int> ranks_b,
                  int me, const Options& options, const Links& links, double executions = 1);

/// The expected number of executions of a plan that the program makes. A plan that a call of P?GEMR2D makes counts as
/// executed once, because the program did not ask for a plan.
inline constexpr double executions_of_plan = 1000;

/// Returns the number of rounds for each panel of an execution, in all panels of the route. Equal on all processes.
inline Index rounds_of(const Plan& plan) { return rounds_of_panel(plan.route) * panels_of(plan.route); }

/// Returns the bytes of a transfer of the plan, without elements outside of a trapezoid.
Index bytes_of(const Plan& plan, const Transfer& transfer);

/// Returns the bytes that the plan of a matrix takes, with those of its lists.
Index memory_of(const Plan& plan);

/// Returns a line for XREDIST_VERBOSE: what moves, by which route and why, and the work of this process. An axis of one
/// process has one block.
[[gnu::cold]] std::string description_of(const Plan& plan);

/// Returns the beginning of that line: what moves.
[[gnu::cold]] std::string case_text_of(const Plan& plan);

}  // namespace xredist::core
