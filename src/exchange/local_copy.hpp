// SPDX-License-Identifier: BSD-3-Clause
// The elements that stay on this process.
#pragma once

#include <optional>

#include "plan/batch.hpp"

namespace xredist::core {

/// Returns whether the local parts of A's and of B's submatrix share memory. Two submatrices of one array that lie side
/// by side, or one below the other, do not; subarrays of one array with strides may seem to. False on a process without
/// one of the parts.
bool overlap_in_memory(const Plan& plan, ConstArray a, Array b);

/// Copies the elements of a transfer whose peer is this process from A to B, chunk by chunk. If the arrays overlap in
/// memory, the constructor copies all of them at once, through a buffer of their size.
class LocalCopy {
 public:
  LocalCopy(const Job& job, const Transfer& transfer, Packer& packer);

  bool done() const { return !next_; }
  /// Copies a chunk. Must not be called when done.
  void step();
  int job() const { return transfer_.job; }

 private:
  Chunks chunks() const;
  void copy_aside();

  Job job_;
  Transfer transfer_;
  Packer& packer_;
  std::optional<Chunk> next_{};  // nothing when done
  Chunks later_;                 // after the next one
};

}  // namespace xredist::core
