// SPDX-License-Identifier: BSD-3-Clause
#include "plan/batch.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "plan/execution_panels.hpp"
#include "plan/memory_overlap.hpp"

namespace xredist::core {
namespace {

// Appends what a round of the batch has of a job: its round, cut to its panel.
void append_round(const Job& job, int number, Index round, Round& merged) {
  const Plan& plan = *job.plan;
  const Index own_round = round - job.place.first_round;
  if (plan.rounds.empty() || own_round < 0 || own_round >= rounds_of(job)) return;
  const Index panel = own_round / rounds_of(plan), round_of_panel = own_round % rounds_of(plan);
  const Index panel_of_route = round_of_panel / rounds_of_panel(plan.route);
  const Round& planned = at(plan.rounds, round_of_panel % rounds_of_panel(plan.route));
  for (auto list : {&Round::sends, &Round::receives}) {
    std::vector<Transfer>& appended = merged.*list;
    const std::size_t before = appended.size();
    for (Transfer part : planned.*list) {
      cut_to_panel(plan, part, panel, job.panels);
      cut_longer_side(part.rows, part.cols, panel_of_route, panels_of(plan.route));
      if (part.elements() == 0) continue;
      part.job = number;
      part.joins = part.joins && appended.size() > before && appended.back().peer == part.peer;
      appended.push_back(part);
    }
  }
  if (round_of_panel > 0) return;  // copies need no panels of the route
  const bool at_once = overlap_in_memory(plan, job.a, job.b);
  if (at_once && panel > 0) return;
  for (Transfer copy : planned.copies) {
    if (!at_once) cut_to_panel(plan, copy, panel, job.panels);
    copy.job = number;
    if (copy.elements() > 0) merged.copies.push_back(copy);
  }
}

// Brings transfers with the same peer together. A group is closed when its transfers fill a packet.
std::vector<Transfer> joined(const std::vector<Transfer>& transfers, const Batch& batch) {
  struct Group {
    std::size_t number;
    Index bytes;
  };
  std::map<int, Group> open;  // by peer
  std::vector<std::pair<std::size_t, Transfer>> grouped;
  for (const Transfer& transfer : transfers) {
    Group& group = open.try_emplace(transfer.peer, Group{grouped.size(), 0}).first->second;
    if (group.bytes >= batch.limits.of(transfer.transport)) group = {grouped.size(), 0};
    group.bytes += transfer.elements() * at(batch.jobs, transfer.job).plan->redistribution.bytes;
    grouped.emplace_back(group.number, transfer);
  }
  std::ranges::stable_sort(grouped, {}, &std::pair<std::size_t, Transfer>::first);
  std::vector<Transfer> result;
  for (std::size_t k = 0; k < grouped.size(); ++k) {
    result.push_back(grouped[k].second);
    result.back().joins = k > 0 && grouped[k - 1].first == grouped[k].first;
  }
  return result;
}

}  // namespace

bool Batch::has_rounds(int job, Index round) const {
  const Job& of = at(jobs, job);
  return round < of.place.first_round + rounds_of(of);
}

void assign(Batch& batch, std::span<const Job> jobs) {
  batch.jobs.clear();
  batch.jobs.reserve(jobs.size());
  batch.joined = jobs.size() > 1;
  batch.rounds = batch.window = 0;
  batch.threads = 1;
  batch.shares = batch.consumes = false;
  Placement placement;
  for (const Job& job : jobs) {
    const Plan& plan = *job.plan;
    const std::int16_t panels = batch.joined ? job.panels : std::max(job.panels, plan.panels);
    const Index rounds = rounds_of(plan) * panels;
    const Placement::Place place = placement.add(plan, rounds);
    if (!plan.takes_part()) continue;
    batch.jobs.push_back(job);
    batch.jobs.back().panels = panels;
    batch.jobs.back().place = place;
    batch.rounds = std::max(batch.rounds, place.first_round + rounds);
    batch.window = std::max(batch.window, plan.window);
    batch.threads = std::max(batch.threads, plan.threads);
    batch.shares = batch.shares || plan.shares;
    batch.consumes = batch.consumes || job.consumes;
  }
  batch.limits = placement.limits();
  batch.buffers = placement.buffers();
}

void merge_round(const Batch& batch, Index round, Round& merged) {
  for (auto list : {&Round::sends, &Round::receives, &Round::copies}) (merged.*list).clear();
  for (std::size_t number = 0; number < batch.jobs.size(); ++number)
    append_round(batch.jobs[number], static_cast<int>(number), round, merged);
  if (!batch.joined) return;
  merged.sends = joined(merged.sends, batch);
  merged.receives = joined(merged.receives, batch);
}

}  // namespace xredist::core
