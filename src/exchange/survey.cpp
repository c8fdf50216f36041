#include "exchange/survey.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <new>

#include "exchange/channel.hpp"
#include "exchange/collectives.hpp"
#include "exchange/errors.hpp"
#include "exchange/process.hpp"

namespace xredist::core {
namespace {

using Identities = std::vector<Segments::Identity>;

// All processes' identities, by rank.
Identities gathered(MPI_Comm comm, int rank, int size, Turn& turn) {
  Identities all;
  int room = 1;
  try {
    all.resize(static_cast<std::size_t>(size));
  } catch (const std::bad_alloc&) {
    room = 0;
  }
  reduce(&room, 1, MPI_INT, MPI_MIN, comm, turn);
  if (room == 0) throw OutOfMemorySomewhere();
  all[static_cast<std::size_t>(rank)] = turn.process().segments.identity();
  // A reduction takes log P messages a process; in MPI_Iallgather each process may send to every other.
  constexpr int words = sizeof(Segments::Identity) / sizeof(std::uint64_t);
  reduce(all.data(), words * size, MPI_UINT64_T, MPI_BOR, comm, turn);
  return all;
}

// The nodes by the ranks of their first processes, and the largest number of processes on a node.
struct Nodes {
  std::vector<int> first;
  Index fullest = 0;
};

Nodes nodes_of(const Identities& all) {
  Nodes nodes;
  std::map<std::uint64_t, Index> count;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const Index processes = ++count[all[rank].node];
    if (processes == 1) nodes.first.push_back(static_cast<int>(rank));
    nodes.fullest = std::max(nodes.fullest, processes);
  }
  return nodes;
}

// Neighbours' memory counts in a process's own resident size, so the more neighbours there are, the less each shows.
Index bytes_to_share(Index processes) {
  return std::clamp<Index>((Index{16} << 20) / processes, Index{64} << 10, Segments::most_bytes);
}

// The other processes of this node and their memory. The list ends early if a segment cannot be mapped.
Survey neighbours_of(int rank, const Identities& all, Index bytes, Segments& segments) {
  Survey survey;
  for (std::size_t other = 0; other < all.size(); ++other) {
    if (static_cast<int>(other) == rank || all[other].node != segments.identity().node) continue;
    const std::byte* memory = segments.map(all[other], bytes);
    if (memory == nullptr) break;
    survey.links.neighbours.push_back(static_cast<int>(other));
    survey.memory.push_back(memory);
  }
  survey.links.shared_bytes = bytes;
  return survey;
}

// Seconds that a byte takes from node to node. The first process of each node exchanges a message with that of the node
// half of all nodes further on, while the others are silent: once to connect, twice to measure.
double seconds_per_byte(MPI_Comm comm, int rank, const std::vector<int>& first) {
  const auto found = std::ranges::find(first, rank);
  if (found == first.end()) return 0;
  const std::size_t nodes = first.size(), node = static_cast<std::size_t>(found - first.begin());
  const int to = first[(node + nodes / 2) % nodes], from = first[(node + nodes - nodes / 2) % nodes];
  constexpr int bytes = 64'000;
  std::array<std::byte, bytes> out{}, in;
  double seconds = 1;
  for (int i = 0; i < 3; ++i) {
    const double start = MPI_Wtime();
    MPI_Sendrecv(out.data(), bytes, MPI_BYTE, to, survey_tag, in.data(), bytes, MPI_BYTE, from, survey_tag, comm,
                 MPI_STATUS_IGNORE);
    if (i > 0) seconds = std::min(seconds, std::max(MPI_Wtime() - start, 1e-9));
  }
  return seconds / bytes;
}

// The mean of the rates, because then a single late process matters little. They are integers, in bytes per second, so
// that all processes compute the same.
double mean_seconds_per_byte(MPI_Comm comm, double own, Turn& turn) {
  Index rates[] = {0, 0};  // their sum and their number
  if (own > 0) rates[0] = std::llround(1 / own), rates[1] = 1;
  reduce(rates, 2, MPI_INT64_T, MPI_SUM, comm, turn);
  return rates[1] > 0 ? static_cast<double>(rates[1]) / static_cast<double>(rates[0]) : 0;
}

}  // namespace

Survey survey_of(MPI_Comm comm, bool share, Turn& turn) {
  int rank = 0, size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  if (size == 1) return {};
  Process& process = turn.process();
  const Identities all = gathered(comm, rank, size, turn);

  enum { out_of_memory, cannot_share, to_be_measured, questions };
  std::array<int, questions> wrong{0, !share, process.seconds_per_byte == 0};
  Nodes nodes;
  Survey survey;
  try {
    nodes = nodes_of(all);
    if (share && nodes.fullest > 1) {
      const Index bytes = bytes_to_share(nodes.fullest);
      survey = neighbours_of(rank, all, bytes, process.segments);
      const auto here = std::ranges::count(all, process.segments.identity().node, &Segments::Identity::node);
      wrong[cannot_share] = process.segments.identity().cookie == 0 || std::ssize(survey.memory) < here - 1;
    }
  } catch (const std::bad_alloc&) {
    wrong[out_of_memory] = 1;
  }
  reduce(wrong.data(), questions, MPI_INT, MPI_MAX, comm, turn);
  if (wrong[out_of_memory]) throw OutOfMemorySomewhere();
  if (wrong[cannot_share]) survey = {};

  if (nodes.first.size() > 1) {
    double own = process.seconds_per_byte;
    if (wrong[to_be_measured]) turn.aside([&] { own = seconds_per_byte(comm, rank, nodes.first); });
    const double mean = mean_seconds_per_byte(comm, own, turn);
    if (process.seconds_per_byte == 0) process.seconds_per_byte = mean;
    survey.links.seconds_per_byte = mean;
  }
  return survey;
}

}  // namespace xredist::core
