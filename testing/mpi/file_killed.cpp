// SPDX-License-Identifier: BSD-3-Clause
// usage: file_killed NAME   writes a matrix. A process other than rank 0 writes beyond the limit of its file size,
// which kills it in the middle.
#include <mpi.h>
#include <sys/resource.h>

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
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  if (xredist::testing::rank() > 0) limit.rlim_cur = 20 << 20;
  setrlimit(RLIMIT_FSIZE, &limit);
  xredist_file file{};
  file.name = argv[1];
  file.m = file.n = n;
  file.type = 'D';
  const int code = xredist_write(MPI_COMM_WORLD, &layout, local.data(), 0, &file);
  std::printf("not killed: %d\n", code);
  MPI_Finalize();
  return 0;
}
