// SPDX-License-Identifier: BSD-3-Clause
// The packets in which the transfers of a batch travel.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "copy/chunks.hpp"
#include "plan/batch.hpp"

namespace xredist::core {

/// Chunks that travel to or from one peer as one MPI message, or in one slot of shared memory.
struct Packet {
  int peer = 0;
  Transport transport = Transport::message;
  Index bytes = 0;    ///< upper bound: chunks of a trapezoid may hold fewer elements
  bool exact = true;  ///< whether the packet has just as many bytes
  std::vector<Chunk> chunks;
};

/// Enumerates the chunks of a list of transfers, one transfer after the other, lazily. The next chunk is known before
/// it is taken. Batch and transfers must stay where they are until the last chunk.
class TransferChunks {
 public:
  TransferChunks(const Batch& batch, std::span<const Transfer> transfers, bool sending);

  bool empty() const { return !next_; }
  /// Return the next chunk, which must exist, with its job and its place in the store; an upper bound on its bytes; its
  /// transfer; and the redistribution to which it belongs.
  const Chunk& next() const { return *next_; }
  Index bytes() const { return next_->rows.count * next_->cols.count * redistribution().bytes; }
  const Transfer& transfer() const { return transfers_.front(); }
  const Redistribution& redistribution() const { return job().plan->redistribution; }
  /// Returns whether the next chunk may share a packet with the chunk before it.
  bool joins() const { return joins_; }
  /// Goes on to the chunk after the next one.
  void take();

  /// Returns whether transfers of a job have chunks left.
  bool has_more_of(int job) const;

 private:
  const Job& job() const { return at(batch_->jobs, transfer().job); }
  void open();

  const Batch* batch_;
  bool sending_;
  std::span<const Transfer> transfers_;  // the first one has the next chunk
  std::optional<Chunks> chunks_;         // the rest of that transfer, after the next chunk
  std::optional<Chunk> next_;            // nothing at the end
  bool joins_ = false;
  Index store_ = 0;  // if the transfer is forwarded: offset of its rest in the store (bytes)
};

/// Enumerates the packets of a list of transfers, lazily. A sender and its receiver obtain the same packets, with the
/// same transport, each for itself. To look ahead, take packets from a copy: a copy allocates nothing.
class Packets {
 public:
  /// Batch and transfers must stay where they are until the last packet.
  Packets(const Batch& batch, std::span<const Transfer> transfers, bool sending)
      : limits_(batch.limits), chunks_(batch, transfers, sending) {}

  /// Fills `packet`, whose memory is used again. Returns false at the end.
  bool next(Packet& packet);

  /// Returns whether there are more packets with chunks of this job.
  bool has_more_of(int job) const { return chunks_.has_more_of(job); }

 private:
  ChunkLimits limits_;
  TransferChunks chunks_;
};

}  // namespace xredist::core
