// How a process reaches the others of its communicator: values, as far as plans depend on them.
#pragma once

#include <algorithm>
#include <vector>

#include "layout/axis.hpp"

namespace xredist::core {

/// How a load travels: exchange.cpp.
enum class Way { plain, shared, by_permit };

/// The same on all processes of a communicator, but for `neighbours`. As long as nothing is known of the
/// ways between processes (the default), everything travels by plain messages.
struct Links {
  std::vector<int> neighbours;  ///< ranks of those with whom this process shares memory, ascending
  Index shared_bytes = 0;       ///< of its own memory that each process shows its neighbours; 0: nobody shares
  double seconds_per_byte = 0;  ///< that the network takes, as measured; 0: not measured, or no network

  bool shares_with(int rank) const { return std::ranges::binary_search(neighbours, rank); }
};

}  // namespace xredist::core
