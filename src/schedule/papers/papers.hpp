// SPDX-License-Identifier: BSD-3-Clause
// Schedules that others published or use, for comparison: nothing but algorithm.cpp needs them.
#pragma once

#include <optional>
#include <vector>

#include "schedule/schedule.hpp"

namespace xredist::core {

/// Desprez et al. 1998, section 4.5. Each step is a matching of the messages that are left: stepwise,
/// the heaviest of those that include all processes with most messages left (the least number of
/// steps); greedy, the heaviest.
std::optional<Schedule> stepwise_schedule(const Traffic& traffic);
std::optional<Schedule> greedy_schedule(const Traffic& traffic);

/// Walker & Otto 1996: on each axis the same processes and one block size a multiple of the other,
/// with blocks that begin together; both axes at once, each receiver slot by slot.
std::optional<Schedule> walker_otto_schedule(const Traffic& traffic);

/// Their general case (section 4): through blocks of the least common multiple, in two passes over the
/// data. The passes to make along an axis, one if it can be done at once; none if they cannot do it.
std::vector<Overlap> walker_otto_passes(const Overlap& o);

/// Prylli & Tourancheau 1996, section 3.3: at step d processes i and -i-d, modulo all, exchange.
Schedule caterpillar_schedule(const Traffic& traffic);

/// The same as ScaLAPACK's routine runs it: in each round the lower number of a pair sends first and
/// receives then, so that a round is two steps.
Schedule reference_schedule(const Traffic& traffic);

/// Everybody sends to receiver 0 first, then to 1 ...: no proper schedule.
Schedule rank_schedule(const Traffic& traffic);

/// Process p sends to p first, then to p + 1 ..., modulo all.
Schedule shifted_schedule(const Traffic& traffic);

}  // namespace xredist::core
