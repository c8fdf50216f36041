// SPDX-License-Identifier: BSD-3-Clause
// What the watch knows of a call of the library: facts that the calling thread states, and that another thread reads.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <type_traits>

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

/// The facts about a call, each in an `Of`. Zero: unknown, unless stated otherwise.
template <template <class> class Of>
struct CallOf {
  Of<const char*> routine = "";             ///< never freed, and never changed
  Of<Index> serial = 0;                     ///< number of the call on its thread
  Of<Index> inside = 0;                     ///< 1 from the begin of the call to its end
  Of<Index> m = -1, n = -1;                 ///< size of the submatrix; -1: unknown
  Of<Index> jobs = 0;                       ///< of a batch, of which the first one has this size
  std::array<Of<std::int32_t>, 4> grids{};  ///< rows and columns of A's grid and of B's
  Of<std::int32_t> context = -1;            ///< handle of the BLACS context; -1: none
  Of<std::int32_t> processes = 0;           ///< of the context or communicator
  Of<Index> communicator = 0;               ///< a number that all its processes have, and hardly another one
  Of<Index> number = 0;                     ///< of the call on its context or communicator, from 1

  friend bool operator==(const CallOf&, const CallOf&) = default;
};

using Call = CallOf<std::type_identity_t>;

/// A value that one thread stores, each time with all that it has stored before, while others load it.
template <class T>
class Fact {
 public:
  constexpr Fact(T value = {}) : value_(value) {}  // NOLINT(google-explicit-constructor): stands for the value
  void operator=(T value) { value_.store(value, std::memory_order_release); }
  operator T() const { return value_.load(std::memory_order_acquire); }  // NOLINT(google-explicit-constructor)

 private:
  std::atomic<T> value_;
};

using CallFacts = CallOf<Fact>;

/// The facts about a thread's call, which this thread changes while others read them. A reader gets a state between two
/// changes. The writer waits for nobody, and copies nothing: a change stores only the facts that are new.
class Published {
 public:
  /// Calls `change` with the facts. Called by one thread only, as are end() and own(). `change` is short, and does not
  /// throw.
  template <class Change>
  void change(const Change& change) {
    const std::uint32_t version = version_.load(std::memory_order_relaxed);
    version_.store(version + 1, std::memory_order_relaxed);
    change(facts_);
    version_.store(version + 2, std::memory_order_release);
  }

  /// Ends the call. Nothing else changes, so a reader may see either state.
  void end() { facts_.inside = 0; }

  /// Returns the facts to the thread that changes them.
  const CallFacts& own() const { return facts_; }

  /// Returns the state before a change or after it. Waits while a change is under way.
  Call read() const {
    for (;;) {
      const std::uint32_t before = version_.load(std::memory_order_acquire);
      const Call call = loaded(facts_);
      if (before % 2 == 0 && version_.load(std::memory_order_relaxed) == before) return call;
    }
  }

 private:
  static Call loaded(const CallFacts& facts) {
    Call call{.routine = facts.routine,
              .serial = facts.serial,
              .inside = facts.inside,
              .m = facts.m,
              .n = facts.n,
              .jobs = facts.jobs,
              .context = facts.context,
              .processes = facts.processes,
              .communicator = facts.communicator,
              .number = facts.number};
    std::ranges::copy(facts.grids, call.grids.begin());
    return call;
  }

  std::atomic<std::uint32_t> version_{0};  // odd while a change is under way
  CallFacts facts_;
};

}  // namespace xredist::core
