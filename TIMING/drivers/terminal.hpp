// SPDX-License-Identifier: BSD-3-Clause
// Progress on a terminal.
#pragma once

#include <cstddef>
#include <string>

namespace drivers {

/// A line on a terminal that tells what is done, the time so far, and an estimate of the time that is left, once a
/// second. Writes nothing if standard error is neither a terminal nor a pipe to a launcher of MPI on this computer
/// whose standard error is one (Linux).
class Progress {
 public:
  Progress(std::string program, std::size_t cases);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Tells that a round of a case begins; cases count from 1.
  void round(int number, int round);
  /// Empties the line, before other output.
  void clear();

 private:
  std::string program_;
  std::size_t cases_;
  bool shown_ = false, terminal_;
  double start_, printed_ = 0;
};

}  // namespace drivers
