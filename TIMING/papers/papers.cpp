// SPDX-License-Identifier: BSD-3-Clause
#include "papers/papers.hpp"

#include <algorithm>

#include "papers/desprez.hpp"
#include "papers/walker_otto.hpp"

namespace papers {
namespace {

// Makes a function of the traffic alone an algorithm.
template <auto schedule>
std::optional<core::Schedule> made(const core::Traffic& traffic, const core::Network&, const core::Ranks&) {
  return schedule(traffic);
}

constexpr core::Algorithm table[] = {
    {"stepwise", made<stepwise>},       {"greedy", made<greedy>},       {"by-class", made<by_class>},
    {"walker-otto", made<walker_otto>}, {"wo-simple", made<wo_simple>}, {"wo-random", made<wo_random>},
};

}  // namespace

std::span<const core::Algorithm> schedules() { return table; }

const core::Algorithm* find(std::string_view name) {
  if (const core::Algorithm* const own = core::find_algorithm(name)) return own;
  const auto found = std::ranges::find(table, name, &core::Algorithm::name);
  return found == std::end(table) ? nullptr : found;
}

bool is_proper(std::string_view name) { return name != "rank" && name != "wo-simple" && name != "wo-random"; }

std::string_view why_undefined(std::string_view name, const core::Traffic& traffic) {
  if (name == "stepwise" || name == "greedy") return "more than 128 processes before or after";
  if (name == "by-class") return why_no_classes(traffic);
  if (name == "walker-otto" || name == "wo-simple" || name == "wo-random") return why_no_growth(traffic);
  return "too many messages or parts";
}

}  // namespace papers
