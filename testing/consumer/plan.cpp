// SPDX-License-Identifier: BSD-3-Clause
// The C++ interface, as C++17: copies a matrix from rows to columns.
#include <xredist/version.h>

#include <cstdio>
#include <vector>
#include <xredist/xredist.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int me = 0, processes = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  bool right = true;
  try {
    xredist::Layout rows, columns;
    rows.nprow = columns.npcol = processes;
    rows.npcol = columns.nprow = 1;
    rows.mb = columns.nb = 1;
    rows.nb = columns.mb = processes;
    xredist::Operation copy;
    copy.m = copy.n = processes;
    const xredist::Plan<double> plan(MPI_COMM_WORLD, rows, columns, copy);

    std::vector<double> a, b(static_cast<std::size_t>(processes));
    for (int j = 0; j < processes; ++j) a.push_back(100 * me + j);
    plan.execute(a, b);
    for (int i = 0; i < processes; ++i) right = right && b[static_cast<std::size_t>(i)] == 100 * i + me;
  } catch (const xredist::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  if (me == 0) std::printf("%s\n%s\n", xredist_build(), right ? "right" : "wrong");
  MPI_Finalize();
  return right ? 0 : 1;
}
