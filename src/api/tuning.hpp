// SPDX-License-Identifier: BSD-3-Clause
// Plans that find their fastest way while the program executes them (the option `tune`).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "exchange/channel.hpp"
#include "exchange/library.hpp"
#include "plan/buffers.hpp"
#include "tune/trials.hpp"

namespace xredist::core {

/// The plans of one execution, one for each region. Immutable and shared: exchanges under way own them as well.
using Plans = std::vector<Plan>;
using SharedPlans = std::shared_ptr<const Plans>;

class Tuning;

/// An execution as a trial. Empty for all other executions.
class Trial {
 public:
  Trial() = default;
  Trial(std::shared_ptr<Tuning> tuning, const Trials::Turn& turn);
  /// Ends the execution, which has succeeded on this process.
  void end();

 private:
  std::shared_ptr<Tuning> tuning_;
  Trials::Turn turn_{};
  double start_ = 0;
};

/// The trials of a plan, and the plans of its ways until one is chosen. Exists on the processes of both grids, which
/// start all executions in the same order. The only state of a plan that changes; under the library's lock.
class Tuning : public std::enable_shared_from_this<Tuning> {
 public:
  /// Makes the plans of all ways. `modelled`: the parts that the model has chosen. ranks_a, ranks_b, executions: as in
  /// plan_process. `routine`: for the log. Local.
  Tuning(const char* routine, const Channel& channel, const SharedPlans& modelled, std::span<const int> ranks_a,
         std::span<const int> ranks_b, double executions);

  /// Returns the parts of the next execution, and makes `trial` the trial that it is. At the end of a pass, waits until
  /// all processes of both grids have come here. Throws Withdrawn if one of them has given up.
  SharedPlans next(Channel& channel, const LibraryLock& lock, Trial& trial);

  /// Return the parts of the way that is the best so far, and the bytes of the largest buffers of any way.
  const SharedPlans& best() const { return ways_[trials_.best()].parts; }
  Index buffer_bytes() const { return buffer_bytes_; }
  std::size_t ways() const { return ways_.size(); }
  /// Returns the buffers of each way.
  std::vector<BufferSize> buffers() const;
  /// Returns what is known: "measured: the fastest of 9 ways is route=direct".
  std::string description() const;

 private:
  friend class Trial;
  struct PlannedWay {
    std::string settings;
    SharedPlans parts;  // nullptr: not chosen
  };

  void agree(Channel& channel, const LibraryLock& lock);
  void end(const Channel& channel);
  std::vector<std::string> table() const;
  bool is_first(const Channel& channel) const { return ranks_.front() == channel.rank(); }

  const char* routine_;
  std::vector<PlannedWay> ways_;
  std::vector<int> ranks_;  // of the processes of both grids, ascending
  std::string file_, key_;  // of XREDIST_TUNED; on the first process
  bool known_ = false;      // from the file
  Index buffer_bytes_ = 0;
  Trials trials_;
};

/// Returns the tuning of a plan; nullptr if the option `tune` is off, there is nothing to choose, or this process is in
/// neither grid.
std::shared_ptr<Tuning> tuning_of(const char* routine, const Channel& channel, const SharedPlans& modelled,
                                  std::span<const int> ranks_a, std::span<const int> ranks_b, double executions);

}  // namespace xredist::core
