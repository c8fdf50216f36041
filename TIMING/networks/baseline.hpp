// SPDX-License-Identifier: BSD-3-Clause
// Contenders on a network: plans of xredist, and baselines that send as many bytes without packing.
#pragma once

#include <string>
#include <vector>

#include "drivers/contender.hpp"

namespace networks {

using cases::Case, cases::Index, runs::Contender;

/// Returns runs::choices() and the names of the baselines.
std::vector<std::string> contenders();

/// Returns a contender. Collective over MPI_COMM_WORLD. The matrices must outlive it.
/// Baselines: "scalapack", the order of ScaLAPACK's routine (the lower of a pair sends first, each process waits for
/// one receive at a time); "at-once", all messages at once in order of rank; "alltoallv"; "steps:" and an algorithm,
/// whose schedule each process runs one step after the other, without barriers. Throws std::invalid_argument if a
/// process would send, or receive, two messages in a step.
Contender contender(const std::string& name, const runs::Matrices& x);

}  // namespace networks
