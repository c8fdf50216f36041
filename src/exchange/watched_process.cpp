// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/watched_process.hpp"

#include <mpi.h>
#include <unistd.h>

#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "exchange/communicator.hpp"
#include "layout/digest.hpp"
#include "watch/watch.hpp"

namespace xredist::core {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string("?");
}

std::vector<int> world_ranks_of(MPI_Comm comm, int size) {
  std::vector<int> ranks(as_size(size)), in_world(as_size(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  MPI_Group world = MPI_GROUP_NULL, group = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Comm_group(comm, &group);
  MPI_Group_translate_ranks(group, size, ranks.data(), world, in_world.data());
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  for (int& rank : in_world)
    if (rank == MPI_UNDEFINED) rank = -1;  // of a process that was spawned
  return in_world;
}

// Returns the number of a communicator: a digest of its processes, and how many communicators these have had before.
// All processes of the communicator make its channel, in the same order.
Index number_of(const std::vector<int>& world_ranks) {
  static std::map<Index, Index> counts;
  Digest digest;
  for (const int rank : world_ranks) digest.add(rank);
  digest.add(++counts[digest.number()]);
  return digest.number();
}

}  // namespace

void watch_process(std::string_view text) {
  if (const std::optional<WatchOption> option = watch_option(text))
    watch(*option, {rank_in(MPI_COMM_WORLD), size_of(MPI_COMM_WORLD), host_name()});
}

void watch_channel(Channel& channel) {
  if (!is_watched() && channel.options().watch > 0) watch_process(std::to_string(channel.options().watch));
  if (!is_watched()) return;
  std::vector<int> ranks = world_ranks_of(channel.comm(), channel.size());
  const Index number = number_of(ranks);
  channel.set_world_ranks(std::move(ranks), number);
}

}  // namespace xredist::core
