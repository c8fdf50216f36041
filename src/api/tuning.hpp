// SPDX-License-Identifier: BSD-3-Clause
// Plans that find their fastest way while the program executes them (the option `tune`).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "exchange/channel.hpp"
#include "exchange/library.hpp"
#include "exchange/maximum.hpp"
#include "plan/buffers.hpp"
#include "tune/trials.hpp"

namespace xredist::core {

/// The plans of one execution, one for each region. Immutable and shared: exchanges under way own them as well.
using Plans = std::vector<Plan>;
using SharedPlans = std::shared_ptr<const Plans>;

class Tuning;

/// The part of an execution that does nothing for the choice of a way.
struct Untimed {};

/// The part of an execution that is a trial.
struct Timed {
  std::shared_ptr<Tuning> tuning;
  Trials::Turn turn;
  double start;  ///< of MPI_Wtime

  /// Records the time of the execution, which has succeeded on this process.
  void end() const;
};

/// The part of an execution that starts an agreement on the times of a pass. It starts or refuses the agreement once.
struct Closing {
  std::shared_ptr<Tuning> tuning;
  Index agreement = 0;  ///< its number; 0: not started

  /// Starts the agreement, when the execution has been started.
  void start();
  /// Tells the other processes that the execution cannot be started here.
  void refuse() const;
  /// Returns whether the agreement has ended. Until then, other processes may need this one.
  bool agreed() const;
};

using TuningPart = std::variant<Untimed, Timed, Closing>;

/// An execution of a plan: its plans, one for each region, and its part in the choice of a way.
struct Execution {
  SharedPlans parts;
  TuningPart part;

  /// Starts the agreement, if the execution closes a pass. Called when the exchange has been started.
  void start_agreement();
  /// Tells the other processes, in place of start_agreement(), that the execution cannot be started here.
  void refuse() const;
  /// Returns whether the agreement that the execution has started has ended; true without one.
  bool agreed() const;
  /// Ends the execution, which has succeeded. May be called again.
  void end();
};

/// A plan that may be tuned, and its use.
struct Tunable {
  const char* routine;                    ///< for the log
  SharedPlans modelled;                   ///< the parts that the model has chosen
  std::span<const int> ranks_a, ranks_b;  ///< as in plan_process
  const Options& options;                 ///< of the plans; the log has the options of the channel
  double executions;                      ///< as in plan_process
  /// The number of executions from the start of an agreement to the use of its result. The start that needs the result
  /// waits for the agreement.
  std::size_t overlap;
};

/// The trials of a plan, and the plans of its ways until one is chosen. Exists on the processes of both grids, which
/// start all executions in the same order. The only state of a plan that changes; under the library's lock.
class Tuning : public std::enable_shared_from_this<Tuning> {
 public:
  /// Makes the plans of all ways. Local.
  Tuning(const Tunable& plan, Channel& channel);

  /// Returns the next execution. Waits for the agreement if the execution needs its result. Often the agreement has
  /// ended already, with an earlier execution.
  Execution next(const LibraryLock& lock);

  /// Return the parts of the way that is the best so far, and the bytes of the largest buffers of any way.
  const SharedPlans& best() const { return ways_[trials_.best()].parts; }
  Index buffer_bytes() const { return buffer_bytes_; }
  std::size_t ways() const { return ways_.size(); }
  const std::shared_ptr<Maximum>& agreement() const { return agreement_; }
  /// Returns the buffers of each way.
  std::vector<BufferSize> buffers() const;
  /// Returns what is known: "measured: the fastest of 9 ways is route=direct".
  std::string description() const;

 private:
  friend struct Timed;
  friend struct Closing;
  struct PlannedWay {
    std::string settings;
    SharedPlans parts;  // nullptr: not chosen
  };

  void settle();
  void end(const Channel& channel);
  std::vector<std::string> table() const;

  const char* routine_;
  std::vector<PlannedWay> ways_;
  std::shared_ptr<Maximum> agreement_;  // over the processes of both grids; nullptr when the trials are over
  bool is_first_;                       // of these processes
  std::string file_, key_;              // of XREDIST_TUNED; on the first process
  bool known_ = false;                  // from the file
  Index buffer_bytes_ = 0;
  Trials trials_;
};

/// Returns the tuning of a plan; nullptr if the option `tune` is off, there is nothing to choose, or this process is in
/// neither grid. The queue makes progress with agreements.
std::shared_ptr<Tuning> tuning_of(const Tunable& plan, Channel& channel, Queue& queue);

}  // namespace xredist::core
