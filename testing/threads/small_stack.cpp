// SPDX-License-Identifier: BSD-3-Clause
// A thread with a small stack makes the first plan of a process, which surveys the network, and executes the plan.
#include <mpi.h>
#include <pthread.h>

#include <cstdio>

#include "move.hpp"

namespace {

#ifdef MPICH_VERSION
constexpr std::size_t stack_bytes = 192 << 10;  // MPI_Comm_dup of MPICH 4.0 alone overflows 96 KB, and sometimes 128 KB
#else
constexpr std::size_t stack_bytes = 128 << 10;
#endif
constexpr int n = 100;

void* move_matrix(void* wrong) {
  using xredist::testing::size;
  xredist::testing::Move move(MPI_COMM_WORLD, {size(), 1, 7, 3}, {1, size(), 5, 2}, n, n);
  *static_cast<long*>(wrong) = move.code != 0 || xredist::testing::execute_job(move.job()) != 0 ? 1 : move.wrong();
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  if (provided < MPI_THREAD_SERIALIZED) {
    std::puts("MPI has no threads");
    MPI_Finalize();
    return 77;
  }
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_t thread;
  long wrong = 1;
  if (pthread_attr_setstacksize(&attributes, stack_bytes) != 0 ||
      pthread_create(&thread, &attributes, move_matrix, &wrong) != 0)
    std::fprintf(stderr, "there is no thread with a stack of %zu bytes\n", stack_bytes);
  else
    pthread_join(thread, nullptr);
  MPI_Finalize();
  return wrong != 0;
}
