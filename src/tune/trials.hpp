// SPDX-License-Identifier: BSD-3-Clause
// The order of trials, and the choice that follows from their times.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "tune/ways.hpp"

namespace xredist::core {

/// Tries the ways of a plan in passes. In a pass, each way that may still win is tried twice, one way after the other.
/// After a pass the processes agree on the maximum of each time; ways that are too slow are not tried any more. The
/// agreement starts with the first execution after the trials. This execution and those that may overlap with it go the
/// way that is the best so far, so that no start has to wait. The way of an execution depends on the number of
/// executions before and on agreed times alone, so it is the same on all processes. Pass 0 has no trials: the processes
/// learn whether one of them knows the result.
class Trials {
 public:
  static constexpr std::size_t repetitions = 2;
  static constexpr int last_pass = 3;
  /// The seconds of the trials of a pass; infinite where a trial failed or is still under way.
  using Times = std::array<double, repetitions * max_ways>;

  /// Starts with `ways` ways, at least 1 and at most max_ways. `overlap`: the number of executions between the start of
  /// an agreement and the use of its result, at least 1. Allocates.
  Trials(std::size_t ways, std::size_t overlap);

  /// The trial that an execution is.
  struct Turn {
    std::size_t way = 0;
    int pass = 0;
    std::size_t number = 0;  ///< in the pass
  };

  /// Returns whether the way has been chosen.
  bool over() const { return pass_ > last_pass || (pass_ > 0 && candidates_.size() <= 1); }
  /// Returns the way with the least time, as far as is agreed.
  std::size_t best() const { return best_; }

  /// Returns whether the next execution is the first after the trials of a pass. Then the processes start to agree on
  /// the maximum of each of times().
  bool closes() const { return !over() && next_ == trials_of_pass(); }
  const Times& times() const { return times_; }
  /// Returns whether the next execution needs the result of the agreement: the caller passes it to settle(), or has the
  /// processes agree again if none has a result. Both allocate nothing: they fail on no process.
  bool due() const { return !over() && next_ == trials_of_pass() + overlap_; }
  void settle(std::span<const double> agreed);
  void agree_again() { next_ = trials_of_pass(); }
  /// Says, before the end of pass 0, that an earlier run has found this way. Only one process may say so.
  void suggest(std::size_t way) { times_[0] = static_cast<double>(way + 1); }

  /// Counts the next execution, and returns the trial that it is; nothing if it goes the best way so far. Neither
  /// over() nor due().
  std::optional<Turn> take();
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
  std::size_t trials_of_pass() const { return candidates_.size() * repetitions; }
  void choose_candidates(std::size_t known);
  void drop_slow_candidates(std::span<const double> times);

  std::vector<Found> found_;             // by way
  std::vector<std::size_t> candidates_;  // of this pass; none in pass 0, and one at most if the way is chosen early
  Times times_{};                        // in pass 0: the number of the way that is known, counted from 1, or 0
  std::size_t overlap_, best_ = 0;
  int pass_ = 0;
  std::size_t next_ = 0;  // execution of this pass
};

}  // namespace xredist::core
