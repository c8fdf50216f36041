// SPDX-License-Identifier: BSD-3-Clause
#include <fftw3-mpi.h>

#include <memory>

#include "arrays/contender.hpp"

namespace arrays {
namespace {

using Transpose = std::shared_ptr<std::remove_pointer_t<fftw_plan>>;

// Returns whether the processes share one axis only.
bool along(const Side& side, int axis) {
  const int procs = at(side.grid, axis);
  return procs > 1 && procs == side.processes();
}

// FFTW's arrays are row-major: its first index is the slowest axis, and everything that is faster than the second
// slowest is one element. Planning writes to A and B.
Transpose transpose_of(Stage& stage, bool exchanged) {
  const Case& c = stage.c;
  const std::size_t d = c.dims();
  const int slow = c.a.order[d - 1], second = c.a.order[d - 2];
  Index together = c.bytes / 8;
  for (std::size_t k = 0; k + 2 < d; ++k) together *= at(c.shape, c.a.order[k]);
  const std::vector<std::uint64_t> kept = stage.a.data;
  fftw_mpi_init();
  const fftw_plan plan = fftw_mpi_plan_many_transpose(
      at(c.shape, slow), at(c.shape, second), together, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,
      reinterpret_cast<double*>(stage.a.data.data()), reinterpret_cast<double*>(stage.b.data.data()), MPI_COMM_WORLD,
      FFTW_MEASURE | (exchanged ? 0U : FFTW_MPI_TRANSPOSED_OUT));
  stage.a.data = kept;
  return {plan, fftw_destroy_plan};
}

}  // namespace

Contender fftw(Stage& stage) {
  const Case& c = stage.c;
  const std::size_t d = c.dims();
  if (d < 2 || boxes_of(c, c.a).empty() || boxes_of(c, c.b).empty()) return {"fftw"};
  std::vector<int> exchanged = c.a.order;
  std::swap(exchanged[d - 1], exchanged[d - 2]);
  const bool permutes = c.b.order == exchanged;
  if ((!permutes && !c.stored_alike()) || !along(c.a, c.a.order[d - 1]) || !along(c.b, c.a.order[d - 2]))
    return {"fftw"};
  return {"fftw", [&stage, permutes]() -> std::function<void()> {
            return [plan = transpose_of(stage, permutes)] { fftw_execute(plan.get()); };
          }};
}

}  // namespace arrays
