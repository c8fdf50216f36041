// SPDX-License-Identifier: BSD-3-Clause
// The search for the fastest way of a plan. Knows no clock and no processes: the caller executes the ways.
#pragma once

#include <array>
#include <limits>
#include <span>

#include "tune/ways.hpp"

namespace xredist::core {

/// The number of trials of each way in a pass: the second one finds warm caches.
inline constexpr std::size_t repetitions = 2;
/// The maximum number of trials of a pass.
inline constexpr std::size_t max_trials = repetitions * max_ways;

/// What is known about a way: the least time of its trials, and their number.
struct WayTime {
  double seconds = std::numeric_limits<double>::infinity();
  int trials = 0;
};

/// The times of all ways of a plan. Needs no memory, so that no process fails while the others measure.
class Measured {
 public:
  /// `ways`: at least 1 and at most max_ways.
  explicit Measured(std::size_t ways) : count_(ways) {}

  std::span<const WayTime> ways() const { return std::span(ways_).first(count_); }
  /// Returns the fastest way. The first way, the model's choice, stays unless another one saves 1 %.
  std::size_t best() const;
  /// Returns the number of all trials.
  int trials() const;

  /// The ways of a pass in the order of their trials.
  struct Pass {
    std::array<std::size_t, max_trials> ways{};
    std::size_t count = 0;

    std::span<const std::size_t> trials() const { return std::span(ways).first(count); }
  };
  /// Returns the pass in which the ways that take at most `limit` times the time of the best one are tried, one after
  /// the other, and then all of them again.
  Pass pass_within(double limit) const;
  /// Records the seconds of each trial of a pass.
  void add(const Pass& pass, std::span<const double> seconds);

 private:
  std::array<WayTime, max_ways> ways_{};
  std::size_t count_;
};

/// The limits of the passes, as ratios to the least time: slower ways are tried no more.
inline constexpr double pass_limits[] = {std::numeric_limits<double>::infinity(), 1.3, 1.1};

/// Measures ways in passes, until the fastest one is known. `execute(trials, seconds)` executes the ways `trials` one
/// after the other and sets the seconds of each. If these times are equal on all processes, so is the result.
template <class Execute>
Measured measure(std::size_t ways, const Execute& execute) {
  Measured measured(ways);
  for (const double limit : pass_limits) {
    const Measured::Pass pass = measured.pass_within(limit);
    if (pass.count <= repetitions) break;
    std::array<double, max_trials> seconds{};
    execute(pass.trials(), std::span(seconds).first(pass.count));
    measured.add(pass, seconds);
  }
  return measured;
}

}  // namespace xredist::core
