// SPDX-License-Identifier: BSD-3-Clause
// Where a program runs: computers, processor, MPI, libraries, and the time.
#pragma once

#include <string>
#include <vector>

namespace xredist::trial {

struct Where {
  std::string program;  ///< the command line, as of this process
  std::string date;     ///< of now, in UTC
  int processes = 1;
  std::vector<std::string> hosts;  ///< names of nodes, each once
  std::string processor;           ///< of this node; empty if unknown
  int cores = 0;                   ///< of this node
  std::string mpi;                 ///< its name and version
};

/// Returns where this process runs.
Where where_here();

/// Returns where all processes run, on process 0; else as above. Collective over MPI_COMM_WORLD.
Where where_all(int rank, int size);

}  // namespace xredist::trial
