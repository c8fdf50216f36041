// SPDX-License-Identifier: BSD-3-Clause
// The seconds of solvers in the layout of the program and in the fitted layout.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xredist::trial {

/// Seconds of the slowest process, which add up over calls.
struct LayoutSeconds {
  double own = 0, fitted = 0, solving = 0;  ///< solving: the part of fitted without the moves

  double moving() const { return fitted > solving ? fitted - solving : 0; }
};
static_assert(sizeof(LayoutSeconds) == 3 * sizeof(double));

/// The calls of a solver with one order and one pair of layouts. Sent as bytes.
struct LayoutTrial {
  char routine[16], layout[64], fitted_layout[64];  ///< "64 x 64 on 2 x 2"; padded with zeros
  int n, calls;
  LayoutSeconds seconds;
};

/// All trials, ordered by routine, order and layouts.
class LayoutTrials {
 public:
  void add(std::string_view routine, int n, std::string_view layout, std::string_view fitted_layout,
           const LayoutSeconds& seconds);

  /// Returns the trials of all processes on process 0, else those of this process. Collective over MPI_COMM_WORLD.
  LayoutTrials gathered(int rank, int size) const;

  const std::vector<LayoutTrial>& all() const { return trials_; }
  /// Returns a table; nothing without trials.
  std::string text() const;

 private:
  void add(const LayoutTrial& trial);

  std::vector<LayoutTrial> trials_;
};

}  // namespace xredist::trial
