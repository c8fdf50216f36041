// SPDX-License-Identifier: BSD-3-Clause
// Redistributions that are carried out together, and the packets in which their transfers travel.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "copy/packer.hpp"
#include "plan/buffers.hpp"
#include "plan/plan.hpp"

namespace xredist::core {

/// One redistribution of a batch: a plan and the local arrays. An array is accessed only if the plan says so.
struct Job {
  const Plan* plan;
  ConstArray a;
  Array b;
  Scalars scalars{};
  int member = 0;  ///< number of the plan, from 0, as the caller of the batch counts
  Placement::Place place{};
};

/// Redistributions that are carried out together. `joined`, `limits` and the rounds are equal on all processes, whether
/// or not a process takes part in each redistribution, because sender and receiver have to cut alike.
struct Batch {
  std::vector<Job> jobs;  ///< the jobs in which this process takes part, in the order of the batch
  bool joined = false;    ///< there are several jobs: transfers with the same peer share packets
  ChunkLimits limits{};   ///< fit all jobs
  Index rounds = 0;       ///< this process has no part in later rounds
  BufferSize buffers{};   ///< on this process

  /// Returns whether job number `job` has transfers in this round or in a later one.
  bool has_rounds(int job, Index round) const;
};

/// Collects the jobs of a batch into `batch`, whose memory is used again, and gives them their places. `jobs`: all
/// jobs, also those in which this process takes no part, at least one. Allocates.
void assign(Batch& batch, std::span<const Job> jobs);

/// Returns one round of a batch: the rounds of its jobs, cut into panels and merged. In a joined batch, transfers with
/// the same peer come together as long as they do not fill a packet. So short messages share packets, and long ones
/// come job after job.
Round merged_round(const Batch& batch, Index round);

/// Chunks that travel to or from one peer as one MPI message, or in one slot of shared memory.
struct Packet {
  int peer = 0;
  Transport transport = Transport::message;
  Index bytes = 0;    ///< upper bound: chunks of a trapezoid may hold fewer elements
  bool exact = true;  ///< whether the packet has just as many bytes
  std::vector<Chunk> chunks;
};

/// Enumerates the packets of a list of transfers, lazily. A sender and its receiver obtain the same packets, with the
/// same transport, each for itself.
class Packets {
 public:
  /// Starts with other transfers, and reuses its memory. Batch and transfers must stay where they are until the last
  /// packet.
  void start(const Batch& batch, std::span<const Transfer> transfers, bool sending);

  /// Fills `packet`. Returns false at the end.
  bool next(Packet& packet);

  /// Returns the packet that next() will return, until the next call, or nullptr at the end.
  const Packet* peek();

  /// Returns whether there are more packets with chunks of this job.
  bool has_more_of(int job) const;

 private:
  void open(const Transfer& transfer);
  void find_chunk();
  void add_chunk(Packet& packet, Index bytes);
  bool fill(Packet& packet);

  const Batch* batch_ = nullptr;
  bool sending_ = false;
  std::span<const Transfer> transfers_;
  std::size_t at_ = 0, group_end_ = 0;  // group_end_: of the transfers that share packets with the last one
  std::optional<Chunks> chunks_;        // of transfer at_
  std::optional<Chunk> chunk_;          // the next one; nothing at the end
  Index store_ = Chunk::in_array;       // of the next chunk
  bool peeked_ = false;                 // peeked_packet_ comes before the next chunk
  Packet peeked_packet_;
};

}  // namespace xredist::core
