// SPDX-License-Identifier: BSD-3-Clause
// The packets in which the transfers of a batch travel.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "copy/chunks.hpp"
#include "plan/batch.hpp"

namespace xredist::core {

/// Chunks that travel to or from one peer as one MPI message, or in one slot of shared memory, or that are copied
/// between two polls of MPI.
struct Packet {
  int peer = 0;
  Transport transport = Transport::message;
  Index bytes = 0;    ///< upper bound: chunks of a trapezoid may hold fewer elements
  bool exact = true;  ///< whether the packet has just as many bytes
  std::vector<Chunk> chunks{};
};

/// The lists of transfers in a round.
enum class TransferList { sends, receives, copies };

/// Walks the packets of a list of transfers, lazily. A sender and its receiver obtain the same packets, with the same
/// transport, each for itself. The current packet may be looked at before it is taken.
class PacketCursor {
 public:
  PacketCursor() = default;
  PacketCursor(const Batch& batch, std::span<const Transfer> transfers, TransferList list) {
    open(batch, transfers, list);
  }

  /// Goes to the first packet. Batch and transfers must stay where they are until the cursor is done or closed. The
  /// memory of the current packet is used again.
  void open(const Batch& batch, std::span<const Transfer> transfers, TransferList list);
  /// Goes to the end.
  void close() {
    packet_.chunks.clear();
    transfers_ = {};
  }

  bool done() const { return packet_.chunks.empty(); }
  /// Returns the current packet. Must not be called when done.
  const Packet& current() const { return packet_; }
  /// Goes to the next packet.
  void advance();
  /// Moves the current packet to `packet`, whose memory is used again, and goes to the next one.
  void take(Packet& packet) {
    std::swap(packet, packet_);
    advance();
  }

  /// Returns whether the current packet, or a later one, has chunks of this job.
  bool has_more_of(int job) const;

 private:
  const Transfer& transfer() const { return transfers_.front(); }
  const Job& job() const { return at(batch_->jobs, transfer().job); }
  Index chunk_bytes() const;
  void open_transfer();
  void append_chunk();
  bool find_chunk();

  const Batch* batch_ = nullptr;
  TransferList list_ = TransferList::sends;
  Packet packet_;                        // the current one; without chunks at the end
  std::span<const Transfer> transfers_;  // the first one has the next chunk
  std::optional<ChunkCursor> chunks_;    // of that transfer; after the current packet
  Index max_bytes_ = 0;                  // of a chunk of that transfer, and of a packet that begins with it
  Index store_ = 0;                      // if the transfer is forwarded: offset of its rest in the store (bytes)
};

}  // namespace xredist::core
