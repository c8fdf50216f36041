// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/survey.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

#include "exchange/communicator.hpp"
#include "exchange/errors.hpp"
#include "exchange/pages.hpp"
#include "exchange/progress.hpp"
#include "layout/digest.hpp"

namespace xredist::core {
namespace {

using Identities = std::vector<SharedMemory::Identity>;

// Surveys that a process keeps: programs make one grid after the other of the same processes.
constexpr std::size_t max_known_surveys = 8;

std::shared_ptr<const Survey> known_survey(const Host& host, const ProcessesDigest& processes, bool share) {
  const auto found = std::ranges::find_if(
      host.known, [&](const KnownSurvey& known) { return known.processes == processes && known.share == share; });
  return found == host.known.end() ? nullptr : found->survey;
}

// Returns a digest of the processes and of whether they share memory.
ProcessesDigest digest_of(const KnownSurvey& survey) {
  const auto& [first, second] = survey.processes;
  return {first, second + (survey.share ? 1 : 0)};
}

// Keeps a survey, unless there is no memory, in the place of an older one of the same processes, which other processes
// may have forgotten.
void keep(Host& host, KnownSurvey survey) try {
  std::erase_if(host.known, [&](const KnownSurvey& known) {
    return known.processes == survey.processes && known.share == survey.share;
  });
  if (host.known.size() == max_known_surveys) host.known.erase(host.known.begin());
  host.known.push_back(std::move(survey));
} catch (const std::bad_alloc&) {
}

// Allocates the identities of all processes. Returns whether all processes know the survey that this process knows or
// not. Throws on all processes or on none.
bool all_know(bool known, Identities& all, MPI_Comm comm, int size, Progress& progress) {
  std::array<int, 2> failing{0, !known};
  try {
    all.reserve(as_size(size));
  } catch (const std::bad_alloc&) {
    failing[0] = 1;
  }
  reduce(failing.data(), 2, MPI_INT, MPI_MAX, comm, progress);
  if (failing[0] != 0) throw OutOfMemorySomewhere();
  return failing[1] == 0;
}

// Sets the identities of all processes, by rank. Their memory has been allocated.
void gather(Identities& all, MPI_Comm comm, int rank, int size, Host& host, Progress& progress) {
  all.resize(as_size(size));
  at(all, rank) = host.shared_memory.identity();
  // A reduction takes log P messages a process. In MPI_Iallgather each process may send to every other.
  static_assert(sizeof(SharedMemory::Identity) % sizeof(std::uint64_t) == 0);
  constexpr int words = sizeof(SharedMemory::Identity) / sizeof(std::uint64_t);
  reduce(all.data(), words * size, MPI_UINT64_T, MPI_BOR, comm, progress);
}

// The nodes of a communicator, numbered by first process.
struct NumberedNodes {
  Nodes of{};                          // each rank
  std::vector<int> first{}, second{};  // processes of each node; second: -1 if it has only one
};

NumberedNodes numbered_nodes(const Identities& all) {
  NumberedNodes nodes;
  std::vector<int> of;
  struct Known {
    int number;
    Index processes = 0;
  };
  std::map<std::uint64_t, Known> known;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    Known& node = known.try_emplace(all[rank].node, Known{static_cast<int>(nodes.first.size())}).first->second;
    if (++node.processes == 1) {
      nodes.first.push_back(static_cast<int>(rank));
      nodes.second.push_back(-1);
    } else if (node.processes == 2) {
      at(nodes.second, node.number) = static_cast<int>(rank);
    }
    of.push_back(node.number);
  }
  nodes.of = std::move(of);
  return nodes;
}

// Returns the bytes that each process of a node shows. They count in the resident size of all its neighbours, so the
// more neighbours there are, the less each shows.
Index bytes_to_share(Index processes) {
  return std::clamp<Index>((Index{16} << 20) / processes, Index{64} << 10, SharedMemory::max_bytes);
}

// Returns the other processes of this node and their memory. The list ends early if a segment cannot be mapped.
Survey neighbours_of(int rank, const Identities& all, Index bytes, SharedMemory& shared_memory) {
  Survey survey;
  for (std::size_t other = 0; other < all.size(); ++other) {
    if (static_cast<int>(other) == rank || all[other].node != shared_memory.identity().node) continue;
    const SharedMemory::Segment memory = shared_memory.map(all[other], bytes);
    if (memory.data == nullptr) break;
    survey.links.neighbours.push_back(static_cast<int>(other));
    survey.memory.push_back(memory);
  }
  survey.links.shared_bytes = bytes;
  return survey;
}

constexpr int survey_tag = 10'001;  // of no other messages (channel.hpp)
constexpr int probe_bytes = 64'000;

// Memory for probes: on the heap, because threads may have small stacks. Throws std::bad_alloc.
struct ProbeMemory {
  std::unique_ptr<std::byte[]> out = std::make_unique<std::byte[]>(probe_bytes);
  std::unique_ptr<std::byte[]> in = std::make_unique<std::byte[]>(probe_bytes);
};

constexpr std::size_t probe_messages = 16;

constexpr double min_latency = 1e-9;  // as measured: 0 would mean that the latency is not known

double seconds_since(double start) { return std::max(MPI_Wtime() - start, 1e-9); }

// Returns the seconds of an operation, which runs once to connect and twice to be measured.
template <class Operation>
double seconds_of(Operation operation) {
  double least = 1;
  for (int i = 0; i < 3; ++i) {
    const double start = MPI_Wtime();
    operation();
    if (i > 0) least = std::min(least, seconds_since(start));
  }
  return least;
}

// Returns the processor time of a message, at both ends: each process sends and receives many messages at once.
double seconds_per_message(MPI_Comm comm, int to, int from) {
  std::array<std::byte, probe_messages> out{}, in;
  std::array<MPI_Request, 2 * probe_messages> requests;
  return seconds_of([&] {
           for (std::size_t k = 0; k < probe_messages; ++k) {
             MPI_Irecv(&in[k], 1, MPI_BYTE, from, survey_tag, comm, &requests[k]);
             MPI_Isend(&out[k], 1, MPI_BYTE, to, survey_tag, comm, &requests[probe_messages + k]);
           }
           MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
         }) /
         probe_messages;
}

// Returns the time of a short message from one process to the next: each process sends when it has received.
double seconds_of_turn(MPI_Comm comm, int to, int from) {
  constexpr int turns = 4;
  std::byte out{}, in;
  return seconds_of([&] {
           for (int k = 0; k < turns; ++k)
             MPI_Sendrecv(&out, 1, MPI_BYTE, to, survey_tag, &in, 1, MPI_BYTE, from, survey_tag, comm,
                          MPI_STATUS_IGNORE);
         }) /
         turns;
}

// Measures the network. The first process of each node exchanges messages with the first process of the node that is
// half of all nodes further on, and a long one with that of the next node. The other processes are silent. A turn is a
// latency and the processor time of a message, and a long message takes a turn besides its bytes.
Speed network_speed(MPI_Comm comm, int rank, const NumberedNodes& nodes, const ProbeMemory& memory) {
  const auto found = std::ranges::find(nodes.first, rank);
  if (found == nodes.first.end()) return {};
  const std::size_t count = nodes.first.size(), node = as_size(found - nodes.first.begin());
  const int to = nodes.first[(node + count / 2) % count], from = nodes.first[(node + count - count / 2) % count];
  const auto seconds_of_bytes = [&](int receiver, int sender) {
    return seconds_of([&] {
      MPI_Sendrecv(memory.out.get(), probe_bytes, MPI_BYTE, receiver, survey_tag, memory.in.get(), probe_bytes,
                   MPI_BYTE, sender, survey_tag, comm, MPI_STATUS_IGNORE);
    });
  };
  const double seconds = seconds_of_bytes(to, from);
  const double near = seconds_of_bytes(nodes.first[(node + 1) % count], nodes.first[(node + count - 1) % count]);
  const double message = seconds_per_message(comm, to, from), turn = seconds_of_turn(comm, to, from);
  constexpr double least_share_of_bytes = 1.0 / 16;  // of the time of a long message: turns vary
  const double bytes = std::max(seconds - turn, least_share_of_bytes * seconds);
  return {bytes / probe_bytes, message, std::max(turn - message, min_latency), near / probe_bytes};
}

// Measures memory on the first two processes of each node. The time of a byte is the time to copy it: a message between
// processes that share a core would measure how long they wait for each other.
Speed memory_speed(MPI_Comm comm, int rank, const NumberedNodes& nodes, const ProbeMemory& memory) {
  const auto node = as_size(nodes.of[rank]);
  const int first = nodes.first[node], second = nodes.second[node];
  if (second < 0 || (rank != first && rank != second)) return {};
  const int other = rank == first ? second : first;
  const double seconds = seconds_of([&] {
    std::memcpy(memory.in.get(), memory.out.get(), probe_bytes);
    const volatile std::byte used = memory.in[as_size(rank) % probe_bytes];
    static_cast<void>(used);
  });
  return {.seconds_per_byte = seconds / probe_bytes,
          .seconds_per_message = seconds_per_message(comm, other, other),
          .to_next_node = seconds / probe_bytes};
}

// Returns the means, over all processes that have measured, of bytes, of messages and of turns per second: a single
// late process matters little to them. The rates are integers, so that all processes compute the same.
std::array<Speed, 2> means_of(std::array<Speed, 2> speeds, MPI_Comm comm, Progress& progress) {
  std::array<std::array<Index, 5>, 2> sums{};  // of rates, and their number
  for (std::size_t k = 0; k < 2; ++k)
    if (speeds[k].seconds_per_byte > 0)
      sums[k] = {std::llround(1 / speeds[k].seconds_per_byte), std::llround(1 / speeds[k].seconds_per_message),
                 std::llround(1 / (speeds[k].seconds_per_message + speeds[k].latency)),
                 std::llround(1 / speeds[k].to_next_node), 1};
  reduce(sums.data(), 10, MPI_INT64_T, MPI_SUM, comm, progress);
  for (std::size_t k = 0; k < 2; ++k) {
    const auto [bytes, messages, turns, near, count] = sums[k];
    const auto number = static_cast<double>(count);
    const auto mean = [number](Index rates) { return number / static_cast<double>(rates); };
    if (count == 0)
      speeds[k] = {};
    else
      speeds[k] = {mean(bytes), mean(messages), mean(turns) - mean(messages), mean(near)};
  }
  return speeds;
}

// Measures speeds that some process does not know yet.
void measure(Links& links, const NumberedNodes& nodes, bool network_unknown, bool memory_unknown,
             const ProbeMemory& memory, MPI_Comm comm, Host& host, Progress& progress) {
  const int rank = rank_in(comm);
  std::array<Speed, 2> speeds{nodes.first.size() > 1 ? host.network : Speed{},
                              nodes.of.max_processes() > 1 ? host.memory : Speed{}};
  const auto probe = [&] {
    if (network_unknown && nodes.first.size() > 1) speeds[0] = network_speed(comm, rank, nodes, memory);
    if (memory_unknown && nodes.of.max_processes() > 1) speeds[1] = memory_speed(comm, rank, nodes, memory);
  };
  progress.run_unlocked(std::cref(probe));  // a reference, because nothing may be allocated between reductions
  speeds = means_of(speeds, comm, progress);
  // As integers, the rates of messages and of turns may be equal.
  if (speeds[0].seconds_per_byte > 0) speeds[0].latency = std::max(speeds[0].latency, min_latency);
  links.network = speeds[0], links.memory = speeds[1];
  if (host.network.seconds_per_byte == 0) host.network = links.network;
  if (host.memory.seconds_per_byte == 0) host.memory = links.memory;
}

}  // namespace

