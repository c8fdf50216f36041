// The exchanges of a process, one after the other.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "exchange/exchange.hpp"

namespace xredist {

/// The exchanges that the process has started, which are carried out one after the other. What is done
/// and nobody holds any more is used again: repeated calls allocate nothing.
class Queue {
 public:
  /// Starts an exchange: collective over the processes that have messages for each other, in the same
  /// order on all of them. If A and B overlap, the own part is right and the rest as the program
  /// deserves (ScaLAPACK's routine promises no more).
  std::shared_ptr<Exchange> start(std::span<const Job> jobs, Channel& channel);

  /// Makes progress; true if the exchange is done.
  bool test(const Exchange& exchange);
  void wait(const Exchange& exchange);

 private:
  void progress(bool wait);

  Workspace space_;
  std::vector<std::shared_ptr<Exchange>> exchanges_;  // the first is under way
  std::shared_ptr<Exchange> last_;                    // that was done
};

/// The process's queue; freed by MPI_Finalize.
Queue& queue();

}  // namespace xredist
