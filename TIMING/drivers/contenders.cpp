#include "drivers/contenders.hpp"

#include <algorithm>
#include <cstring>

#include "runs/library.hpp"
#include "schedule/algorithm.hpp"

namespace drivers {
namespace {

constexpr std::string_view others[] = {"drop-in", "scalapack", "alltoallv"};

// Plans of the C interface, which move rectangles only.
Contender planned(const Case& c, const Stage& stage, const std::string& algorithm) {
  if (c.trapezoid) return {algorithm, "plans move rectangles only", {}, {}};
  const auto facts = facts_of(c, stage.element.bytes, algorithm);
  if (!facts) return {algorithm, std::string(why_undefined(algorithm)), {}, {}};
  const auto make = [&c, &stage, algorithm]() -> Run {
    return [&c, &stage, algorithm, plan = runs::Plan()]() mutable {
      if (!plan) plan = runs::plan_of(c, stage.element.bytes, algorithm, stage.comm());
      runs::execute(plan, stage.a, stage.b);
    };
  };
  return {algorithm, {}, *facts, make};
}

Contender contender(const Case& c, const Stage& stage, const std::string& name) {
  if (name == "drop-in") return drop_in(c, stage);
  if (name == "scalapack") return scalapack(c, stage);
  if (name == "alltoallv") return alltoallv(c, stage);
  return planned(c, stage, name);
}

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

bool known_algorithm(const std::string& name) {
  return xredist::core::find_algorithm(name) != nullptr || std::ranges::find(others, name) != std::end(others);
}

std::string names_of_algorithms() {
  std::string names;
  for (const xredist::core::Algorithm& algorithm : xredist::core::algorithms())
    names.append(algorithm.name).append(", ");
  for (const std::string_view name : others) names.append(name).append(", ");
  names.resize(names.size() - 2);
  return names;
}

std::vector<std::string> usual_algorithms() { return {"default", "drop-in", "scalapack", "alltoallv"}; }

std::vector<Contender> contenders_of(const Case& c, const Stage& stage, const std::vector<std::string>& names) {
  std::vector<Contender> all;
  for (const std::string& name : names) all.push_back(contender(c, stage, name));
  return all;
}

Contender memory_copy(const Case& c, const Stage& stage) {
  const auto make = [&c, &stage]() -> Run {
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
