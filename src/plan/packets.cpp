// SPDX-License-Identifier: BSD-3-Clause
#include "plan/packets.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace xredist::core {
namespace {

// Bytes: smaller packets travel faster as a message than through shared memory with a notice and an answer. Example: 22
// x 22 doubles (3872 bytes) are a message, 23 x 23 (4232) are not.
constexpr Index min_shared_packet = 4000;

// Bytes: smaller packets do not fill a port, so to wait for permits would cost more than it saves. Example: 44 x 44
// doubles (15,488 bytes) need no permit, 45 x 45 (16,200) do.
constexpr Index min_permit_packet = 16'000;

// Returns the round of a job that a round of the batch carries out, cut to its panel; nothing if there is none.
Round round_of(const Job& job, int number, Index round) {
  const Plan& plan = *job.plan;
  const Index own_round = round - job.place.first_round;
  if (plan.rounds.empty() || own_round < 0 || own_round >= rounds_of(plan)) return {};
  Round cut = at(plan.rounds, own_round % rounds_of_panel(plan.route));
  if (own_round > 0) cut.copies.clear();  // copies need no panels
  for (Transfer& copy : cut.copies) copy.job = number;
  for (auto* list : {&cut.sends, &cut.receives}) {
    std::vector<Transfer> kept;
    for (Transfer& part : *list) {
      cut_longer_side(part.rows, part.cols, own_round / rounds_of_panel(plan.route), panels_of(plan.route));
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
  return round < of.place.first_round + rounds_of(*of.plan);
}

void assign(Batch& batch, std::span<const Job> jobs) {
  batch.jobs.clear();
  batch.jobs.reserve(jobs.size());
  batch.joined = jobs.size() > 1;
  batch.rounds = 0;
  Placement placement;
  for (Job job : jobs) {
    job.place = placement.add(*job.plan);
    if (!job.plan->takes_part()) continue;
    batch.jobs.push_back(job);
    batch.rounds = std::max(batch.rounds, job.place.first_round + rounds_of(*job.plan));
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

void Packets::start(const Batch& batch, std::span<const Transfer> transfers, bool sending) {
  batch_ = &batch;
  sending_ = sending;
  transfers_ = transfers;
  at_ = group_end_ = 0;
  chunks_.reset();
  peeked_ = false;
  find_chunk();
}

bool Packets::has_more_of(int job) const {
  const auto of_job = [&](const auto& part) { return part.job == job; };
  return std::ranges::any_of(transfers_.subspan(at_), of_job) ||
         (peeked_ && std::ranges::any_of(peeked_packet_.chunks, of_job));
}

// A forwarder has no run table for the message.
void Packets::open(const Transfer& transfer) {
  const Job& job = at(batch_->jobs, transfer.job);
  const RunTables& tables = sending_ ? job.plan->a.runs : job.plan->b.runs;
  const bool forwarded = transfer.forwarded();
  chunks_.emplace(job.plan->redistribution, transfer.p, transfer.q, transfer.rows, transfer.cols,
                  batch_->limits.of(transfer.transport), forwarded ? nullptr : &tables, sending_);
  store_ = forwarded ? job.place.store + transfer.store : Chunk::in_array;
}

// Finds the next chunk, of this transfer or of a later one.
void Packets::find_chunk() {
  chunk_.reset();
  for (; at_ < transfers_.size(); ++at_, chunks_.reset()) {
    if (!chunks_) open(transfers_[at_]);
    chunk_ = chunks_->next();
    if (chunk_) return;
  }
}

// Adds the next chunk to the packet.
void Packets::add_chunk(Packet& packet, Index bytes) {
  chunk_->job = transfers_[at_].job;
  if (transfers_[at_].forwarded()) {
    chunk_->store = store_;
    store_ += bytes;
  }
  packet.chunks.push_back(*chunk_);
  packet.bytes += bytes;
}

bool Packets::next(Packet& packet) {
  if (!std::exchange(peeked_, false)) return fill(packet);
  std::swap(packet, peeked_packet_);
  return true;
}

const Packet* Packets::peek() {
  if (!peeked_) peeked_ = fill(peeked_packet_);
  return peeked_ ? &peeked_packet_ : nullptr;
}

bool Packets::fill(Packet& packet) {
  packet.bytes = 0;
  packet.exact = true;
  packet.chunks.clear();
  if (!chunk_) return false;
  const Transfer& first = transfers_[at_];
  if (at_ >= group_end_)
    for (group_end_ = at_ + 1; group_end_ < transfers_.size() && transfers_[group_end_].joins;) ++group_end_;
  const Index limit = batch_->limits.of(first.transport);
  packet.peer = first.peer;
  for (; chunk_ && at_ < group_end_; find_chunk()) {
    const Redistribution& redistribution = at(batch_->jobs, transfers_[at_].job).plan->redistribution;
    const Index bytes = chunk_->rows.count * chunk_->cols.count * redistribution.bytes;
    if (packet.bytes + bytes > limit) break;
    add_chunk(packet, bytes);
    packet.exact = packet.exact && redistribution.whole();
  }
  const Index min = first.transport == Transport::shared ? min_shared_packet : min_permit_packet;
  packet.transport = packet.bytes > min ? first.transport : Transport::message;
  return true;
}

}  // namespace xredist::core
