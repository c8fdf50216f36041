// SPDX-License-Identifier: BSD-3-Clause
// Memory that the processes of a node share: packets are packed into it and unpacked from it, without a copy by MPI.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "plan/packet_limits.hpp"

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

  /// What the owner of a segment and its neighbours tell each other about the slots of the segment. The owner packs a
  /// packet into a slot, sets the bytes, and stores the identity of the packet. The neighbour for which the packet is
  /// unpacks it, and stores 0.
  struct Flags {
    std::array<std::atomic<std::uint64_t>, max_slots> shown;  ///< identities of packets (Wire); 0: the slot is free
    std::array<std::int32_t, max_slots> bytes;                ///< of the packets that are shown
  };

  /// A segment, as a neighbour has mapped it.
  struct Segment {
    Flags* flags = nullptr;
    const std::byte* data = nullptr;
  };

  SharedMemory() = default;
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  /// Returns this process's identity. The first call makes the segment.
  const Identity& identity();

  /// Maps the flags and the first `bytes` of another process's segment. Returns a segment without data if that fails.
  /// The mapping stays until MPI_Finalize.
  Segment map(const Identity& other, Index bytes);

  /// The right to write into this process's segment, given back when it is destroyed.
  class Loan {
   public:
    Loan() = default;
    Loan(Loan&& other) noexcept : from_(std::exchange(other.from_, nullptr)) {}
    Loan& operator=(Loan other) noexcept {
      std::swap(from_, other.from_);
      return *this;
    }
    ~Loan() {
      if (from_ != nullptr) from_->lent_ = false;
    }
    /// Return the memory and the flags of the segment, or nullptr.
    std::byte* memory() const;
    Flags* flags() const;

   private:
    friend class SharedMemory;
    explicit Loan(SharedMemory* from) : from_(from) {}
    SharedMemory* from_ = nullptr;
  };

  /// Lends the memory of this process's segment; an empty loan while another user has it.
  Loan lend() {
    if (own_ == nullptr || lent_) return {};
    lent_ = true;
    return Loan(this);
  }

 private:
  struct Mapping {
    std::uint64_t cookie;
    std::byte* memory;
    std::size_t length;
  };
  void make();

  Identity identity_{};
  bool made_ = false, lent_ = false;
  std::byte* own_ = nullptr;
  std::vector<Mapping> mapped_;
};

}  // namespace xredist::core
