// SPDX-License-Identifier: BSD-3-Clause
// The processes of a context, each with its rosters.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "exchange/attributes.hpp"
#include "scalapack/rosters.hpp"
#include "simulated_blacs.hpp"
#include "world.hpp"

namespace xredist::testing {

/// Returns the attributes of communicators. They outlive all tests, because MPI keeps the keyvals of a program.
inline core::Attributes& attributes() {
  static core::ReentrantMutex mutex;
  static auto* const all = new core::Attributes(mutex);
  return *all;
}

/// Returns the grid of all processes.
inline GridShape whole(int processes) {
  GridShape shape{1, processes, {}};
  for (int rank = 0; rank < processes; ++rank) shape.ranks.push_back(rank);
  return shape;
}

class Agreement {
 public:
  Agreement(int processes, unsigned seed, const Options& options = {})
      : world_(one_node(processes), 1, options, seed), own_(make_context(whole(processes), processes)) {
    for (int rank = 0; rank < processes; ++rank)
      world_.run([&](const Process&) {
        if (own_rank() != rank) return;
        rosters_.push_back(std::make_unique<core::Rosters>(attributes(), communicator_of_grid(own_), rank));
        rosters_.back()->reserve(processes);
      });
  }

  /// Runs a program on all processes. Fails the test, and returns false, if they wait for each other for ever.
  bool run(const std::function<void(const core::Channel&, core::Rosters&, Turns&)>& program) {
    return world_.run([&](const Process& process) {
      Turns turns;
      program(*process.channels.front(), *at(rosters_, own_rank()), turns);
    });
  }

  /// Returns the context itself.
  xredist_int own() const { return own_; }

 private:
  World world_;
  xredist_int own_;
  std::vector<std::unique_ptr<core::Rosters>> rosters_;
};

}  // namespace xredist::testing
