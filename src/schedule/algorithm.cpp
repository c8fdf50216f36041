// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/algorithm.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "schedule/choose.hpp"
#include "schedule/graph.hpp"
#include "schedule/limits.hpp"
#include "schedule/split.hpp"

namespace xredist::core {
namespace {

using Result = std::optional<Schedule>;

constexpr Algorithm all_algorithms[] = {
    {"default",
     [](const Traffic& t, const Network& n, const Ranks& ranks) { return Result(default_schedule(t, n, ranks)); }},
    {"optimal",
     [](const Traffic& t, const Network&, const Ranks& ranks) { return Result(optimal_schedule(t, ranks)); }},
    {"split", [](const Traffic& t, const Network&, const Ranks& ranks) { return split_schedule(t, ranks); }},
    {"quantised",
     [](const Traffic& t, const Network& n, const Ranks& ranks) {
       if (axis_edges(t.rows) * axis_edges(t.cols) > limits::quanta) return Result();
       const auto graph = graph_of(t, ranks);
       return quantised_schedule(graph, best_quantum(*graph, n));
     }},
    {"caterpillar", [](const Traffic& t, const Network&, const Ranks&) { return Result(caterpillar_schedule(t)); }},
    {"reference", [](const Traffic& t, const Network&, const Ranks&) { return Result(reference_schedule(t)); }},
    {"shifted", [](const Traffic& t, const Network&, const Ranks&) { return Result(shifted_schedule(t)); }},
    {"rank", [](const Traffic& t, const Network&, const Ranks&) { return Result(rank_schedule(t)); }},
};

constexpr const Algorithm& row_of(AlgorithmId id) { return all_algorithms[static_cast<std::size_t>(id)]; }
static_assert(row_of(AlgorithmId::by_default).name == "default" && row_of(AlgorithmId::optimal).name == "optimal" &&
              row_of(AlgorithmId::split).name == "split" && row_of(AlgorithmId::quantised).name == "quantised" &&
              row_of(AlgorithmId::caterpillar).name == "caterpillar" &&
              row_of(AlgorithmId::reference).name == "reference" && row_of(AlgorithmId::shifted).name == "shifted" &&
              row_of(AlgorithmId::rank).name == "rank" && std::size(all_algorithms) == 8);

}  // namespace

const Algorithm& algorithm(AlgorithmId id) { return row_of(id); }

std::span<const Algorithm> algorithms() { return all_algorithms; }

const Algorithm* find_algorithm(std::string_view name) {
  const auto found = std::ranges::find(all_algorithms, name, &Algorithm::name);
  return found == std::end(all_algorithms) ? nullptr : found;
}

}  // namespace xredist::core
