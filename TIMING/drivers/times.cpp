// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/times.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <string>

namespace drivers {
namespace {

using NodeName = std::array<char, 256>;

NodeName name_of_node() {
  NodeName name{};
  gethostname(name.data(), name.size() - 1);
  return name;
}

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

bool has_global_clock() {
  int *is_global = nullptr, found = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, static_cast<void*>(&is_global), &found);
  return found != 0 && *is_global != 0;
}

// The clock that this process shares with others: that of MPI if all processes have it, as in a simulation, otherwise
// that of the node. (MPI_Wtime of Open MPI counts from another moment in each process.)
struct Clock {
  bool is_global = has_global_clock();
  double node = is_global ? 0 : static_cast<double>(std::hash<std::string>{}(name_of_node().data()) >> 12U);

  double now() const {
    using std::chrono::duration, std::chrono::steady_clock;
    return is_global ? MPI_Wtime() : duration<double>(steady_clock::now().time_since_epoch()).count();
  }
};

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

// Processes that share a core leave the barrier one after the other, and some do their part of the call before others
// have left it: the longest time of a process would be half of the whole.
double seconds_of(const std::function<void()>& call, MPI_Comm comm) {
  static const Clock clock;
  MPI_Barrier(comm);
  const double start = clock.now();
  call();
  const double end = clock.now();
  std::array values{-start, end, end - start, clock.node, -clock.node};
  MPI_Allreduce(MPI_IN_PLACE, values.data(), values.size(), MPI_DOUBLE, MPI_MAX, comm);
  const auto& [minus_first_start, last_end, longest, node, minus_node] = values;
  return node == -minus_node ? minus_first_start + last_end : longest;
}

std::vector<int> nodes_of_world() {
  const NodeName name = name_of_node();
  std::vector<NodeName> names(as_size(size_of_world()));
  MPI_Gather(name.data(), sizeof name, MPI_CHAR, names.data(), sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
  std::map<NodeName, int> first;
  std::vector<int> nodes(names.size());
  for (int rank = 0; rank < size_of_world(); ++rank)
    at(nodes, rank) = first.try_emplace(at(names, rank), rank).first->second;
  return nodes;
}

}  // namespace drivers
