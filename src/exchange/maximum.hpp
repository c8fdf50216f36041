// SPDX-License-Identifier: BSD-3-Clause
// A reduction over some of a channel's processes.
#pragma once

#include <span>

#include "exchange/channel.hpp"
#include "exchange/library.hpp"

namespace xredist::core {

/// The maximum number of values of one reduction.
inline constexpr std::size_t max_reduced = 32;

/// Replaces each value by its maximum over the processes `ranks`. Collective over these, which pass the same ranks in
/// the same order and call in the order of their exchanges. Exchanges under way make progress meanwhile. Allocates
/// nothing. Throws Withdrawn if a neighbour in the tree has given up; then no process gets a result.
void take_maximum(std::span<double> values, std::span<const int> ranks, Channel& channel, const LibraryLock& lock);

}  // namespace xredist::core
