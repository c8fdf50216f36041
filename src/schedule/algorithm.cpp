#include "schedule/algorithm.hpp"

#include <algorithm>

#include "schedule/graph.hpp"

namespace xredist {
namespace {

using Made = std::optional<Schedule>;

constexpr Algorithm table[] = {
    {"default", "the cheapest of optimal, products, quantised and split",
     [](const Traffic& t, const Network& network) { return Made(default_schedule(t, network)); }},
    {"optimal", "the least number of steps (T3, colouring)",
     [](const Traffic& t, const Network&) { return Made(optimal_schedule(t)); }},
    {"stepwise", "Desprez et al.: the least number of steps, heaviest matchings",
     [](const Traffic& t, const Network&) { return stepwise_schedule(t); }},
    {"greedy", "Desprez et al.: heaviest matching each time",
     [](const Traffic& t, const Network&) { return greedy_schedule(t); }},
    {"split", "messages cut, the least total cost", [](const Traffic& t, const Network&) { return split_schedule(t); }},
    {"quantised", "messages cut into equal parts",
     [](const Traffic& t, const Network& network) {
       return quantised_schedule(t, best_quantum(*graph_of(t), network));
     }},
    {"walker-otto", "Walker & Otto: r -> Kr and Kr -> r on one grid",
     [](const Traffic& t, const Network&) { return walker_otto_schedule(t); }},
    {"caterpillar", "Prylli & Tourancheau, both ways at once",
     [](const Traffic& t, const Network&) { return Made(caterpillar_schedule(t)); }},
    {"reference", "ScaLAPACK's order, one way after the other",
     [](const Traffic& t, const Network&) { return Made(reference_schedule(t)); }},
    {"shifted", "receiver p, p + 1, ...", [](const Traffic& t, const Network&) { return Made(shifted_schedule(t)); }},
    {"rank", "receiver 0, 1, ... for all", [](const Traffic& t, const Network&) { return Made(rank_schedule(t)); }},
};

}  // namespace

std::span<const Algorithm> algorithms() { return table; }

const Algorithm* find_algorithm(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Algorithm::name);
  return found == std::end(table) ? nullptr : found;
}

}  // namespace xredist
