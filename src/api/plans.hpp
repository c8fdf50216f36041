// What a program holds of a plan.
#pragma once

#include <memory>

#include "exchange/channel.hpp"
#include "plan/plan.hpp"
#include "xredist/xredist.h"

struct xredist_plan {
  xredist_plan(xredist::core::Channel& its, xredist::core::Plan made)
      : channel(its), life(its.life()), plan(std::move(made)) {}

  /// Whether the communicator for which it was made has not been freed.
  bool usable() const { return !life.expired(); }

  xredist::core::Channel& channel;
  std::weak_ptr<const void> life;
  xredist::core::Plan plan;
};
