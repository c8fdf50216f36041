// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/contenders.hpp"
#include "settings/options.hpp"
#include "schedule/algorithm.hpp"

namespace drivers {
namespace {

// The error is ignored here, because the library itself reports a bad option.
xredist::core::Options options() {
  std::string error;
  return xredist::core::options_from_environment(error);
}

std::optional<Facts> facts_of(const Case& c, int bytes, const xredist::core::Algorithm& algorithm,
                              const xredist::core::Options& options) {
  const xredist::core::Traffic traffic = traffic_of(c);
  const std::vector<int> a = ranks_of(c.a), b = ranks_of(c.b);
  const auto schedule = algorithm.make(
      traffic, {1e-9 * static_cast<double>(options.alpha), 1e-12 * static_cast<double>(options.beta * bytes)}, {a, b});
  if (!schedule) return std::nullopt;
  Facts facts{schedule->count, std::nullopt};
  if (c.trapezoid) return facts;
  Index messages = 0;
  for (int row = 0; row < c.a.nprow; ++row)
    for (int col = 0; col < c.a.npcol; ++col)
      for (const xredist::core::Message& message : sends_of(traffic, *schedule, {row, col}))
        messages += c.a.rank_at(row, col) != c.b.rank_at(message.peer.row, message.peer.col);
  facts.messages = messages;
  return facts;
}

}  // namespace

std::optional<Facts> facts_of(const Case& c, int bytes, std::string_view algorithm) {
  return facts_of(c, bytes, *xredist::core::find_algorithm(algorithm), options());
}

Facts chosen_facts_of(const Case& c, int bytes) {
  const xredist::core::Options chosen = options();
  if (chosen.route == xredist::core::Options::two_hops) return {};
  const auto algorithms = xredist::core::algorithms();
  if (const auto facts = facts_of(c, bytes, algorithms[static_cast<std::size_t>(chosen.algorithm)], chosen))
    return *facts;
  return *facts_of(c, bytes, algorithms[0], chosen);
}

std::string_view why_undefined(std::string_view algorithm) {
  if (algorithm == "walker-otto") return "defined for one grid, and blocks that are multiples";
  if (algorithm == "quantised") return "too many parts";
  return "the grids are too large for it";
}

}  // namespace drivers
