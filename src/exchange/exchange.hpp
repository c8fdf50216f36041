// Executes plans.
#pragma once

#include <memory>
#include <vector>

#include "exchange/channel.hpp"
#include "exchange/packing.hpp"
#include "exchange/plan.hpp"

namespace xredist {

/// Memory that exchanges work in, kept from one to the next: freed and faulted in anew it would
/// cost more than a small exchange itself. One for each process; an exchange at a time.
class Workspace {
 public:
  /// At least `bytes` of memory; what it held is lost.
  std::byte* reserve(Index bytes);

  Packer packer;
  std::vector<MPI_Request> requests;
  std::vector<int> completed;
  std::vector<int> notices;  ///< see Exchange

 private:
  std::unique_ptr<std::byte[]> memory_;
  Index size_ = 0;
};

/// The process's workspace; freed by MPI_Finalize.
Workspace& workspace();

/// Moves the submatrix from A to B: collective over the processes that have messages for each
/// other. `a` and `b` are the local arrays, ld in elements; each is looked at only where this
/// process has something to send or to receive. If they overlap, the own part is right and the
/// rest as the program deserves (ScaLAPACK's routine promises no more).
void execute(const Plan& plan, Channel& channel, Workspace& space, ConstArray a, Array b);

}  // namespace xredist
