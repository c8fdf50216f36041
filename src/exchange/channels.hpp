// SPDX-License-Identifier: BSD-3-Clause
// The making and ending of channels.
#pragma once

#include <mpi.h>

#include <memory>

#include "exchange/channel.hpp"
#include "exchange/library.hpp"

namespace xredist::core {

/// Completes what is under way on a channel, and destroys it.
struct EndChannel {
  void operator()(Channel* channel) const;
};
using OwnedChannel = std::unique_ptr<Channel, EndChannel>;

/// Returns the channel on a duplicate of `parent`, which is made once and ends when `parent` is freed. Collective over
/// `parent` the first time, local afterwards. The options of rank 0 hold for all processes. Throws BadOption if one of
/// them is bad, OutOfMemorySomewhere: on all processes alike.
Channel& channel_of(MPI_Comm parent, const LibraryLock& lock);

/// Returns a channel on the communicator of a BLACS context itself: to duplicate it takes longer than a small
/// redistribution. The context outlives the channel, and the program ends if an exchange fails. Collective. Throws as
/// channel_of.
OwnedChannel channel_within(MPI_Comm context, const LibraryLock& lock);

}  // namespace xredist::core
