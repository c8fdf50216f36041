// SPDX-License-Identifier: BSD-3-Clause
// The files of the roll-call. While a process waits, the folder has a file waits-JOB. Each process of the job then
// leaves a file rank-R, which xredist-roll reads.
#pragma once

#include <string>
#include <string_view>

#include "watch/text.hpp"

namespace xredist::core {

/// Where a process is.
struct Position {
  enum class State { waits, inside, outside };  ///< in a call for longer than the interval, for less time, or in none

  State state = State::outside;
  Call call{};          ///< this call, or the last one
  double seconds = 0;   ///< in this state
  std::string where{};  ///< for what the call waits; outside, what is known
};

/// The files of this process in a folder. A failure to write is logged once, and has no other effect.
class Roll {
 public:
  /// `folder`: empty for none.
  Roll(std::string folder, Who who);

  bool exists() const { return !folder_.empty(); }
  /// Begins the roll-call of the job, if it has not begun.
  void call() const;
  /// Ends the roll-call; other processes that wait begin it again.
  void end() const;
  /// Returns whether a process of the job has begun the roll-call.
  bool is_called() const;
  /// Writes the file of this process.
  void answer(const Position& place);
  /// Removes the file of this process, if this object has written it.
  void withdraw();
  bool has_answered() const { return answered_; }

 private:
  void write(const std::string& name, const std::string& text) const;

  std::string folder_;
  Who who_;
  std::string marker_, file_;  // paths
  bool answered_ = false;
  mutable bool failed_ = false;
};

/// Returns the text of a process's file: lines "name: value".
std::string text_of(const Position& place, const Who& who, std::string_view job, std::string_view date);

/// Returns what the environment calls the job, as a part of a file's name; "job" if it calls it nothing.
std::string job_name();

}  // namespace xredist::core
