// SPDX-License-Identifier: BSD-3-Clause
// A plan of the C interface.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "api/array_part.hpp"
#include "api/tuning.hpp"
#include "copy/array_form.hpp"
#include "exchange/channel.hpp"
#include "exchange/queue.hpp"
#include "plan/plan.hpp"
#include "xredist/array.h"
#include "xredist/xredist.h"

namespace xredist::core {

/// What a plan of arrays knows beside its parts and local arrays.
struct PlannedArray {
  ArrayForm form;
  std::optional<ArrayStrides> a{}, b{};  ///< places in local arrays without gaps; nothing outside the grid, nor if a
                                         ///< local array exceeds memory
  bool copied = false;                   ///< B has several copies, so elements of A are sent more than once
};

}  // namespace xredist::core

struct xredist_plan {
  xredist_plan(xredist::core::Channel& of, xredist::core::PlanSource made_from)
      : channel(of), life(of.life()), source(std::move(made_from)) {}

  /// Returns whether the communicator of the plan still exists.
  bool usable() const { return !life.expired(); }
  /// Makes the part for a region, and allocates the buffers of an execution.
  void add(const xredist::core::Redistribution& region, xredist::core::Queue& queue);

  xredist::core::Channel& channel;
  std::weak_ptr<const void> life;
  xredist::core::PlanSource source;
  // One for each region: two if a triangle is mirrored. Requests of exchanges under way own them as well.
  std::shared_ptr<xredist::core::Plans> parts = std::make_shared<xredist::core::Plans>();
  std::optional<xredist::core::ChosenWay> way;  // of the parts; nothing: as modelled
  xredist::core::ArrayPart a, b;                // of jobs that pass neither leading dimensions nor strides
  // Nullptr: the plan is of matrices, whose jobs may pass leading dimensions, and not of arrays, whose jobs may pass
  // strides.
  std::shared_ptr<const xredist::core::PlannedArray> form;
};

namespace xredist::core {

/// Makes a plan for a channel. Rank 0 logs a line about it if the option "verbose" is set.
Plan plan_on_channel(const Channel& channel, const Redistribution& redistribution, const PlanSource& source);

/// Returns the type of the elements of B; Type::bits for a plan without types.
inline Type type_of_b(const xredist_plan& plan) { return plan.parts->front().redistribution.operation.b; }

/// Tells the other processes that this one cannot start a batch of `count` jobs. parts_of(i): the parts of job i.
template <class PartsOf>
void withdraw_batch(std::size_t count, Channel& channel, const PartsOf& parts_of) noexcept {
  const Ledger::Entry exchange = channel.ledger().open();
  for (std::size_t i = 0; i < count; ++i)
    for (const Plan& part : parts_of(i)) channel.withdraw(exchange, part);
}

}  // namespace xredist::core
