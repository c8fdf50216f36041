// SPDX-License-Identifier: BSD-3-Clause
// Redistributions that are carried out together.
#pragma once

#include <cstdint>
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
  int member = 0;           ///< number of the plan, from 0, as the caller of the batch counts
  std::int16_t panels = 0;  ///< if the execution consumes A (plan/consume.hpp), otherwise 0; equal on all processes
  bool consumes = false;    ///< the pages of A on this process go back to the system
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
  Index window = 0;       ///< maximum of the jobs' windows (Plan)
  Index threads = 1;      ///< maximum of the jobs' threads
  bool shares = false;    ///< some transfers use shared memory
  bool consumes = false;  ///< some jobs consume A

  /// Returns whether job number `job` has transfers in this round or in a later one.
  bool has_rounds(int job, Index round) const;
};

/// Returns the number of rounds in which a job is carried out. Equal on all processes.
inline Index rounds_of(const Job& job) {
  return job.panels == 0 ? rounds_of(*job.plan) : rounds_of(*job.plan) * job.panels;
}

/// Collects the jobs of a batch into `batch`, whose memory is used again, and gives them their places. `jobs`: all
/// jobs, also those in which this process takes no part, at least one. Allocates.
void assign(Batch& batch, std::span<const Job> jobs);

/// Returns one round of a batch: the rounds of its jobs, cut into panels and merged. In a joined batch, transfers with
/// the same peer come together as long as they do not fill a packet. So short messages share packets, and long ones
/// come job after job.
Round merged_round(const Batch& batch, Index round);

}  // namespace xredist::core
