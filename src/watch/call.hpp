// SPDX-License-Identifier: BSD-3-Clause
// What the watch knows of a call of the library: facts that the calling thread states, and that another thread reads.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "layout/index.hpp"

namespace xredist::core {

/// The part of a call in which it waits for other processes, or for the file system.
enum class Phase : std::uint8_t {
  work,         ///< plans or copies, and waits for nobody
  reduction,    ///< agrees with all processes by a reduction
  broadcast,    ///< learns from one process by a broadcast
  barrier,      ///< waits until all processes are ready
  duplication,  ///< duplicates the communicator
  network,      ///< explores the network and the shared memory
  exchange,     ///< waits for the exchange of this call
  request,      ///< waits for a request of MPI that the caller has made
  stated,       ///< waits for what the caller has stated (xredist_watch_wait)
};

/// The facts about a call. Zero: unknown, unless stated otherwise.
struct Call {
  const char* routine = "";             ///< never freed, and never changed
  Index serial = 0;                     ///< number of the call on its thread
  Index inside = 0;                     ///< 1 from the begin of the call to its end
  Index m = -1, n = -1;                 ///< size of the submatrix; -1: unknown
  Index jobs = 0;                       ///< of a batch, of which the first one has this size
  std::array<std::int32_t, 4> grids{};  ///< rows and columns of A's grid and of B's
  std::int32_t context = -1;            ///< handle of the BLACS context; -1: none
  std::int32_t processes = 0;           ///< of the context or communicator
  Index communicator = 0;               ///< a number that all its processes have, and hardly another one
  Index number = 0;                     ///< of the call on its context or communicator, from 1

  friend bool operator==(const Call&, const Call&) = default;
};

/// A Call that one thread writes while others read it. A reader gets a state that the writer has completed. The writer
/// waits for nobody.
class Published {
 public:
  /// Called by one thread only, as is end().
  void write(const Call& call) {
    const auto words = std::bit_cast<Words>(call);
    const std::uint32_t version = version_.load(std::memory_order_relaxed);
    version_.store(version + 1, std::memory_order_relaxed);
    store(words, std::make_index_sequence<std::tuple_size_v<Words>>());
    version_.store(version + 2, std::memory_order_release);
  }

  /// Ends the call. Nothing else changes, so a reader may see either state.
  void end() { words_[offsetof(Call, inside) / sizeof(std::uint64_t)].store(0, std::memory_order_release); }

  /// Returns the state before a write or after it. Waits while a write is under way.
  Call read() const {
    Words words{};
    for (;;) {
      const std::uint32_t before = version_.load(std::memory_order_acquire);
      for (std::size_t k = 0; k < words.size(); ++k) words[k] = words_[k].load(std::memory_order_acquire);
      if (before % 2 == 0 && version_.load(std::memory_order_relaxed) == before) return std::bit_cast<Call>(words);
    }
  }

 private:
  using Words = std::array<std::uint64_t, sizeof(Call) / sizeof(std::uint64_t)>;
  static_assert(std::is_trivially_copyable_v<Call> && sizeof(Call) == sizeof(Words));

  // Without a loop, which would take four times as many instructions.
  template <std::size_t... K>
  void store(const Words& words, std::index_sequence<K...>) {
    (words_[K].store(words[K], std::memory_order_release), ...);
  }

  std::atomic<std::uint32_t> version_{0};  // odd while a write is under way
  std::array<std::atomic<std::uint64_t>, std::tuple_size_v<Words>> words_{};
};

}  // namespace xredist::core
