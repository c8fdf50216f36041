// SPDX-License-Identifier: BSD-3-Clause
#include "api/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <optional>
#include <set>
#include <utility>

#include "report/report.hpp"
#include "settings/decimals.hpp"
#include "settings/log.hpp"
#include "tune/results.hpp"

namespace xredist::core {
namespace {

static_assert(std::tuple_size_v<Trials::Times> <= max_reduced);

std::vector<int> members_of(std::span<const int> ranks_a, std::span<const int> ranks_b) {
  std::vector<int> ranks(ranks_a.begin(), ranks_a.end());
  ranks.insert(ranks.end(), ranks_b.begin(), ranks_b.end());
  std::ranges::sort(ranks);
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks;
}

SharedPlans planned(const Tunable& plan, const Channel& channel, const Options& options) {
  Plans parts;
  for (const Plan& part : *plan.modelled)
    parts.push_back(plan_process(part.redistribution, plan.ranks_a, plan.ranks_b, channel.rank(), options,
                                 channel.links(), plan.executions));
  return std::make_shared<const Plans>(std::move(parts));
}

std::string signature(const Plans& parts) {
  std::string text;
  for (const Plan& part : parts) text += signature_of(part) + ";";
  return text;
}

const char* name_of(const std::string& settings) { return settings.empty() ? "as modelled" : settings.c_str(); }

}  // namespace

void Timed::end() const { tuning->trials_.record(turn, MPI_Wtime() - start); }

void Closing::start() {
  Maximum& maximum = *tuning->agreement_;
  maximum.start(tuning->trials_.times());
  agreement = maximum.number();
}

void Closing::refuse() const { tuning->agreement_->refuse(); }

// The next agreement may be under way when the program waits for this execution.
bool Closing::agreed() const {
  const std::shared_ptr<Maximum>& maximum = tuning->agreement_;
  return !maximum || maximum->number() != agreement || !maximum->under_way();
}

void Execution::start_agreement() {
  if (auto* closing = std::get_if<Closing>(&part)) closing->start();
}

void Execution::refuse() const {
  if (const auto* closing = std::get_if<Closing>(&part)) closing->refuse();
}

bool Execution::agreed() const {
  const auto* closing = std::get_if<Closing>(&part);
  return closing == nullptr || closing->agreed();
}

void Execution::end() {
  if (const auto* timed = std::get_if<Timed>(&part)) {
    timed->end();
    part = Untimed{};
  }
}

Tuning::Tuning(const Tunable& plan, Channel& channel) : routine_(plan.routine), trials_(1, plan.overlap) {
  const std::vector<int> ranks = members_of(plan.ranks_a, plan.ranks_b);
  agreement_ = std::make_shared<Maximum>(ranks, channel);
  is_first_ = ranks.front() == channel.rank();
  const Redistribution& redistribution = plan.modelled->front().redistribution;
  std::set<std::string> signatures;
  for (Way& way : ways_of(redistribution, plan.ranks_a, plan.ranks_b, plan.options, channel.links())) {
    SharedPlans parts = ways_.empty() ? plan.modelled : planned(plan, channel, way.options);
    if (!signatures.insert(signature(*parts)).second) continue;
    buffer_bytes_ = std::max(buffer_bytes_, buffers_of(*parts).bytes());
    ways_.push_back({std::move(way.settings), std::move(parts)});
  }
  trials_ = Trials(ways_.size(), plan.overlap);
  const char* const file = std::getenv("XREDIST_TUNED");
  if (!is_first_ || file == nullptr || *file == '\0') return;
  file_ = file;
  key_ = key_of(redistribution, plan.ranks_a, plan.ranks_b, plan.options, channel.links());
  const std::optional<std::string> settings = known_settings(file_, key_);
  if (!settings) return;
  const auto way = std::ranges::find(ways_, *settings, &PlannedWay::settings);
  known_ = way != ways_.end();
  if (known_)
    trials_.suggest(static_cast<std::size_t>(way - ways_.begin()));
  else
    write_log("%s: \"%s\" is not a way of this plan, ignored", file_.c_str(), settings->c_str());
}

std::vector<BufferSize> Tuning::buffers() const {
  std::vector<BufferSize> sizes;
  for (const PlannedWay& way : ways_) sizes.push_back(buffers_of(*way.parts));
  return sizes;
}

Execution Tuning::next(const LibraryLock& lock) {
  if (trials_.due()) {
    lock->queue.wait(*agreement_, lock->progress);
    settle();
  }
  if (trials_.over()) return {best(), Untimed{}};
  const bool closes = trials_.closes();
  const std::optional<Trials::Turn> turn = trials_.take();
  if (turn) return {ways_[turn->way].parts, Timed{shared_from_this(), *turn, MPI_Wtime()}};
  if (closes) return {best(), Closing{shared_from_this()}};
  return {best(), Untimed{}};
}

void Tuning::settle() {
  const auto agreed = agreement_->result();
  if (!agreed) return trials_.agree_again();
  trials_.settle(*agreed);
  if (trials_.over()) end(agreement_->channel());
}

// Frees the plans of other ways, and says what was found. A failure to say so has no effect on the plan.
void Tuning::end(const Channel& channel) {
  agreement_.reset();
  for (std::size_t way = 0; way < ways_.size(); ++way)
    if (way != trials_.best()) ways_[way].parts.reset();
  if (!is_first_) return;
  const Options& options = channel.options();
  const bool logs = options.verbose >= 1 || options.tune >= 2;
  try {
    const std::vector<std::string> lines = logs || options.report != 0 ? table() : std::vector<std::string>();
    if (logs)
      for (const std::string& line : lines) write_log("%s", line.c_str());
    if (options.report != 0) report_tuning(lines);
    const double seconds = trials_.found()[trials_.best()].seconds;
    if (!file_.empty() && !known_ && std::isfinite(seconds))
      keep_settings(file_, key_, ways_[trials_.best()].settings, seconds);
  } catch (const std::bad_alloc&) {
  }
}

std::vector<std::string> Tuning::table() const {
  std::vector<std::string> lines;
  const Plan& plan = best()->front();
  lines.push_back(std::string(routine_) + " tuned " + case_text_of(plan) + ": " + std::to_string(trials_.trials()) +
                  " trials" + (known_ ? ", the way is known from " + file_ : ""));
  for (std::size_t way = 0; way < ways_.size(); ++way) {
    const Trials::Found& found = trials_.found()[way];
    char text[160];
    if (std::isfinite(found.seconds))
      std::snprintf(text, sizeof text, "  %-46s %12s us, %2d trials%s", name_of(ways_[way].settings),
                    with_decimals(1e6 * found.seconds, 1).c_str(), found.trials,
                    way == trials_.best() ? ", chosen" : "");
    else
      std::snprintf(text, sizeof text, "  %-46s %15s, %2d trials%s", name_of(ways_[way].settings), "no time",
                    found.trials, way == trials_.best() ? ", chosen" : "");
    lines.emplace_back(text);
  }
  return lines;
}

std::string Tuning::description() const {
  if (!trials_.over()) return "to be measured: " + std::to_string(ways_.size()) + " ways";
  const Trials::Found& found = trials_.found()[trials_.best()];
  std::string text = "measured: " + std::string(name_of(ways_[trials_.best()].settings)) + " is the fastest of " +
                     std::to_string(ways_.size()) + " ways";
  if (!std::isfinite(found.seconds)) return text;
  return text + ", " + with_digits(1e6 * found.seconds, 3) + " us";
}

std::shared_ptr<Tuning> tuning_of(const Tunable& plan, Channel& channel, Queue& queue) {
  if (plan.options.tune == 0) return nullptr;
  const auto has_me = [&](std::span<const int> ranks) {
    return std::ranges::find(ranks, channel.rank()) != ranks.end();
  };
  const Traffic& traffic = plan.modelled->front().redistribution.traffic;
  const bool alone = plan.ranks_a.size() == 1 && std::ranges::equal(plan.ranks_a, plan.ranks_b);
  if (alone || traffic.rows.n == 0 || traffic.cols.n == 0 || (!has_me(plan.ranks_a) && !has_me(plan.ranks_b)))
    return nullptr;
  auto made = std::make_shared<Tuning>(plan, channel);
  if (made->ways() == 1) return nullptr;
  queue.add(made->agreement());
  return made;
}

}  // namespace xredist::core
