// SPDX-License-Identifier: BSD-3-Clause
// The lines that xredist logs about tuned calls (--tune), for JSON and the page.
#pragma once

#include <string>
#include <vector>

namespace xredist::trial {

/// The log of xredist on this process, in a file of its own from which the lines go to standard error. Used if the
/// calls are tuned, and a file of results is wanted, and XREDIST_LOG does not name another place.
class TunedLog {
 public:
  TunedLog();
  TunedLog(const TunedLog&) = delete;
  TunedLog& operator=(const TunedLog&) = delete;

  /// Writes new lines to standard error, and keeps them.
  void follow();
  /// As above, for the last time. Further lines go to standard error at once.
  void end();

  /// Returns the lines about tuning of all processes on process 0, else those of this process. Collective over
  /// MPI_COMM_WORLD.
  std::vector<std::string> gathered(int rank, int size) const;

  /// Returns those of this process.
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::string name_;  ///< of the file; empty: not used
  std::size_t read_ = 0;
  std::vector<std::string> lines_;
};

}  // namespace xredist::trial
