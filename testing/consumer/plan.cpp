// SPDX-License-Identifier: BSD-3-Clause
// The C++ interface: copies a matrix from rows to columns.
#include <xredist/version.h>

#include <cstdio>
#include <vector>
#include <xredist/relabel.hpp>
#include <xredist/xredist.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int me = 0, processes = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  const xredist_layout rows{processes, 1, nullptr, 1, processes, 0, 0},
      columns{1, processes, nullptr, processes, 1, 0, 0};
  bool right = true;
  {
    const xredist::Plan<double> plan(MPI_COMM_WORLD, processes, processes, rows, 1, 1, columns, 1, 1);
    std::vector<double> a, b(static_cast<std::size_t>(processes));
    for (int j = 0; j < processes; ++j) a.push_back(100 * me + j);
    plan.execute(a.data(), 1, b.data(), processes);
    for (int i = 0; i < processes; ++i) right = right && b[static_cast<std::size_t>(i)] == 100 * i + me;
  }
  if (me == 0) std::printf("%s\n%s\n", xredist_build(), right ? "right" : "wrong");
  MPI_Finalize();
  return right ? 0 : 1;
}
