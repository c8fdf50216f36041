// SPDX-License-Identifier: BSD-3-Clause
// Memory that the processes of a node share: packets are packed into it and unpacked from it, without a copy by MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "layout/axis.hpp"

namespace xredist::core {

/// This process's segment of shared memory, and the segments of neighbours that this process has mapped; freed by
/// MPI_Finalize. Segments are anonymous files (memfd) rather than windows of MPI_Win_allocate_shared: a full /dev/shm
/// cannot end the program by SIGBUS, the 64 MB limit of containers does not apply, and a new communicator needs no
/// collective allocation. On systems without memfd (other than Linux), and where limits do not allow it, there is none.
class SharedMemory {
 public:
  /// Usable bytes of a segment.
  static constexpr Index max_bytes = Index{2} << 20;

  /// Identifies a process, and tells its neighbours where its segment is.
  struct Identity {
    std::uint64_t node, cookie;  ///< cookie 0: the process has no segment
    std::int32_t pid, file;
  };

  SharedMemory() = default;
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  /// Returns this process's identity. The first call makes the segment.
  const Identity& identity();

  /// Maps the first `bytes` of another process's segment. Returns nullptr if that fails. The mapping stays until
  /// MPI_Finalize.
  const std::byte* map(const Identity& other, Index bytes);

  /// Returns the memory of this process's segment, or nullptr while another user has it.
  std::byte* take();
  void give_back() { taken_ = false; }

 private:
  struct Mapping {
    std::uint64_t cookie;
    std::byte* memory;
    std::size_t length;
  };
  void make();

  Identity identity_{};
  bool made_ = false, taken_ = false;
  std::byte* own_ = nullptr;
  std::vector<Mapping> mapped_;
};

}  // namespace xredist::core
