// SPDX-License-Identifier: BSD-3-Clause
#include "plan/loads.hpp"

#include <algorithm>
#include <map>

namespace xredist::core {
namespace {

// Smaller loads travel faster in a message of their own than through shared memory with a notice and an answer.
constexpr Index least_shared = 4000;

// Smaller loads do not fill a port: waiting for permits would cost more than it saves.
constexpr Index least_permitted = 16'000;

}  // namespace

Cut common(const Cut& x, const Cut& y) {
  return {std::min(x.piece_bytes, y.piece_bytes), std::min(x.slots, y.slots), std::min(x.shared_bytes, y.shared_bytes)};
}

void Loads::start(const Batch& batch, Index phase, bool sending) {
  sending_ = sending;
  cut_ = batch.cut;
  at_ = 0;
  pieces_.reset();
  piece_.reset();
  messages_.clear();
  struct Group {
    std::size_t number;
    Index bytes;
  };
  std::map<int, Group> groups;  // by rank, the last one
  for (const Job& job : batch.jobs) {
    const Plan& plan = *job.plan;
    if (phase < job.phase || phase >= job.phase + phases_of(plan)) continue;
    const std::size_t hops = plan.hops.size(), turn = static_cast<std::size_t>(phase - job.phase);
    const Hop& its = plan.hops[turn % hops];
    for (const RoutedMessage& message : sending ? its.sends : its.receives) {
      const Panel panel = panel_of(message, static_cast<Index>(turn / hops), plan.route.panels);
      if (panel.elements() == 0) continue;
      // Without joining, every part of a message is a group of its own; in two hops, all that goes to one process.
      const std::size_t next = messages_.size();
      std::size_t group = next;
      if (batch.joined) {
        Group& open = groups.try_emplace(message.rank, Group{next, 0}).first->second;
        if (open.bytes >= cut_.limit(message.way)) open = {next, 0};
        open.bytes += panel.elements() * plan.redistribution.bytes;
        group = open.number;
      } else if (hops > 1 && next > 0 && messages_.back().message->rank == message.rank)
        group = messages_.back().group;
      messages_.push_back({&job, &message, group, panel});
    }
  }
  if (batch.joined) std::ranges::stable_sort(messages_, {}, &JobMessage::group);
}

bool Loads::has_more_of(const Job& job) const {
  return std::find_if(messages_.begin() + static_cast<std::ptrdiff_t>(at_), messages_.end(),
                      [&](const JobMessage& message) { return message.job == &job; }) != messages_.end();
}

// Who forwards a message has no table of its runs.
Pieces Loads::pieces_of(const JobMessage& message) const {
  const Plan& plan = *message.job->plan;
  const RoutedMessage& m = *message.message;
  if (m.stored != RoutedMessage::not_stored)
    return {plan.redistribution,
            m.p,
            m.q,
            message.panel.rows,
            message.panel.cols,
            cut_.limit(m.way),
            nullptr,
            sending_,
            false};
  const RunTables& tables = sending_ ? plan.send_runs : plan.receive_runs;
  return {plan.redistribution, m.p, m.q, message.panel.rows, message.panel.cols, cut_.limit(m.way), &tables, sending_};
}

// Finds the next piece of this message or of a later one.
bool Loads::find_piece() {
  while (!piece_ && at_ < messages_.size()) {
    if (!pieces_) {
      pieces_.emplace(pieces_of(messages_[at_]));
      stored_ = messages_[at_].message->stored;
    }
    piece_ = pieces_->next();
    if (piece_) break;
    pieces_.reset();
    ++at_;
  }
  return piece_.has_value();
}

bool Loads::next(Load& load) {
  load.bytes = 0;
  load.pieces.clear();
  if (!find_piece()) return false;
  const std::size_t group = messages_[at_].group;
  const RoutedMessage& first = *messages_[at_].message;
  load.rank = first.rank;
  do {
    const auto& [job, message, its, panel] = messages_[at_];
    LoadedPiece piece{job, *piece_, load.bytes};
    const Index bytes = piece.bytes();
    if (its != group || load.bytes + bytes > cut_.limit(first.way)) break;
    if (message->stored != RoutedMessage::not_stored) {
      piece.stored = job->stored + stored_;
      stored_ += bytes;
    }
    load.pieces.push_back(piece);
    load.bytes += bytes;
    piece_.reset();
  } while (find_piece());
  const Index least = first.way == Way::shared ? least_shared : least_permitted;
  load.way = load.bytes > least ? first.way : Way::plain;
  return true;
}

}  // namespace xredist::core
