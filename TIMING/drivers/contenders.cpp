// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/contenders.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "runs/library.hpp"

namespace drivers {
namespace {

// Plans of the C interface, which move rectangles only. Facts are known of messages that go directly.
Contender planned(const Case& c, const Stage& stage, const std::string& name) {
  if (c.trapezoid) return {name, "plans move rectangles only", {}, {}};
  const runs::Choice choice = runs::choice_of(name);
  const auto facts = choice.route == "two-hop" ? Facts{} : facts_of(c, stage.element.bytes, choice.algorithm);
  if (!facts) return {name, std::string(why_undefined(choice.algorithm)), {}, {}};
  const auto make = [&c, &stage, name]() -> Call {
    return [&c, &stage, name, plan = runs::Plan()]() mutable {
      if (!plan) plan = runs::plan_of(c, stage.element.bytes, name, stage.comm());
      runs::execute(plan, stage.a, stage.b);
    };
  };
  return {name, {}, *facts, make};
}

constexpr struct {
  std::string_view name;
  Contender (*make)(const Case&, const Stage&);
} without_plan[] = {{"drop-in", drop_in}, {"scalapack", scalapack}, {"alltoallv", alltoallv}};

Index bytes_received(const Case& c, const Stage& stage) {
  const xredist::core::Region region = region_of(c);
  Index elements = 0;
  for (const Index j : stage.b.cols) {
    if (j < 0 || j >= c.n) continue;
    const xredist::core::Interval moved = rows_of(region, j, c.m);
    elements += std::ranges::lower_bound(stage.b.rows, moved.end) - std::ranges::lower_bound(stage.b.rows, moved.begin);
  }
  return elements * stage.element.bytes;
}

}  // namespace

std::vector<std::string> known_algorithms() {
  std::vector<std::string> names = runs::choices();
  for (const auto& other : without_plan) names.emplace_back(other.name);
  return names;
}

std::vector<std::string> usual_algorithms() { return {"default", "drop-in", "scalapack", "alltoallv"}; }

std::vector<Contender> contenders_of(const Case& c, const Stage& stage, const std::vector<std::string>& names) {
  std::vector<Contender> all;
  for (const std::string& name : names) {
    const auto* const other = std::ranges::find(without_plan, name, [](const auto& x) { return x.name; });
    all.push_back(other != std::end(without_plan) ? other->make(c, stage) : planned(c, stage, name));
  }
  return all;
}

Contender memory_copy(const Case& c, const Stage& stage) {
  const auto make = [&c, &stage]() -> Call {
    const auto bytes = static_cast<std::size_t>(bytes_received(c, stage));
    const auto from = std::make_shared<std::vector<std::byte>>(bytes),
               to = std::make_shared<std::vector<std::byte>>(bytes);
    return [from, to] {
      if (!from->empty()) std::memcpy(to->data(), from->data(), from->size());
    };
  };
  return {"memcpy", {}, {}, make};
}

}  // namespace drivers
