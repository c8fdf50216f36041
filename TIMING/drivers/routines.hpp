// P?GEMR2D and P?TRMR2D, ScaLAPACK's own and ours, in one process.
#pragma once

#include <string>

#include "contenders.hpp"

namespace drivers {

Contender scalapack(const Case& c, const Stage& stage);
Contender drop_in(const Case& c, const Stage& stage);

/// The files that they are in.
std::string scalapack_file();
std::string drop_in_file();

}  // namespace drivers
