// SPDX-License-Identifier: BSD-3-Clause
// What a case needs before anything can be timed: processes, grids, matrices.
#pragma once

#include <mpi.h>

#include <array>

#include "cases/element.hpp"
#include "drivers/grid.hpp"

namespace drivers {

using namespace cases;

/// Made by all processes of MPI_COMM_WORLD. Those that the case does not need have no communicator and take no part in
/// what follows. Ranks in the communicator are those in MPI_COMM_WORLD.
class Stage {
 public:
  Stage(const Case& c, const Element& element);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  bool takes_part() const { return comm_ != MPI_COMM_NULL; }
  MPI_Comm comm() const { return comm_; }
  const Context& context() const { return context_; }  ///< of the same processes

  const Element& element;
  const Context grid_a, grid_b;
  Local a, b;
  const std::array<int, 9> desc_a, desc_b;  ///< array descriptors

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  const Context context_;
};

}  // namespace drivers
