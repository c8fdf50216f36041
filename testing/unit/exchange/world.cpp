// SPDX-License-Identifier: BSD-3-Clause
#include "world.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "allocations.hpp"

namespace xredist::testing {
namespace {

const Communicator* surveyed = nullptr;
std::vector<SharedMemory::Segment> memories;  // shared memory of each process

}  // namespace

World::World(const Communicator& communicator, int channels, const Options& options, unsigned seed, Network network)
    : communicator_(communicator), simulation_(communicator.size(), seed, network) {
  count_allocations(false);
  surveyed = &communicator_;
  memories.assign(communicator_.nodes.size(), {});
  std::vector<MPI_Comm> comms;
  for (int k = 0; k < channels; ++k) comms.push_back(simulation_.communicator());
  for (int rank = 0; rank < communicator_.size(); ++rank) {
    SharedMemory& memory = processes_.emplace_back(std::make_unique<Process>())->host.shared_memory;
    if (communicator_.shared_bytes == 0) continue;
    memory.identity();
    const SharedMemory::Loan loan = memory.lend();
    at(memories, rank) = {loan.flags(), loan.memory()};
  }
  run([&](Process& process) {
    Turns turns;
    std::uint64_t key = 0;
    for (const MPI_Comm comm : comms) {
      process.channels.push_back(std::make_unique<Channel>(process.host, communicator_.size()));
      process.channels.back()->open(comm, Channel::Owner::channel, {options, ++key});
      process.channels.back()->explore(turns);
    }
  });
}

// After a deadlock nothing is freed, because the programs are in the middle of calls.
World::~World() {
  if (hangs_)
    for (auto& process : processes_) static_cast<void>(process.release());
  else
    simulation_.run([&](int rank) { at(processes_, rank).reset(); });
  count_allocations(true);
}

bool World::run(const std::function<void(Process&)>& program) {
  hangs_ = hangs_ || !simulation_.run([&](int rank) { program(*at(processes_, rank)); });
  EXPECT_FALSE(hangs_) << "the processes wait for each other for ever";
  return !hangs_;
}

Moves::Moves(const Communicator& communicator, const std::vector<Placed>& members, const std::vector<Placed>& of_last)
    : parts_(as_size(communicator.size())) {
  for (int rank = 0; rank < communicator.size(); ++rank) {
    Part& part = at(parts_, rank);
    const bool disagrees = !of_last.empty() && rank == communicator.size() - 1;
    for (const Placed& placed : disagrees ? of_last : members) {
      const Plan& plan = part.plans.emplace_back(placed.plan_of(communicator, rank));
      const auto local = [&](const Layout& layout, const LocalPart& of) {
        return of.at ? std::optional<LocalArray>(std::in_place, layout, *of.at, placed.call) : std::nullopt;
      };
      part.a.push_back(local(placed.call.a, plan.a));
      part.b.push_back(local(placed.call.b, plan.b));
    }
    part.expected = part.b;
  }
  for (std::size_t k = 0; k < members.size() && of_last.empty(); ++k) {
    const auto& [a, b, m, n, region, bytes] = members[k].call;
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < m; ++i) {
        const auto number = static_cast<std::uint32_t>(1 + i + 1000 * (j + 1000 * static_cast<Index>(k)));
        at(parts_, members[k].sender({owner(a.rows, i), owner(a.cols, j)})).a[k]->put(i, j, number);
        if (moves(region, i, j))
          at(parts_, members[k].receiver({owner(b.rows, i), owner(b.cols, j)})).expected[k]->put(i, j, number);
      }
  }
  const auto data = [](auto& array) { return array ? array->memory.data() : nullptr; };
  const auto ld = [](auto& array) { return array ? array->rows.count : 0; };
  for (Part& part : parts_)
    for (std::size_t k = 0; k < members.size(); ++k)
      part.jobs.push_back({.plan = &part.plans[k],
                           .a = {data(part.a[k]), ld(part.a[k])},
                           .b = {data(part.b[k]), ld(part.b[k])},
                           .member = static_cast<int>(k),
                           .panels = members[k].panels});
}

void Moves::expect_complete(int member) {
  Part& part = at(parts_, own_rank());
  if (at(part.b, member)) {
    EXPECT_EQ(at(part.b, member)->memory, at(part.expected, member)->memory) << "process " << own_rank();
  }
  if (at(part.a, member)) std::ranges::fill(at(part.a, member)->memory, std::byte{0xee});
}

void Moves::expect_complete() {
  for (int member = 0; member < members(); ++member) expect_complete(member);
}

std::shared_ptr<Exchange> start(Process& process, const Moves& moves, Channel& channel, std::thread::id lane) {
  const Counted counted;
  try {
    return process.queue.start(moves.jobs(), channel, lane);
  } catch (...) {
    withdraw(moves, channel);
    throw;
  }
}

void withdraw(const Moves& moves, Channel& channel) {
  const Ledger::Entry exchange = channel.ledger().open();
  for (const Job& job : moves.jobs()) channel.withdraw(exchange, *job.plan);
}

void wait(Process& process, const std::shared_ptr<Exchange>& exchange, Progress& progress, int member) {
  const Counted counted;
  if (exchange) process.queue.wait(*exchange, progress, member);
}

void wait_or_be_told_for_ever(Process& process, const std::shared_ptr<Exchange>& exchange, Progress& progress) {
  try {
    wait(process, exchange, progress);
  } catch (const PeerFailed& withdrawn) {
    EXPECT_TRUE(withdrawn.permanent);
  }
}

Placed whole_matrix(Index m, Index n, int from, int to, const Options& options) {
  const Layout one{{m, 1, 0, 0}, {n, 1, 0, 0}};
  return {{one, one, m, n, {}, 8}, {from}, {to}, options};
}

Communicator one_node(int size, Index shared_bytes) { return {std::vector<int>(as_size(size), 0), shared_bytes, 0}; }

}  // namespace xredist::testing

namespace xredist::core {

// In place of exchange/survey.cpp: the communicator of the test.
Host::Host() : process(0) {}

std::shared_ptr<const Survey> survey_of(MPI_Comm, const ProcessesDigest&, bool, Host&, Progress&) {
  const testing::Communicator& communicator = *testing::surveyed;
  Survey survey{communicator.links_of(testing::own_rank()), {}};
  for (const int neighbour : survey.links.neighbours) survey.memory.push_back(at(testing::memories, neighbour));
  return std::make_shared<const Survey>(std::move(survey));
}

}  // namespace xredist::core
