// SPDX-License-Identifier: BSD-3-Clause
#include <dtfft.h>

#include <memory>

#include "arrays/contender.hpp"

namespace arrays {
namespace {

dtfft_pencil_t pencil_of(const Box& box) {
  dtfft_pencil_t made{};
  made.ndims = 3;
  for (std::size_t k = 0; k < 3; ++k) {
    made.starts[k] = static_cast<std::int32_t>(box.low[k]);
    made.counts[k] = static_cast<std::int32_t>(box.high[k] - box.low[k]);
  }
  return made;
}

struct Transposes {
  explicit Transposes(const Case& c) {
    const dtfft_pencil_t pencil = pencil_of(at(boxes_of(c, c.a), drivers::rank_in_world()));
    if (c.bytes == 8)
      DTFFT_CALL(dtfft_create_plan_r2r_pencil(&pencil, nullptr, MPI_COMM_WORLD, DTFFT_DOUBLE, DTFFT_PATIENT,
                                              DTFFT_EXECUTOR_NONE, &plan))
    else
      DTFFT_CALL(dtfft_create_plan_c2c_pencil(&pencil, MPI_COMM_WORLD, DTFFT_DOUBLE, DTFFT_PATIENT, DTFFT_EXECUTOR_NONE,
                                              &plan))
    std::size_t bytes = 0;
    DTFFT_CALL(dtfft_get_alloc_bytes(plan, &bytes))
    workspace.resize(bytes / sizeof(double) + 1);
  }
  ~Transposes() { dtfft_destroy(&plan); }
  Transposes(const Transposes&) = delete;
  Transposes& operator=(const Transposes&) = delete;

  dtfft_plan_t plan{};
  std::vector<double> workspace;
};

}  // namespace

Contender dtfft(Stage& stage) {
  const Case& c = stage.c;
  if (c.dims() != 3 || (c.bytes != 8 && c.bytes != 16) || c.a.order != std::vector<int>{0, 1, 2} ||
      c.b.order != std::vector<int>{1, 2, 0} || c.a.grid[0] != 1 || c.b.grid[1] != 1 || boxes_of(c, c.a).empty() ||
      boxes_of(c, c.b).empty())
    return {"dtfft"};
  return {"dtfft", [&stage, &c]() -> std::function<void()> {
            return [&stage, made = std::make_shared<Transposes>(c)] {
              DTFFT_CALL(dtfft_transpose(made->plan, stage.a.data.data(), stage.b.data.data(), DTFFT_TRANSPOSE_X_TO_Y,
                                         made->workspace.data()))
            };
          }};
}

}  // namespace arrays
