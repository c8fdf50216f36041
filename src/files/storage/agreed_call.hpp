// SPDX-License-Identifier: BSD-3-Clause
// The arguments of a call of file.h after their checks.
#pragma once

#include <memory>

#include "storage/distributed.hpp"
#include "storage/subarray.hpp"

namespace xredist::files {

/// A call whose arguments are right, and equal on all processes.
struct Call {
  std::unique_ptr<const DistributedArray> array;
  Subarray subarray;
};

}  // namespace xredist::files
