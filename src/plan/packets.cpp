// SPDX-License-Identifier: BSD-3-Clause
#include "plan/packets.hpp"

#include <algorithm>

namespace xredist::core {
namespace {

// Bytes: smaller packets do not fill a port, so to wait for permits would cost more than it saves. Example: 44 x 44
// doubles (15,488 bytes) need no permit, 45 x 45 (16,200) do.
constexpr Index min_permit_packet = 16'000;

// Bytes: with copies of this size, polling the requests after each of them costs little.
constexpr Index copy_bytes = Index{1} << 20;
// Bytes: an update takes several passes over a chunk, which stays in the cache.
constexpr Index update_bytes = Index{256} << 10;

}  // namespace

void PacketCursor::open(const Batch& batch, std::span<const Transfer> transfers, TransferList list) {
  close();
  if (transfers.empty()) return;
  batch_ = &batch;
  list_ = list;
  transfers_ = transfers;
  open_transfer();
  find_chunk();
  advance();
}

// Returns an upper bound on the bytes of the next chunk.
Index PacketCursor::chunk_bytes() const {
  const Chunk& chunk = chunks_->current();
  return chunk.rows.count * chunk.cols.count * job().plan->redistribution.bytes;
}

// A forwarder has no run table for the message.
void PacketCursor::open_transfer() {
  const Transfer& opened = transfer();
  const Job& of = job();
  const Redistribution& redistribution = of.plan->redistribution;
  if (list_ != TransferList::copies)
    max_bytes_ = batch_->limits.of(opened.transport);
  else
    max_bytes_ = is_copy(redistribution, of.scalars) ? copy_bytes : update_bytes;
  const bool from_a = list_ != TransferList::receives;
  const RunTables& tables = from_a ? of.plan->a.runs : of.plan->b.runs;
  chunks_.emplace(redistribution, opened.p, opened.q, opened.rows, opened.cols, max_bytes_,
                  opened.forwarded() ? nullptr : &tables, from_a);
  store_ = of.place.store + opened.store;
}

// Goes to a transfer that has a chunk left. Returns whether that chunk may share a packet with the chunk before it.
// A transfer of a trapezoid may have no chunks. The transfers after it still share packets with those before it if each
// of them joins the one before.
bool PacketCursor::find_chunk() {
  bool joins = true;
  while (chunks_->done()) {
    transfers_ = transfers_.subspan(1);
    if (transfers_.empty()) return false;
    joins = joins && transfer().joins;
    open_transfer();
  }
  return joins;
}

// Appends the next chunk to the current packet.
void PacketCursor::append_chunk() {
  const Index bytes = chunk_bytes();
  packet_.chunks.push_back(chunks_->current());
  packet_.chunks.back().job = transfer().job;
  if (transfer().forwarded()) {
    packet_.chunks.back().store = store_;
    store_ += bytes;
  }
  packet_.bytes += bytes;
  packet_.exact = packet_.exact && job().plan->redistribution.whole();
  chunks_->advance();
}

void PacketCursor::advance() {
  packet_.chunks.clear();
  if (transfers_.empty()) return;
  const Transport transport = transfer().transport;
  const Index max = max_bytes_;
  packet_.peer = transfer().peer;
  packet_.bytes = 0;
  packet_.exact = true;
  do append_chunk();
  while (find_chunk() && packet_.bytes + chunk_bytes() <= max);
  const bool too_small = transport == Transport::permit && packet_.bytes <= min_permit_packet;
  packet_.transport = too_small ? Transport::message : transport;
}

bool PacketCursor::has_more_of(int job) const {
  return std::ranges::any_of(packet_.chunks, [&](const Chunk& chunk) { return chunk.job == job; }) ||
         std::ranges::any_of(transfers_, [&](const Transfer& later) { return later.job == job; });
}

}  // namespace xredist::core
