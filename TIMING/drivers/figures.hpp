// What is reported of a case and of an algorithm.
#pragma once

#include "rounds.hpp"
#include "statistics.hpp"

namespace drivers {

struct Verdict {
  Case shown;
  int number;   ///< from 1
  Index bytes;  ///< of the elements that move
  CaseTimes times;
};

/// Of an algorithm that has been timed. Ratios are of medians, below 1 where it is the faster.
struct Figures {
  Summary seconds;
  double gigabytes_per_second;
  std::optional<double> to_scalapack;  ///< nothing where ScaLAPACK's routine has not been timed
  std::optional<double> to_memcpy;     ///< nothing where a copy is too short to be timed
};

Figures figures_of(const Verdict& verdict, const Outcome& outcome);

/// "passed", "FAILED" or "-"
std::string check_text(const Outcome& outcome);

}  // namespace drivers
