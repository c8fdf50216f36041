#include "plan/loads.hpp"

#include <algorithm>
#include <map>

namespace xredist {
namespace {

// Smaller loads travel faster in a message than through a notice and its answer.
constexpr Index least_shared = 4000;

// Smaller loads fill no port, and permits would cost more than they carry.
constexpr Index least_guarded = 16'000;

}  // namespace

Cut common(const Cut& x, const Cut& y) { return {std::min(x.piece_bytes, y.piece_bytes), std::min(x.slots, y.slots)}; }

void Loads::start(const Batch& batch, bool sending) {
  sending_ = sending;
  limit_ = batch.cut.piece_bytes;
  at_ = 0;
  pieces_.reset();
  piece_.reset();
  stops_.clear();
  std::map<int, std::size_t> groups;  // by rank
  for (const Job& job : batch.jobs)
    for (const Transfer& transfer : sending ? job.plan->sends : job.plan->receives) {
      const std::size_t next = stops_.size();  // parts of a message stay apart where nothing is joined
      const std::size_t group = batch.joined ? groups.try_emplace(transfer.rank, next).first->second : next;
      stops_.push_back({&job, &transfer, group});
    }
  if (batch.joined) std::ranges::stable_sort(stops_, {}, &Stop::group);
}

Index Loads::limit(const Transfer& transfer) const {
  return transfer.way == Way::guarded ? std::min(limit_, guarded_piece) : limit_;
}

// The next piece of this stop or of a later one.
bool Loads::find_piece() {
  while (!piece_ && at_ < stops_.size()) {
    const auto& [job, transfer, group] = stops_[at_];
    const Plan& plan = *job->plan;
    if (!pieces_) {
      const Coord p = sending_ ? *plan.in_a : transfer->peer, q = sending_ ? transfer->peer : *plan.in_b;
      pieces_.emplace(plan.matter, p, q, transfer->rows, transfer->cols, limit(*transfer));
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
  load.slices.clear();
  if (!find_piece()) return false;
  const std::size_t group = stops_[at_].group;
  const Transfer& first = *stops_[at_].transfer;
  load.rank = first.rank;
  do {
    const auto& [job, transfer, its] = stops_[at_];
    const Index bytes = piece_->rows.count * piece_->cols.count * job->plan->matter.bytes;
    if (its != group || load.bytes + bytes > limit(first)) break;
    load.slices.push_back({job, transfer, *piece_, load.bytes});
    load.bytes += bytes;
    piece_.reset();
  } while (find_piece());
  const Index least = first.way == Way::shared ? least_shared : least_guarded;
  load.way = load.bytes > least ? first.way : Way::plain;
  return true;
}

}  // namespace xredist
