#include "schedule/algorithm.hpp"

#include <algorithm>

#include "schedule/choose.hpp"
#include "schedule/graph.hpp"
#include "schedule/papers/papers.hpp"
#include "schedule/weighted.hpp"

namespace xredist::core {
namespace {

using Made = std::optional<Schedule>;

constexpr Algorithm table[] = {
    {"default", [](const Traffic& t, const Network& network) { return Made(default_schedule(t, network)); }},
    {"optimal", [](const Traffic& t, const Network&) { return Made(optimal_schedule(t)); }},
    {"stepwise", [](const Traffic& t, const Network&) { return stepwise_schedule(t); }},
    {"greedy", [](const Traffic& t, const Network&) { return greedy_schedule(t); }},
    {"split", [](const Traffic& t, const Network&) { return split_schedule(t); }},
    {"quantised", [](const Traffic& t,
                     const Network& network) { return quantised_schedule(t, best_quantum(*graph_of(t), network)); }},
    {"walker-otto", [](const Traffic& t, const Network&) { return walker_otto_schedule(t); }},
    {"caterpillar", [](const Traffic& t, const Network&) { return Made(caterpillar_schedule(t)); }},
    {"reference", [](const Traffic& t, const Network&) { return Made(reference_schedule(t)); }},
    {"shifted", [](const Traffic& t, const Network&) { return Made(shifted_schedule(t)); }},
    {"rank", [](const Traffic& t, const Network&) { return Made(rank_schedule(t)); }},
};

}  // namespace

std::span<const Algorithm> algorithms() { return table; }

const Algorithm* find_algorithm(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Algorithm::name);
  return found == std::end(table) ? nullptr : found;
}

}  // namespace xredist::core
