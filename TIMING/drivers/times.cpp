// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/times.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace drivers {
namespace {

// Returns the number of times that the interval leaves out at either end. The median is outside the interval with the
// probability that `count` tosses of a coin show at most that many heads, or at most that many tails.
std::size_t left_out(std::size_t count) {
  const auto n = static_cast<double>(count);
  double outside = 0;
  std::size_t k = 0;
  for (; k < count / 2; ++k) {
    const auto heads = static_cast<double>(k);
    outside +=
        2 * std::exp(std::lgamma(n + 1) - std::lgamma(heads + 1) - std::lgamma(n - heads + 1) - n * std::log(2.0));
    if (outside > 0.05) break;
  }
  return k == 0 ? 0 : k - 1;
}

}  // namespace

Summary summary_of(std::vector<double> times) {
  std::ranges::sort(times);
  const std::size_t n = times.size(), out = left_out(n);
  return {times.front(), (times[(n - 1) / 2] + times[n / 2]) / 2, times[out], times[n - 1 - out]};
}

int rank_in_world() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int size_of_world() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

double seconds_of(const std::function<void()>& call, MPI_Comm comm) {
  MPI_Barrier(comm);
  const double start = MPI_Wtime();
  call();
  double seconds = MPI_Wtime() - start;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm);
  return seconds;
}

std::vector<int> nodes_of_world() {
  using Name = std::array<char, 256>;
  Name name{};
  gethostname(name.data(), name.size() - 1);
  std::vector<Name> names(as_size(size_of_world()));
  MPI_Gather(name.data(), sizeof name, MPI_CHAR, names.data(), sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
  std::map<Name, int> first;
  std::vector<int> nodes(names.size());
  for (int rank = 0; rank < size_of_world(); ++rank)
    at(nodes, rank) = first.try_emplace(at(names, rank), rank).first->second;
  return nodes;
}

}  // namespace drivers
