// Random pairs of grids, matrices and networks to plan for.
#pragma once

#include <random>

#include "schedule/cost.hpp"
#include "schedule/schedule.hpp"

/// A traffic, a network, and the processes that plan.
struct RandomCase {
  xredist::core::Traffic traffic;
  int element;   ///< bytes
  double alpha;  ///< seconds for a message
  double beta;   ///< seconds for a byte
  xredist::core::Coord sender, receiver;

  xredist::core::Network network() const { return {alpha, beta * element}; }
};

/// Two grids of up to 1024 processes: lines, squares, tall and flat ones. Blocks of 1 to 4096 elements, lengths
/// from 1 to a million or some periods, sources and offsets; alpha from 1e-7 to 1e-3, beta from 1e-12 to 1e-5.
RandomCase random_case(std::mt19937_64& random);
