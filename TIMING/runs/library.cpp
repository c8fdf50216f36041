// SPDX-License-Identifier: BSD-3-Clause
#include "runs/library.hpp"

#include "schedule/algorithm.hpp"
#include "xredist/relabel.hpp"

namespace runs {
namespace {

xredist_partition cuts_of(const std::optional<cases::Intervals>& x) {
  return x ? xredist_partition{std::ssize(x->owners), x->cuts.data(), x->owners.data()} : xredist_partition{};
}

// A matrix as the library takes it.
struct Described {
  explicit Described(const cases::Matrix& x)
      : ranks(cases::ranks_of(x)), rows(cuts_of(x.rows)), cols(cuts_of(x.cols)), layout{x.nprow,
                                                                                        x.npcol,
                                                                                        ranks.data(),
                                                                                        x.mb,
                                                                                        x.nb,
                                                                                        x.rsrc,
                                                                                        x.csrc,
                                                                                        x.rows ? &rows : nullptr,
                                                                                        x.cols ? &cols : nullptr} {}
  Described(const Described&) = delete;
  Described& operator=(const Described&) = delete;

  const std::vector<int> ranks;
  const xredist_partition rows, cols;
  const xredist_layout layout;
};

}  // namespace

Choice choice_of(const std::string& name) {
  if (name == "direct" || name == "two-hop") return {"default", name};
  return {name, name == "default" ? "by-cost" : "direct"};
}

std::vector<std::string> choices() {
  std::vector<std::string> names;
  for (const xredist::core::Algorithm& algorithm : xredist::core::algorithms()) names.emplace_back(algorithm.name);
  names.insert(names.end(), {"direct", "two-hop"});
  return names;
}

Plan plan_of(const cases::Case& c, int bytes, const std::string& choice, MPI_Comm comm) {
  const auto [algorithm, route] = choice_of(choice);
  xredist::check(xredist_set_option(comm, "algorithm", algorithm.c_str()), "xredist_set_option");
  xredist::check(xredist_set_option(comm, "route", route.c_str()), "xredist_set_option");
  const Described a(c.a), b(c.b);
  xredist_plan* plan = nullptr;
  xredist::check(xredist_plan_create(comm, c.m, c.n, bytes, &a.layout, c.a.i, c.a.j, &b.layout, c.b.i, c.b.j, &plan),
                 "xredist_plan_create");
  return {plan, xredist_plan_destroy};
}

void execute(const Plan& plan, const cases::Local& a, const cases::Local& b) {
  xredist::check(xredist_execute(plan.get(), a.data.get(), a.ld, b.data.get(), b.ld), "xredist_execute");
}

Relabelled relabelled(const cases::Case& c) {
  const Described a(c.a), b(c.b);
  xredist::Relabelled found =
      xredist::relabelled(MPI_COMM_WORLD, c.m, c.n, a.layout, c.a.i, c.a.j, b.layout, c.b.i, c.b.j);
  Relabelled result{c, found.kept, found.kept_before};
  result.c.b.ranks = std::move(found.ranks);
  return result;
}

}  // namespace runs
