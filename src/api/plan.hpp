// SPDX-License-Identifier: BSD-3-Clause
// A plan of the C interface.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "exchange/channel.hpp"
#include "exchange/queue.hpp"
#include "plan/plan.hpp"
#include "xredist/xredist.h"

struct xredist_plan {
  explicit xredist_plan(xredist::core::Channel& of) : channel(of), life(of.life()) {}

  /// Returns whether the communicator of the plan still exists.
  bool usable() const { return !life.expired(); }
  /// Adds a plan and allocates the buffers of its exchanges.
  void add(xredist::core::Plan part, xredist::core::Queue& queue) {
    if (!part.peers.empty()) queue.reserve(part.limits, part.store_bytes);
    parts->push_back(std::move(part));
  }

  xredist::core::Channel& channel;
  std::weak_ptr<const void> life;
  // One for each region: two if a triangle is mirrored. Requests of exchanges under way own them as well.
  std::shared_ptr<std::vector<xredist::core::Plan>> parts = std::make_shared<std::vector<xredist::core::Plan>>();
  xredist::core::Scalars scalars{};
  xredist::core::Index lda = 0, ldb = 0;  // of descriptors
};

namespace xredist::core {

/// Makes a plan for a channel. Rank 0 logs a line about it if the option "verbose" is set.
Plan make_plan(const char* routine, const Channel& channel, const Redistribution& redistribution,
               std::span<const int> ranks_a, std::span<const int> ranks_b);

/// The arguments of xredist_start_batch. NULL for lda or ldb stands for the leading dimensions of the plans.
struct BatchArguments {
  int count;
  const xredist_plan* const* plans;
  const void* const* a;
  const std::int64_t* lda;
  void* const* b;
  const std::int64_t* ldb;

  Index ld_a(int i) const { return lda != nullptr ? lda[i] : plans[i]->lda; }
  Index ld_b(int i) const { return ldb != nullptr ? ldb[i] : plans[i]->ldb; }
};

/// Starts a batch, as xredist_start_batch does.
int start_batch(const BatchArguments& batch, xredist_request** request);

/// Tells the other processes that this one cannot start the batch. The plans are valid.
void withdraw_batch(int count, const xredist_plan* const plans[]) noexcept;

}  // namespace xredist::core