Host::Host() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  Digest digest;
  digest.add(std::string_view(name.data()));
  digest.add(Index{getpid()});
  digest.add(static_cast<Index>(std::chrono::steady_clock::now().time_since_epoch().count()));
  process = digest.sum();
}

std::optional<KnownSurvey> guessed_survey(const Host& host, int rank, int size) {
  for (auto known = host.known.rbegin(); known != host.known.rend(); ++known)
    if (known->rank == rank && known->size == size) return *known;
  return {};
}

SurveyGuess guess_of(const Host& host, const std::optional<KnownSurvey>& guessed, int rank) {
  SurveyGuess guess;
  for (std::size_t k = 0; k < guess.processes.size(); ++k) {
    Digest of_process;
    for (const Index value : {static_cast<Index>(k), Index{rank}, static_cast<Index>(host.process)})
      of_process.add(value);
    guess.processes[k] = of_process.sum();
  }
  if (guessed)
    guess.guessed = digest_of(*guessed);
  else
    guess.none = 1;
  return guess;
}

// If a guess is wrong, the sums are equal with a probability of 2^-128.
bool all_guessed(const SurveyGuess& sums, const std::optional<KnownSurvey>& guessed) {
  if (sums.none != 0) return false;
  const auto [first, second] = digest_of(*guessed);
  const auto size = static_cast<std::uint64_t>(guessed->size);
  return guessed->processes == sums.processes && sums.guessed == ProcessesDigest{size * first, size * second};
}

