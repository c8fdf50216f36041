// What a program does without a library for it: pack, MPI_Alltoallv, unpack.
#pragma once

#include "contenders.hpp"

namespace drivers {

Contender alltoallv(const Case& c, const Stage& stage);

}  // namespace drivers
