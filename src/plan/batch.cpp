// SPDX-License-Identifier: BSD-3-Clause
#include "plan/batch.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "plan/consume.hpp"

namespace xredist::core {
namespace {

// Returns the round of a job that a round of the batch carries out, cut to its panel; nothing if there is none.
Round round_of(const Job& job, int number, Index round) {
  const Plan& plan = *job.plan;
  const Index own_round = round - job.place.first_round;
  if (plan.rounds.empty() || own_round < 0 || own_round >= rounds_of(job)) return {};
  Round cut = at(plan.rounds, own_round % rounds_of_panel(plan.route));
  const Index panel = own_round / rounds_of(plan), round_of_panel = own_round % rounds_of(plan);
  const auto cut_panel = [&](Transfer& part) {
    if (job.panels > 1) cut_to_consume(plan.redistribution, part, panel, job.panels);
  };
  if (round_of_panel > 0) cut.copies.clear();  // copies need no panels of the route
  for (Transfer& copy : cut.copies) {
    cut_panel(copy);
    copy.job = number;
  }
  std::erase_if(cut.copies, [](const Transfer& copy) { return copy.elements() == 0; });
  for (auto* list : {&cut.sends, &cut.receives}) {
    std::vector<Transfer> kept;
    for (Transfer& part : *list) {
      cut_panel(part);
      cut_longer_side(part.rows, part.cols, round_of_panel / rounds_of_panel(plan.route), panels_of(plan.route));
      if (part.elements() == 0) continue;
      part.job = number;
      part.joins = part.joins && !kept.empty() && kept.back().peer == part.peer;
      kept.push_back(part);
    }
    *list = std::move(kept);
  }
  return cut;
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
    const Index rounds = rounds_of(job);
    const Placement::Place place = placement.add(plan, rounds);
    if (!plan.takes_part()) continue;
    batch.jobs.push_back(job);
    batch.jobs.back().place = place;
    batch.rounds = std::max(batch.rounds, place.first_round + rounds);
    batch.window = std::max(batch.window, plan.window);
    batch.threads = std::max(batch.threads, plan.threads);
    batch.shares = batch.shares || plan.shares;
    batch.consumes = batch.consumes || job.panels > 0;
  }
  batch.limits = placement.limits();
  batch.buffers = placement.buffers();
}

Round merged_round(const Batch& batch, Index round) {
  Round merged;
  for (std::size_t number = 0; number < batch.jobs.size(); ++number) {
    const Round part = round_of(batch.jobs[number], static_cast<int>(number), round);
    merged.sends.insert(merged.sends.end(), part.sends.begin(), part.sends.end());
    merged.receives.insert(merged.receives.end(), part.receives.begin(), part.receives.end());
    merged.copies.insert(merged.copies.end(), part.copies.begin(), part.copies.end());
  }
  if (!batch.joined) return merged;
  return {joined(merged.sends, batch), joined(merged.receives, batch), std::move(merged.copies)};
}

}  // namespace xredist::core
