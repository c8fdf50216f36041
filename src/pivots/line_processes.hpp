// SPDX-License-Identifier: BSD-3-Clause
// The processes that hold parts of the same lines, and the memory in which those of a node show each other packed
// lines.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "exchange/shared_memory.hpp"
#include "layout/index.hpp"

namespace xredist::core {

/// The processes of a communicator. A process shows packed lines to the next max_slots processes, as far as they are on
/// its node: each of them has a slot, which is free or shows the offset of its lines in the memory of this process.
class LineProcesses {
 public:
  /// Takes the communicator, and frees it in the end. `shares`: whether this process shares memory.
  LineProcesses(MPI_Comm comm, bool shares);
  ~LineProcesses();
  LineProcesses(const LineProcesses&) = delete;
  LineProcesses& operator=(const LineProcesses&) = delete;

  MPI_Comm comm() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }

  /// Finds out which processes see the memory of which. Collective the first time, a no-op afterwards. Throws
  /// std::bad_alloc.
  void meet();

  /// Return whether a process sees the memory of this process, and whether this process sees that of another one.
  bool shows_to(int target) const { return at(shown_to_, target) != 0; }
  bool sees(int source) const { return at(seen_, source).data != nullptr; }

  /// Waits until all slots are free, and returns the memory for packed lines: SharedMemory::max_bytes.
  std::byte* memory();
  /// Shows lines that have been packed at an offset (bytes) to a process that sees this memory.
  void show(int target, Index offset) {
    slot(own_.flags(), rank_, target).store(static_cast<std::uint64_t>(offset) + 1, std::memory_order_release);
  }
  /// Returns the lines that a process shows to this one, or nullptr.
  const std::byte* shown_by(int source);
  /// Gives the slot back to a process whose lines have been read.
  void have_read(int source) { slot(at(seen_, source).flags, source, rank_).store(0, std::memory_order_release); }
  /// Lets MPI and other processes of this core continue.
  void let_others_continue() const;

 private:
  std::atomic<std::uint64_t>& slot(SharedMemory::Flags* flags, int source, int target) const;

  MPI_Comm comm_;
  int rank_ = 0, size_ = 0;
  bool shares_, has_met_ = false;
  SharedMemory shared_{};
  SharedMemory::Loan own_{};
  std::vector<SharedMemory::Segment> seen_{};  // by process
  std::vector<char> shown_to_{};               // by process: 1 or 0
};

}  // namespace xredist::core
