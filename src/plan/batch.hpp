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
  std::int16_t panels = 1;  ///< into which all transfers are cut, besides those of the route; equal on all processes
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
  bool consumes = false;  ///< some jobs consume A on this process

  /// Returns whether job number `job` has transfers in this round or in a later one.
  bool has_rounds(int job, Index round) const;
};

/// Returns the number of rounds in which a job is carried out. Equal on all processes.
inline Index rounds_of(const Job& job) { return rounds_of(*job.plan) * job.panels; }

/// Collects the jobs of a batch into `batch`, whose memory is used again, and gives them their places. `jobs`: all
/// jobs, also those in which this process takes no part, at least one. A single job has at least the panels of its
/// plan. (All members of a batch would wait for its last panel.) Allocates.
void assign(Batch& batch, std::span<const Job> jobs);

/// Returns whether the rounds of a batch are those of its only plan, as they are. There is at least one job.
inline bool is_as_planned(const Batch& batch) {
  const Job& first = batch.jobs.front();
  return !batch.joined && first.panels == 1 && panels_of(first.plan->route) == 1;
}

/// Writes one round of a batch to `merged`, whose memory is used again: the rounds of its jobs, cut into panels and
/// merged. In a joined batch, transfers with the same peer come together as long as they do not fill a packet. So short
/// messages share packets, and long ones come job after job.
void merge_round(const Batch& batch, Index round, Round& merged);

}  // namespace xredist::core
