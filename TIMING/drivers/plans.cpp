// SPDX-License-Identifier: BSD-3-Clause
#include <numeric>

#include "drivers/contender.hpp"
#include "mapping/assignment.hpp"
#include "papers/kalns_ni.hpp"
#include "schedule/algorithm.hpp"
#include "settings/options.hpp"
#include "xredist/relabel.hpp"

namespace drivers {
namespace {

namespace core = xredist::core;

xredist_partition partition_of(const std::optional<Partition>& x) {
  return x ? xredist_partition{std::ssize(x->owners), x->cuts.data(), x->owners.data()} : xredist_partition{};
}

// A matrix in the form of the C interface.
struct Described {
  explicit Described(const Matrix& x)
      : ranks(ranks_of(x)),
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

xredist_operation copy_of(const Case& c, int bytes) {
  return {.m = c.m, .n = c.n, .ia = c.a.i, .ja = c.a.j, .ib = c.b.i, .jb = c.b.j, .bytes = bytes};
}

// Returns whether an algorithm has a schedule for the case. Otherwise the library would use its default, under a wrong
// name. Only rank 0 tries, because a simulation would pay for the attempts of a thousand processes.
bool defined(const core::Algorithm& algorithm, const Stage& stage) {
  int rank = 0;
  MPI_Comm_rank(stage.comm(), &rank);
  int found = rank == 0 && algorithm.make(traffic_of(stage.c), {2e-6, 8e-10}, {}).has_value();
  MPI_Bcast(&found, 1, MPI_INT, 0, stage.comm());
  return found != 0;
}

Plan plan_of(const Stage& stage, const Choice& choice) {
  xredist::check(xredist_set_option(stage.comm(), "algorithm", choice.algorithm.c_str()));
  xredist::check(xredist_set_option(stage.comm(), "route", choice.route.c_str()));
  const Described a(stage.c.a), b(stage.c.b);
  xredist_plan* plan = nullptr;
  const xredist_operation copy = copy_of(stage.c, stage.element.bytes);
  xredist::check(xredist_plan_create(stage.comm(), &a.layout, &b.layout, &copy, &plan));
  return {plan, xredist_plan_destroy};
}

xredist_job job_of(const Plan& plan, const Stage& stage) {
  return {plan.get(), stage.a.data.get(), stage.a.ld, stage.b.data.get(), stage.b.ld};
}

void execute(const Plan& plan, const Stage& stage) {
  const xredist_job job = job_of(plan, stage);
  xredist::check(xredist_execute(&job));
}

std::string description_of(const Plan& plan) {
  std::string text(2048, '\0');
  xredist::check(xredist_plan_describe(plan.get(), text.data(), text.size()));
  return text;
}

void tune(const Plan& plan, const Stage& stage) {
  const xredist_job job = job_of(plan, stage);
  xredist::check(xredist_plan_tune(plan.get(), &job));
}

xredist_plan_info info_of(const Plan& plan) {
  xredist_plan_info info{};
  xredist::check(xredist_plan_query(plan.get(), &info));
  return info;
}

}  // namespace

std::optional<Choice> choice_of(const std::string& name) {
  if (name == "tuned") return Choice{"default", "by-cost", true};
  if (core::find_algorithm(name) != nullptr) return Choice{name, name == "default" ? "by-cost" : "direct"};
  core::Options options;
  if (!core::set_option(options, "route", name).empty()) return std::nullopt;
  return Choice{"default", name};
}

Contender planned(const Stage& stage, const std::string& name) {
  if (stage.c.trapezoid) return {name, "plans move rectangles only"};
  const Choice choice = choice_of(name).value();
  if (!defined(*core::find_algorithm(choice.algorithm), stage))
    return {name, name == "quantised" ? "too many parts" : "the grids are too large for it"};
  return {name, {}, [&stage, choice]() -> Call {
            const Plan plan = plan_of(stage, choice);
            if (choice.tuned) tune(plan, stage);
            return {[&stage, plan] { execute(plan, stage); }, plan};
          }};
}

std::string route_of(const Plan& plan) {
  if (info_of(plan).rounds == 1) return "direct";
  const std::string text = description_of(plan), before = " steps (";
  const std::size_t begin = text.find(before) + before.size();
  return text.substr(begin, text.find(' ', begin) - begin);
}

std::optional<Index> steps_of(const Plan& plan) {
  const xredist_plan_info info = info_of(plan);
  return info.rounds == 1 ? std::optional<Index>(info.steps) : std::nullopt;
}

Relabelled relabelled(const Case& c) {
  const Described a(c.a), b(c.b);
  xredist::Relabelled found = xredist::relabelled(MPI_COMM_WORLD, a.layout, b.layout, copy_of(c, 0));
  Relabelled result{c, found.kept, found.kept_before};
  result.c.b.ranks = std::move(found.ranks);
  return result;
}

std::variant<Relabelled, std::string> relabelled_by_kalns_ni(const Case& c, const Relabelled& best) {
  const core::Layout a = layout_of(c.a), b = layout_of(c.b);
  const papers::MapOrReason found = papers::kalns_ni(a, b, c.m, c.n);
  if (const auto* reason = std::get_if<std::string>(&found)) return *reason;
  const auto& map = std::get<std::vector<int>>(found);
  core::Available all{map, static_cast<int>(std::ssize(map))};
  std::iota(all.at_a.begin(), all.at_a.end(), 0);
  Relabelled result{c, retained_elements(core::Volumes(a, b, c.m, c.n), all, map) / static_cast<double>(c.m * c.n),
                    best.kept_before};
  result.c.b.ranks.clear();
  for (const int position : map) result.c.b.ranks.push_back(c.a.rank_at(position / c.a.npcol, position % c.a.npcol));
  return result;
}

}  // namespace drivers
