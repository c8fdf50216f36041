// Plans of the C interface.
#pragma once

#include <string>

#include "contenders.hpp"

namespace drivers {

/// With the schedule of one of xredist::core::algorithms(). A plan moves rectangles only.
Contender planned(const Case& c, const Stage& stage, const std::string& algorithm);

}  // namespace drivers
