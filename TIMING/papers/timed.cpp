#include "timed.hpp"

#include <mpi.h>

#include <algorithm>
#include <vector>

namespace papers {

Times timed(int repetitions, const std::function<void()>& prepare, const std::function<void()>& call) {
  prepare();
  call();
  std::vector<double> all;
  for (int i = 0; i < repetitions; ++i) {
    prepare();
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    call();
    double seconds = MPI_Wtime() - start;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    all.push_back(seconds);
  }
  std::ranges::sort(all);
  return {all.size(), all[all.size() / 2], all.front(), all.back()};
}

Times timed(int repetitions, const std::function<void()>& call) {
  return timed(
      repetitions, [] {}, call);
}

bool everywhere(bool holds) {
  int all = holds;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return all != 0;
}

}  // namespace papers
