// What a plan of the C interface holds.
#pragma once

#include <memory>
#include <vector>

#include "exchange/channel.hpp"
#include "plan/plan.hpp"
#include "xredist/xredist.h"

struct xredist_plan {
  explicit xredist_plan(xredist::core::Channel& its) : channel(its), life(its.life()) {}

  /// Whether the communicator for which it was made has not been freed.
  bool usable() const { return !life.expired(); }

  xredist::core::Channel& channel;
  std::weak_ptr<const void> life;
  std::vector<xredist::core::Plan> parts{};  // of the elements: two if a triangle is mirrored, else one
  xredist::core::Scalars scalars{};
};
