// All ways to schedule a traffic, by name.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "schedule/cost.hpp"
#include "schedule/schedule.hpp"

namespace xredist {

struct Algorithm {
  std::string_view name;
  std::string_view what;
  /// Nothing where the algorithm is not defined for the traffic, or too expensive (see below).
  std::optional<Schedule> (*make)(const Traffic& traffic, const Network& network);
};

/// The first is the default.
std::span<const Algorithm> algorithms();
const Algorithm* find_algorithm(std::string_view name);

/// For 1024 processes about ten milliseconds at most. The cheapest by alpha S + beta T of optimal_schedule (of long
/// axes that are shorter than a period, one of some more steps: THEORY.md) and, while more than a tenth of the bound
/// and the work of looking can be saved, of products of schedules of each axis, quantised_schedule and split_schedule.
Schedule default_schedule(const Traffic& traffic, const Network& network);

/// Desprez et al. 1998, section 4.5. Each step is a matching of the messages that are left: stepwise,
/// the heaviest of those that include all processes with most messages left (the least number of
/// steps); greedy, the heaviest.
std::optional<Schedule> stepwise_schedule(const Traffic& traffic);
std::optional<Schedule> greedy_schedule(const Traffic& traffic);

/// Messages are cut so that the sum of the longest parts of the steps is the least possible, the most
/// elements that one process sends or receives; exactly where the matrix is a whole number of periods
/// long and messages can be cut anywhere (in two dimensions they are cut along rows or columns). Nothing
/// if edges have to be looked at more often than `most_work`.
std::optional<Schedule> split_schedule(const Traffic& traffic, Index most_work = std::numeric_limits<Index>::max());

/// Those three for graphs of at most so many nodes on a side and 2^15 edges (see graph.hpp).
inline constexpr int most_nodes_to_match = 128;

/// Messages cut into equal parts of at most `quantum` elements, the graph of the parts coloured with its
/// degree: at most T*/quantum + Delta steps. (Of a last period that is not whole, a part may have up to a
/// period's share more.) For graphs of at most so many parts.
std::optional<Schedule> quantised_schedule(const Traffic& traffic, double quantum);
inline constexpr Index most_quanta = 1 << 16;

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

}  // namespace xredist
