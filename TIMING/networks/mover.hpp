// SPDX-License-Identifier: BSD-3-Clause
// What is timed: the library with each of its algorithms, and what others do on the same network.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cases/local.hpp"

namespace networks {

using cases::Case;
using cases::Index;
using cases::Local;

struct Mover {
  std::function<void()> move;   ///< collective over MPI_COMM_WORLD; empty where there is none for the case
  bool moves_contents = false;  ///< else only as many bytes travel, without packing
};

/// The names that make_mover takes: runs::choices(), then the baselines.
std::vector<std::string> movers();

/// Collective; the elements are double. The parts outlive what is returned.
Mover make_mover(const std::string& name, const Case& c, const Local& a, const Local& b);

/// In the order of ScaLAPACK's routine ("scalapack"): the lower of a pair sends first, each waits for one receive at a
/// time; all messages at once in order of rank ("at-once"); "alltoallv".
Mover make_baseline(const std::string& name, const Case& c);

/// One step after the other on each process, no barrier between steps. Throws std::invalid_argument where a process
/// would send, or receive, two messages in a step.
Mover step_by_step(const Case& c, const xredist::core::Schedule& schedule);

}  // namespace networks
