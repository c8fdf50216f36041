// SPDX-License-Identifier: BSD-3-Clause
// The messages of a schedule as elements of the packed buffers.
#pragma once

#include <map>
#include <vector>

#include "drivers/packed.hpp"

namespace drivers {

/// A message, or a part of one, as elements of the buffer. Parts of the messages between two processes are numbered
/// from 0 in the order of their steps, on both sides alike.
struct Part {
  int peer, begin, count, number;
};

/// What a process sends and receives in a step: at most one part in each direction if the schedule is proper. Messages
/// to oneself are left out.
struct Step {
  std::vector<Part> sent, received;
};
using Steps = std::map<Index, Step>;

Steps steps_of(const Case& c, const Packed& x, const core::Schedule& schedule);

/// Runs one step after the other on each process, without barriers: posts the sends, receives, waits for the sends.
void exchange_in_steps(const Packed& x, const Steps& steps);

/// Returns the schedule of this name, of the library or of a paper, for a network of 10 GB/s; nothing if it is not
/// defined.
std::optional<core::Schedule> schedule_of(const Case& c, const std::string& algorithm);

/// Returns the contender that exchanges packets of a step while it packs and unpacks others (pipelined.cpp).
Contender pipelined(const Stage& stage, const std::string& name, const core::Schedule& schedule);

}  // namespace drivers
