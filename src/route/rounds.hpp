// SPDX-License-Identifier: BSD-3-Clause
// The rounds of one process for each kind of route. An exchange carries out any list of rounds, whatever the route.
#pragma once

#include "copy/redistribution.hpp"
#include "route/mesh_route.hpp"
#include "route/transfer.hpp"
#include "route/transports.hpp"

namespace xredist::core {

/// The rounds of one process, for uncut messages.
struct Rounds {
  std::vector<Round> rounds;
  Index store_bytes = 0;  ///< bytes of the messages of one panel that this process forwards
};

/// Returns the round of direct messages of a process, in the order of a schedule.
Rounds direct_rounds(const Redistribution& redistribution, const GridPair& grids, const Schedule& schedule,
                     const Transports& transports);

/// Returns the rounds over a mesh. The store keeps messages in the order in which they are sent on.
Rounds mesh_rounds(const Redistribution& redistribution, const MeshRoute& mesh_route, Index panels,
                   const Transports& transports);

}  // namespace xredist::core
