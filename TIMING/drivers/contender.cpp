// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/contender.hpp"

#include "schedule/algorithm.hpp"
#include "xredist/relabel.hpp"

namespace runs {
namespace {

namespace core = xredist::core;

xredist_partition partition_of(const std::optional<cases::Partition>& x) {
  return x ? xredist_partition{std::ssize(x->owners), x->cuts.data(), x->owners.data()} : xredist_partition{};
}

// A matrix in the form of the C interface.
struct Described {
  explicit Described(const cases::Matrix& x)
      : ranks(cases::ranks_of(x)),
        rows(partition_of(x.rows)),
        cols(partition_of(x.cols)),
        layout{.nprow = x.nprow,
               .npcol = x.npcol,
               .mb = x.mb,
               .nb = x.nb,
               .rsrc = x.rsrc,
               .csrc = x.csrc,
               .ranks = ranks.data(),
               .rows = x.rows ? &rows : nullptr,
               .cols = x.cols ? &cols : nullptr} {}
  Described(const Described&) = delete;
  Described& operator=(const Described&) = delete;

  const std::vector<int> ranks;
  const xredist_partition rows, cols;
  const xredist_layout layout;
};

xredist_operation copy_of(const cases::Case& c, int bytes) {
  return {.m = c.m, .n = c.n, .ia = c.a.i, .ja = c.a.j, .ib = c.b.i, .jb = c.b.j, .bytes = bytes};
}

std::string why_undefined(const std::string& algorithm) {
  if (algorithm == "quantised") return "too many parts";
  return "the grids are too large for it";
}

// Returns whether an algorithm has a schedule for the case. Otherwise the library would use its default, under a wrong
// name. Only rank 0 tries, because a simulation would pay for the attempts of a thousand processes.
bool defined(const core::Algorithm& algorithm, const cases::Case& c, MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  int found = rank == 0 && algorithm.make(traffic_of(c), {2e-6, 8e-10}, {}).has_value();
  MPI_Bcast(&found, 1, MPI_INT, 0, comm);
  return found != 0;
}

}  // namespace

Choice choice_of(const std::string& name) {
  const bool radices = !name.empty() && name.front() >= '0' && name.front() <= '9';
  if (radices || name == "direct" || name == "two-hop" || name == "striped") return {"default", name};
  return {name, name == "default" ? "by-cost" : "direct"};
}

std::vector<std::string> choices() {
  std::vector<std::string> names;
  for (const core::Algorithm& algorithm : core::algorithms()) names.emplace_back(algorithm.name);
  names.insert(names.end(), {"direct", "two-hop", "striped"});
  return names;
}

Plan plan_of(const cases::Case& c, int bytes, const std::string& choice, MPI_Comm comm) {
  const auto [algorithm, route] = choice_of(choice);
  xredist::check(xredist_set_option(comm, "algorithm", algorithm.c_str()));
  xredist::check(xredist_set_option(comm, "route", route.c_str()));
  const Described a(c.a), b(c.b);
  xredist_plan* plan = nullptr;
  const xredist_operation copy = copy_of(c, bytes);
  xredist::check(xredist_plan_create(comm, &a.layout, &b.layout, &copy, &plan));
  return {plan, xredist_plan_destroy};
}

std::string route_text(const cases::Case& c, int bytes, const std::string& choice) {
  const Plan plan = plan_of(c, bytes, choice);
  xredist_plan_info info{};
  xredist::check(xredist_plan_query(plan.get(), &info));
  if (info.rounds == 1) return "direct";
  std::string text(512, '\0');
  xredist::check(xredist_plan_describe(plan.get(), text.data(), text.size()));
  const std::string before = " steps (";
  const std::size_t begin = text.find(before) + before.size();
  return text.substr(begin, text.find(' ', begin) - begin);
}

void execute(const Plan& plan, const cases::Local& a, const cases::Local& b) {
  const xredist_job job{plan.get(), a.data.get(), a.ld, b.data.get(), b.ld};
  xredist::check(xredist_execute(&job));
}

Contender planned(const std::string& choice, const cases::Case& c, int bytes, const cases::Local& a,
                  const cases::Local& b, MPI_Comm comm) {
  if (c.trapezoid) return {choice, "plans move rectangles only"};
  const std::string algorithm = choice_of(choice).algorithm;
  if (!defined(*core::find_algorithm(algorithm), c, comm)) return {choice, why_undefined(algorithm)};
  const auto make = [=, &c, &a, &b]() -> Call {
    return [&a, &b, plan = plan_of(c, bytes, choice, comm)] { execute(plan, a, b); };
  };
  return {choice, {}, {}, make};
}

Relabelled relabelled(const cases::Case& c) {
  const Described a(c.a), b(c.b);
  xredist::Relabelled found = xredist::relabelled(MPI_COMM_WORLD, a.layout, b.layout, copy_of(c, 0));
  Relabelled result{c, found.kept, found.kept_before};
  result.c.b.ranks = std::move(found.ranks);
  return result;
}

}  // namespace runs
