// SPDX-License-Identifier: BSD-3-Clause
// Schedules that others published or use, for comparison. In the library only algorithm.cpp uses them.
#pragma once

#include <optional>
#include <vector>

#include "schedule/schedule.hpp"

namespace xredist::core {

/// Return the schedules of Desprez et al. 1998, section 4.5. Each step is a matching of the remaining messages:
/// stepwise takes the heaviest matching that includes all processes with most messages left (the minimum number of
/// steps); greedy takes the heaviest matching. Nothing if the traffic exceeds the limits of split_schedule.
std::optional<Schedule> stepwise_schedule(const Traffic& traffic);
std::optional<Schedule> greedy_schedule(const Traffic& traffic);

/// Returns the schedule of Walker & Otto 1996 for both axes at once, or nothing if an axis is not one of their cases:
/// the same number of processes, and one block size a multiple of the other, with blocks that begin together.
std::optional<Schedule> walker_otto_schedule(const Traffic& traffic);

/// Returns the passes over the data of their general case along an axis (section 4): one pass if walker_otto_schedule
/// applies, otherwise two, through blocks of the least common multiple; none if the general case does not apply either.
std::vector<Overlap> walker_otto_passes(const Overlap& o);

/// Returns the schedule of Prylli & Tourancheau 1996, section 3.3: in step d processes i and -i-d (modulo) exchange.
Schedule caterpillar_schedule(const Traffic& traffic);

/// Returns the caterpillar schedule as ScaLAPACK's routine runs it: in each round the lower number of a pair sends
/// first and then receives, so a round is two steps.
Schedule reference_schedule(const Traffic& traffic);

/// Returns the order in which every process sends to receiver 0 first, then to 1 ...: not a proper schedule.
Schedule rank_schedule(const Traffic& traffic);

/// Returns the order in which process p sends to p first, then to p + 1 ... (modulo).
Schedule shifted_schedule(const Traffic& traffic);

}  // namespace xredist::core
