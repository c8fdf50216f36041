// SPDX-License-Identifier: BSD-3-Clause
#include "plan/packets.hpp"

#include <algorithm>

namespace xredist::core {
namespace {

// Bytes: smaller packets travel faster as a message than through shared memory with a notice and an answer. Example: 22
// x 22 doubles (3872 bytes) are a message, 23 x 23 (4232) are not.
constexpr Index min_shared_packet = 4000;

// Bytes: smaller packets do not fill a port, so to wait for permits would cost more than it saves. Example: 44 x 44
// doubles (15,488 bytes) need no permit, 45 x 45 (16,200) do.
constexpr Index min_permit_packet = 16'000;

}  // namespace

TransferChunks::TransferChunks(const Batch& batch, std::span<const Transfer> transfers, bool sending)
    : batch_(&batch), sending_(sending), transfers_(transfers) {
  if (transfers_.empty()) return;
  open();
  take();
}

// A forwarder has no run table for the message.
void TransferChunks::open() {
  const Transfer& opened = transfer();
  const Plan& plan = *job().plan;
  const RunTables& tables = sending_ ? plan.a.runs : plan.b.runs;
  chunks_.emplace(plan.redistribution, opened.p, opened.q, opened.rows, opened.cols,
                  batch_->limits.of(opened.transport), opened.forwarded() ? nullptr : &tables, sending_);
  store_ = job().place.store + opened.store;
}

// A transfer of a trapezoid may have no chunks. The transfers after it still share packets with those before it if each
// of them joins the one before.
void TransferChunks::take() {
  joins_ = true;
  while (!(next_ = chunks_->next())) {
    transfers_ = transfers_.subspan(1);
    if (transfers_.empty()) return;
    joins_ = joins_ && transfer().joins;
    open();
  }
  next_->job = transfer().job;
  if (!transfer().forwarded()) return;
  next_->store = store_;
  store_ += bytes();
}

bool TransferChunks::has_more_of(int job) const {
  return std::ranges::any_of(transfers_, [&](const Transfer& later) { return later.job == job; });
}

bool Packets::next(Packet& packet) {
  packet.chunks.clear();
  if (chunks_.empty()) return false;
  const Transfer& first = chunks_.transfer();
  packet.peer = first.peer;
  packet.bytes = 0;
  packet.exact = true;
  do {
    packet.chunks.push_back(chunks_.next());
    packet.bytes += chunks_.bytes();
    packet.exact = packet.exact && chunks_.redistribution().whole();
    chunks_.take();
  } while (!chunks_.empty() && chunks_.joins() && packet.bytes + chunks_.bytes() <= limits_.of(first.transport));
  const Index min = first.transport == Transport::shared ? min_shared_packet : min_permit_packet;
  packet.transport = packet.bytes > min ? first.transport : Transport::message;
  return true;
}

}  // namespace xredist::core
