// What a plan of the C interface holds.
#pragma once

#include <vector>

#include "exchange/channel.hpp"
#include "plan/plan.hpp"
#include "xredist/xredist.h"

struct xredist_plan {
  xredist::core::Channel& channel;
  std::vector<xredist::core::Plan> parts;  // of the elements: two if a triangle is mirrored, else one
  xredist::core::Scalars scalars{};
};
