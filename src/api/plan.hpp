// SPDX-License-Identifier: BSD-3-Clause
// What a plan of the C interface holds.
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
  explicit xredist_plan(xredist::core::Channel& its) : channel(its), life(its.life()) {}

  /// Whether the communicator for which it was made has not been freed.
  bool usable() const { return !life.expired(); }
  /// Allocates what its exchanges need.
  void add(xredist::core::Plan part, xredist::core::Queue& queue) {
    if (!part.peers.empty()) queue.reserve(part.cut);
    parts->push_back(std::move(part));
  }

  xredist::core::Channel& channel;
  std::weak_ptr<const void> life;
  // Of the elements: two if a triangle is mirrored, else one. Requests of exchanges under way own them as well.
  std::shared_ptr<std::vector<xredist::core::Plan>> parts = std::make_shared<std::vector<xredist::core::Plan>>();
  xredist::core::Scalars scalars{};
  xredist::core::Index lda = 0, ldb = 0;  // of descriptors
};

namespace xredist::core {

/// Makes a plan for a channel. Its first process writes a line about it to the log, if the options ask for that.
Plan planned(const char* routine, const Channel& channel, const Links& links, const Redistribution& redistribution,
             std::span<const int> ranks_a, std::span<const int> ranks_b);

/// xredist_start_batch. Where lda or ldb is NULL, the plans' own leading dimensions are taken.
int start_batch(int count, const xredist_plan* const plans[], const void* const a[], const std::int64_t lda[],
                void* const b[], const std::int64_t ldb[], xredist_request** request);

}  // namespace xredist::core
