// SPDX-License-Identifier: BSD-3-Clause
// The order of trials, and the choice that follows from their times.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "tune/ways.hpp"

namespace xredist::core {

/// Tries the ways of a plan in passes. In a pass, each way that may still win is tried twice, one way after the other.
/// After a pass the processes agree on the maximum of each time; ways that are too slow are not tried any more. The way
/// of an execution depends on the number of executions before and on agreed times alone, so it is the same on all
/// processes. Pass 0 has no trials: the processes learn whether one of them knows the result.
class Trials {
 public:
  static constexpr std::size_t repetitions = 2;
  static constexpr int last_pass = 3;
  /// The seconds of the trials of a pass; infinite where a trial failed or is still under way.
  using Times = std::array<double, repetitions * max_ways>;

  /// Starts with `ways` ways, at least 1 and at most max_ways. Allocates.
  explicit Trials(std::size_t ways);

  /// The trial that an execution is.
  struct Turn {
    std::size_t way = 0;
    int pass = 0;
    std::size_t number = 0;  ///< in the pass
  };

  /// Returns whether the way has been chosen.
  bool over() const { return over_; }
  /// Returns the way with the least time, as far as is agreed.
  std::size_t best() const { return best_; }

  /// Returns whether the processes have to agree on times() before the next execution.
  bool due() const { return !over_ && next_ == candidates_.size() * repetitions; }
  /// Says, before the end of pass 0, that an earlier run has found this way. Only one process may say so.
  void suggest(std::size_t way) { times_[0] = static_cast<double>(way + 1); }
  /// Returns the times of this pass. The processes agree on the maximum of each, and then call settle(), which
  /// allocates nothing: it fails on no process.
  Times& times() { return times_; }
  void settle();

  /// Returns the trial that the next execution is. Neither over() nor due().
  Turn take();
  /// Records the time of a trial on this process. Trials of earlier passes are ignored.
  void record(const Turn& turn, double seconds);

  /// What is agreed about a way.
  struct Found {
    double seconds = std::numeric_limits<double>::infinity();  ///< the least of the maxima over all processes
    int trials = 0;
  };
  const std::vector<Found>& found() const { return found_; }
  /// Returns the number of trials that have been settled.
  int trials() const;

 private:
  void begin_pass();

  std::vector<Found> found_;             // by way
  std::vector<std::size_t> candidates_;  // of this pass
  Times times_{};
  std::size_t next_ = 0, best_ = 0;
  int pass_ = 0;
  bool over_ = false;
};

}  // namespace xredist::core
