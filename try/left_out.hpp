// SPDX-License-Identifier: BSD-3-Clause
// Calls that only the program's own routine carries out, and the reasons.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "layout/index.hpp"

namespace xredist::trial {

/// The number of calls that were left out, by routine and reason.
class LeftOut {
 public:
  void count(std::string_view routine, std::string_view why, core::Index calls = 1);
  bool empty() const { return calls_.empty(); }

  /// Returns the calls of all processes on process 0, else those of this process. Collective over MPI_COMM_WORLD.
  LeftOut gathered(int rank, int size) const;

  /// Returns a line for each routine and reason, each with a line end.
  std::string text() const;
  /// Returns a JSON array of objects with the members routine, why and calls.
  std::string json() const;

 private:
  std::map<std::pair<std::string, std::string>, core::Index> calls_;
};

}  // namespace xredist::trial
