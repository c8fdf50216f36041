// SPDX-License-Identifier: BSD-3-Clause
// Progress on a terminal.
#pragma once

#include <cstddef>
#include <string>

namespace drivers {

/// Returns whether what this process writes to standard error appears on a terminal: directly, or through pipes to the
/// launchers of MPI that have started it on this computer (Linux). False if a launcher's output goes elsewhere.
bool stderr_is_terminal();

/// A line on a terminal that tells what is done, the time so far, and an estimate of the time that is left, once a
/// second. Writes nothing if standard error is no terminal.
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

/// Returns a duration in a few words: "42 s", "3 min 20 s", "2 h 5 min".
std::string duration_text(double seconds);

}  // namespace drivers
