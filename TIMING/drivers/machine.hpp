// On what, and with what, the times were taken.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace drivers {

using Entries = std::vector<std::pair<std::string, std::string>>;

struct Description {
  Entries machine, mpi, library;
};

/// Called by all processes; the machine is that of process 0.
Description describe();

}  // namespace drivers
