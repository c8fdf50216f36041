// SPDX-License-Identifier: BSD-3-Clause
// Messages that travel in two hops over a mesh of the processes.
#pragma once

#include <string>
#include <vector>

#include "xschedule/listed_schedule.hpp"

namespace xschedule {

/// The schedules of both hops, as the library makes them where there is room for all that is kept in between. What a
/// process has for another in a hop is one message. None where the mesh is one row or one column, or very large.
std::vector<ListedSchedule> two_hops_of(const std::string& name, const Shown& c);

/// In a few words: the mesh and the steps.
std::string described_hops(const std::vector<ListedSchedule>& hops);

}  // namespace xschedule
