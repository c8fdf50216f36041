// SPDX-License-Identifier: BSD-3-Clause
#include <memory>

#include "arrays/contender.hpp"

extern "C" {
void arrays_decomp2d_start(const int n[3], int rows, int columns, int complex_elements);
void arrays_decomp2d_stop();
void arrays_decomp2d_real(int from_y, void* a, void* b);
void arrays_decomp2d_complex(int from_y, void* a, void* b);
}

namespace arrays {
namespace {

struct Decomposition {
  Decomposition(const Case& c, int rows, int columns) {
    const std::array<int, 3> n{static_cast<int>(c.shape[0]), static_cast<int>(c.shape[1]),
                               static_cast<int>(c.shape[2])};
    arrays_decomp2d_start(n.data(), rows, columns, c.bytes == 16);
  }
  ~Decomposition() { arrays_decomp2d_stop(); }
  Decomposition(const Decomposition&) = delete;
  Decomposition& operator=(const Decomposition&) = delete;
};

// Returns whether all processes have boxes of the same shape: 2DECOMP&FFT divides other arrays in a way of its own.
bool equal_boxes(const Case& c, const Side& side) {
  for (std::size_t k = 0; k < c.dims(); ++k)
    if (side.axes[k].block > 0 || c.shape[k] % side.grid[k] != 0) return false;
  return true;
}

}  // namespace

Contender decomp2d(Stage& stage) {
  const Case& c = stage.c;
  const std::vector<int> natural{0, 1, 2};
  if (c.a.order != natural || c.b.order != natural || (c.bytes != 8 && c.bytes != 16) || !equal_boxes(c, c.a) ||
      !equal_boxes(c, c.b))
    return {"2decomp"};
  const auto from_to = [&](int from, int to) {
    return at(c.a.grid, from) == 1 && at(c.b.grid, to) == 1 && at(c.a.grid, to) == at(c.b.grid, from);
  };
  const bool x_to_y = from_to(0, 1), y_to_z = from_to(1, 2);
  if (!x_to_y && !y_to_z) return {"2decomp"};
  const int rows = x_to_y ? c.a.grid[1] : c.a.grid[0], columns = c.a.grid[2];
  return {"2decomp", [&stage, &c, rows, columns, y_to_z]() -> std::function<void()> {
            return [&stage, &c, y_to_z, made = std::make_shared<Decomposition>(c, rows, columns)] {
              (c.bytes == 8 ? arrays_decomp2d_real : arrays_decomp2d_complex)(y_to_z, stage.a.data.data(),
                                                                              stage.b.data.data());
            };
          }};
}

}  // namespace arrays
