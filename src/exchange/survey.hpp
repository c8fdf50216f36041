// What the processes of a communicator find out about the ways between them.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "plan/links.hpp"

namespace xredist::core {

class Turn;

struct Survey {
  Links links;
  std::vector<const std::byte*> memory;  ///< of each of links.neighbours, mapped: nothing can fail later
};

/// Collective. Processes of one node share memory if all of them, on all nodes, can map that of all their neighbours;
/// otherwise nobody does. `share`: whether it is wanted, the same on all. The network is measured once in the life of a
/// process. Throws OutOfMemorySomewhere.
Survey survey_of(MPI_Comm comm, bool share, Turn& turn);

}  // namespace xredist::core
