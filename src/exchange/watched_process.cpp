// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/watched_process.hpp"

#include <mpi.h>
#include <unistd.h>

#include <array>
#include <map>
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

// Returns the rank of this process in MPI_COMM_WORLD, or -1 if process 0 is in another world, which was spawned or
// spawned this one.
int world_rank_beside_first(MPI_Comm comm) {
  MPI_Group world = MPI_GROUP_NULL, group = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Comm_group(comm, &group);
  const int first = 0;
  int in_world = MPI_UNDEFINED;
  MPI_Group_translate_ranks(group, 1, &first, world, &in_world);
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  return in_world == MPI_UNDEFINED ? -1 : rank_in(MPI_COMM_WORLD);
}

// Gathers the ranks of all processes in the world of process 0. (To translate all ranks may compare all pairs of
// processes.) Collective.
std::vector<int> gather_world_ranks(const Channel& channel, int own, Progress& progress) {
  std::vector<int> ranks(as_size(channel.size()));
  at(ranks, channel.rank()) = own + 1;
  reduce(ranks.data(), channel.size(), MPI_INT, MPI_SUM, channel.comm(), progress);
  for (int& rank : ranks) --rank;
  return ranks;
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

void watch_channel(Channel& channel, bool first_is_watched, Progress& progress) {
  if (!is_watched() && channel.options().watch > 0) watch_process(std::to_string(channel.options().watch));
  if (!first_is_watched) return;
  const int own = world_rank_beside_first(channel.comm());
  std::vector<int> ranks = gather_world_ranks(channel, own, progress);
  const Index number = number_of(ranks);
  if (own < 0) ranks.clear();
  channel.set_world_ranks(std::move(ranks), number);
}

}  // namespace xredist::core
