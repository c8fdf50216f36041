#include "planned.hpp"

#include "xredist/xredist.hpp"

namespace drivers {
namespace {

using Plan = std::shared_ptr<xredist_plan>;

Plan make_plan(const Case& c, const Stage& stage, const std::string& algorithm) {
  const std::vector<int> ranks_a = ranks_of(c.a), ranks_b = ranks_of(c.b);
  const xredist_layout a{c.a.nprow, c.a.npcol, ranks_a.data(), c.a.mb, c.a.nb, c.a.rsrc, c.a.csrc};
  const xredist_layout b{c.b.nprow, c.b.npcol, ranks_b.data(), c.b.mb, c.b.nb, c.b.rsrc, c.b.csrc};
  xredist::check(xredist_set_option(stage.comm(), "algorithm", algorithm.c_str()), "xredist_set_option");
  xredist_plan* plan = nullptr;
  xredist::check(
      xredist_plan_create(stage.comm(), c.m, c.n, stage.element.bytes, &a, c.a.i, c.a.j, &b, c.b.i, c.b.j, &plan),
      "xredist_plan_create");
  return {plan, xredist_plan_destroy};
}

}  // namespace

Contender planned(const Case& c, const Stage& stage, const std::string& algorithm) {
  if (c.trapezoid) return {algorithm, "plans move rectangles only", {}, {}};
  const auto facts = facts_of(c, stage.element.bytes, algorithm);
  if (!facts) return {algorithm, std::string(why_undefined(algorithm)), {}, {}};
  const auto make = [&c, &stage, algorithm]() -> Run {
    return [&c, &stage, algorithm, plan = Plan()]() mutable {
      if (!plan) plan = make_plan(c, stage, algorithm);
      xredist::check(xredist_execute(plan.get(), stage.a.data.get(), stage.a.ld, stage.b.data.get(), stage.b.ld),
                     "xredist_execute");
    };
  };
  return {algorithm, {}, *facts, make};
}

}  // namespace drivers
