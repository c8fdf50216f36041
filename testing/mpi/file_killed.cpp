// SPDX-License-Identifier: BSD-3-Clause
// usage: file_killed NAME   writes a matrix. The last process is killed when some panels have been written.
#include <mpi.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "ranks.hpp"
#include "xredist/file.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 2) return 2;
  constexpr int n = 2000;
  xredist_layout layout{};
  layout.nprow = xredist::testing::size(), layout.npcol = 1, layout.mb = layout.nb = 10;
  std::int64_t rows = 0, cols = 0;
  xredist_local_size(&layout, n, n, xredist::testing::rank(), &rows, &cols);
  const std::vector<double> local(static_cast<std::size_t>(rows * cols), 1);
  xredist_file file{};
  file.name = argv[1];
  file.m = file.n = n;
  file.type = 'D';
  if (xredist::testing::rank() == xredist::testing::size() - 1) {
    file.progress = [](std::int64_t done, std::int64_t all, void*) {
      if (done < all) std::raise(SIGKILL);
    };
  }
  const int code = xredist_write(MPI_COMM_WORLD, &layout, local.data(), 0, &file);
  std::printf("not killed: %d\n", code);
  MPI_Finalize();
  return 0;
}
