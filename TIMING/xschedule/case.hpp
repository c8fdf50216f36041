// A redistribution to be shown.
#pragma once

#include <optional>
#include <string>

#include "schedule/algorithm.hpp"

namespace xschedule {

using namespace xredist::core;

struct Case {
  std::string title;
  Layout a, b;
  Traffic traffic;
  Network network;  ///< seconds
};

struct Size {
  Index m, n;
};

/// A vector as a matrix of one column, on a grid of one column.
Layout line(Index procs, Index block, Index first = 0);

/// Of one period, lcm(P r, Q s), along each axis where no size is given. Throws std::invalid_argument,
/// with a line that names the argument, where the case is too large to be listed.
Case make_case(const Layout& a, const Layout& b, std::optional<Size> size, const Network& network);

/// Messages between two processes that share an element.
Index messages_of(const Traffic& traffic);

}  // namespace xschedule
