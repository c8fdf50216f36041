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

Cut common(const Cut& x, const Cut& y) { return {std::min(x.piece_bytes, y.piece_bytes), std::min(x.slots, y.slots)}; }

void Loads::start(const Batch& batch, bool sending) {
  sending_ = sending;
  limit_ = batch.cut.piece_bytes;
  at_ = 0;
  pieces_.reset();
  piece_.reset();
  messages_.clear();
  std::map<int, std::size_t> groups;  // by rank
  for (const Job& job : batch.jobs)
    for (const RoutedMessage& message : sending ? job.plan->sends : job.plan->receives) {
      const std::size_t next = messages_.size();  // without joining, every part of a message is a group of its own
      const std::size_t group = batch.joined ? groups.try_emplace(message.rank, next).first->second : next;
      messages_.push_back({&job, &message, group});
    }
  if (batch.joined) std::ranges::stable_sort(messages_, {}, &JobMessage::group);
}

Index Loads::limit(const RoutedMessage& message) const {
  return message.way == Way::by_permit ? std::min(limit_, permitted_piece) : limit_;
}

// Finds the next piece of this message or of a later one.
bool Loads::find_piece() {
  while (!piece_ && at_ < messages_.size()) {
    const auto& [job, message, group] = messages_[at_];
    const Plan& plan = *job->plan;
    if (!pieces_) {
      const Coord p = sending_ ? *plan.in_a : message->peer, q = sending_ ? message->peer : *plan.in_b;
      pieces_.emplace(plan.redistribution, p, q, message->rows, message->cols, limit(*message),
                      sending_ ? &plan.send_runs : &plan.receive_runs, sending_);
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
    const auto& [job, message, its] = messages_[at_];
    const Index bytes = piece_->rows.count * piece_->cols.count * job->plan->redistribution.bytes;
    if (its != group || load.bytes + bytes > limit(first)) break;
    load.pieces.push_back({job, *piece_, load.bytes});
    load.bytes += bytes;
    piece_.reset();
  } while (find_piece());
  const Index least = first.way == Way::shared ? least_shared : least_permitted;
  load.way = load.bytes > least ? first.way : Way::plain;
  return true;
}

}  // namespace xredist::core