std::shared_ptr<const Survey> survey_of(MPI_Comm comm, const ProcessesDigest& processes, bool share, Host& host,
                                        Progress& progress) {
  const int rank = rank_in(comm), size = size_of(comm);
  const auto made = [](Survey survey) { return std::make_shared<const Survey>(std::move(survey)); };
  if (size == 1) {
    Survey alone;
    alone.links.page_bytes = system_page_bytes();
    return made(std::move(alone));
  }
  Identities all;
  std::shared_ptr<const Survey> known = known_survey(host, processes, share);
  if (all_know(known != nullptr, all, comm, size, progress)) return known;
  gather(all, comm, rank, size, host, progress);

  enum { out_of_memory, cannot_share, network_unknown, memory_unknown, page_bytes, questions };
  std::array<int, questions> found{0, !share, host.network.seconds_per_byte == 0, host.memory.seconds_per_byte == 0,
                                   static_cast<int>(system_page_bytes())};
  NumberedNodes nodes;
  std::shared_ptr<Survey> survey;
  std::optional<ProbeMemory> memory;
  try {
    survey = std::make_shared<Survey>();
    memory.emplace();
    nodes = numbered_nodes(all);
    if (share && nodes.of.max_processes() > 1) {
      const Index bytes = bytes_to_share(nodes.of.max_processes());
      *survey = neighbours_of(rank, all, bytes, host.shared_memory);
      const auto here = std::ranges::count(all, host.shared_memory.identity().node, &SharedMemory::Identity::node);
      found[cannot_share] = host.shared_memory.identity().cookie == 0 || std::ssize(survey->memory) < here - 1;
    }
  } catch (const std::bad_alloc&) {
    found[out_of_memory] = 1;
  }
  reduce(found.data(), questions, MPI_INT, MPI_MAX, comm, progress);
  if (found[out_of_memory]) throw OutOfMemorySomewhere();
  if (found[cannot_share]) *survey = {};
  measure(survey->links, nodes, found[network_unknown], found[memory_unknown], *memory, comm, host, progress);
  survey->links.nodes = std::move(nodes.of);
  survey->links.page_bytes = found[page_bytes];
  keep(host, {processes, rank, size, share, survey});
  return survey;
}

}  // namespace xredist::core
