// SPDX-License-Identifier: BSD-3-Clause
// Anything at once: overlapping communicators, several exchanges under way, batches, options that change, tests and
// waits in any order. All processes draw the same operations; each draws for itself when it tests and waits.
// XREDIST_TEST_SEED, XREDIST_TEST_ROUNDS: other and more operations.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "environment.hpp"
#include "move.hpp"
#include "random.hpp"

namespace xredist::testing {
namespace {

using Index = std::int64_t;

// A communicator of some of the processes, and this one's rank in it, if it has one.
struct Group {
  MPI_Comm comm = MPI_COMM_NULL;
  int processes = 0, me = -1;

  explicit Group(std::vector<int> members) : processes(static_cast<int>(members.size())) {
    const auto place = std::ranges::find(members, rank());
    if (place != members.end()) me = static_cast<int>(place - members.begin());
    MPI_Comm_split(MPI_COMM_WORLD, me < 0 ? MPI_UNDEFINED : 0, me, &comm);
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group() {
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  }
};

// A layout on some of the processes, and the position (from 0) of a submatrix.
struct Place {
  GridShape grid;
  xredist_layout layout;
  Index i, j, spare;

  Place(Random& random, int processes) : grid(random_grid(random, processes)) {
    const auto& [nprow, npcol, ranks] = grid;
    const auto block = [&] { return random.one_in(3) ? random.in(1, 3) : random.in(1, 40); };
    layout = {nprow, npcol, block(), block(), random.in(0, nprow - 1), random.in(0, npcol - 1), ranks.data()};
    i = random.one_in(2) ? 0 : random.in(0, 50);
    j = random.one_in(2) ? 0 : random.in(0, 50);
    spare = random.in(0, 3);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  Part part(Index m, Index n, int me) const { return {layout, i + m, j + n, me, spare}; }
};

struct Submatrix {
  Index m, n;
  Place from, to;
  Part a, b;
  xredist_plan* plan = nullptr;

  Submatrix(Random& random, const Group& group)
      : m(random.one_in(9) ? 0 : random.in(1, random.one_in(3) ? 600 : 60)),
        n(random.in(1, random.one_in(3) ? 600 : 60)),
        from(random, group.processes),
        to(random, group.processes),
        a(from.part(m, n, group.me)),
        b(to.part(m, n, group.me)) {
    a.each([&](double& x, Index i, Index j) { x = element(i - from.i, j - from.j); });
    if (group.me < 0) return;
    EXPECT_EQ(
        create_plan(group.comm, from.layout, to.layout,
                    {.m = m, .n = n, .ia = from.i + 1, .ja = from.j + 1, .ib = to.i + 1, .jb = to.j + 1, .bytes = 8},
                    &plan),
        0);
  }
  ~Submatrix() { xredist_plan_destroy(plan); }

  double element(Index k, Index l) const { return static_cast<double>(l * m + k); }
  void expect_moved() {
    Index wrong = 0;
    b.each([&](double x, Index i, Index j) {
      const bool inside = i >= to.i && j >= to.j;
      wrong += x != (inside ? element(i - to.i, j - to.j) : -1.0);
    });
    EXPECT_EQ(wrong, 0) << m << " x " << n;
  }
};

struct StartedMoves {
  std::vector<std::unique_ptr<Submatrix>> moves;
  xredist_request* request = nullptr;

  void start() {
    std::vector<xredist_job> jobs;
    for (const auto& move : moves)
      jobs.push_back({move->plan, move->a.data.data(), move->a.ld, move->b.data.data(), move->b.ld});
    EXPECT_EQ(xredist_start(static_cast<int>(jobs.size()), jobs.data(), &request), 0);
  }
};

void change_an_option(Random& random, const Group& group) {
  static const std::vector<std::pair<const char*, std::vector<const char*>>> options = {
      {"algorithm", {"default", "optimal", "split", "quantised", "caterpillar", "reference", "shifted", "rank"}},
      {"buffer", {"1M", "16M", "3M"}},
      {"shared", {"0", "1"}},
      {"permits", {"0", "1", "2"}},
      {"beta", {"100", "100000"}}};
  const auto& [name, values] = options[static_cast<std::size_t>(random.in(0, static_cast<int>(options.size()) - 1))];
  const char* value = values[static_cast<std::size_t>(random.in(0, static_cast<int>(values.size()) - 1))];
  if (group.me >= 0) {
    EXPECT_EQ(xredist_set_option(group.comm, name, value), 0);
  }
}

// Tests and waits for some of the operations, as this process draws.
void look_after(std::vector<StartedMoves>& operations, Random& mine) {
  for (StartedMoves& operation : operations) {
    int done = 0;
    if (mine.one_in(3)) {
      EXPECT_EQ(xredist_test(&operation.request, &done), 0);
    }
    if (mine.one_in(8)) {
      EXPECT_EQ(xredist_wait(&operation.request), 0);
    }
  }
}

void round(Random& all, Random& mine, std::vector<std::unique_ptr<Group>>& groups) {
  std::vector<StartedMoves> operations;
  for (int k = all.in(1, 6); k > 0; --k) {
    if (all.one_in(6)) {  // a communicator that the library has not seen
      std::vector<int> members(static_cast<std::size_t>(size()));
      std::iota(members.begin(), members.end(), 0);
      all.shuffle(members);
      members.resize(static_cast<std::size_t>(all.in(1, size())));
      for (StartedMoves& operation : operations)
        EXPECT_EQ(xredist_wait(&operation.request), 0);  // because MPI_Comm_split waits for all processes
      groups[static_cast<std::size_t>(all.in(1, static_cast<int>(groups.size()) - 1))] =
          std::make_unique<Group>(members);
    }
    const Group& group = *groups[static_cast<std::size_t>(all.in(0, static_cast<int>(groups.size()) - 1))];
    if (all.one_in(3)) change_an_option(all, group);
    StartedMoves operation;
    for (int j = all.one_in(3) ? all.in(2, 4) : 1; j > 0; --j) {
      operation.moves.push_back(std::make_unique<Submatrix>(all, group));
      if (all.one_in(4)) change_an_option(all, group);
    }
    if (group.me < 0) continue;
    operation.start();
    operations.push_back(std::move(operation));
    look_after(operations, mine);
  }
  mine.shuffle(operations);
  for (StartedMoves& operation : operations) {
    EXPECT_EQ(xredist_wait(&operation.request), 0);
    for (const auto& move : operation.moves) move->expect_moved();
  }
}

TEST(Stress, Rounds) {
  const unsigned seed = test_seed(1);
  Random all(seed), mine(1000 * seed + static_cast<unsigned>(rank()));
  std::vector<std::unique_ptr<Group>> groups;
  std::vector<int> members(static_cast<std::size_t>(size()));
  std::iota(members.begin(), members.end(), 0);
  groups.push_back(std::make_unique<Group>(members));
  for (int k = 0; k < 3; ++k) {
    all.shuffle(members);
    groups.push_back(std::make_unique<Group>(std::vector<int>(members.begin(), members.begin() + all.in(1, size()))));
  }
  for (int k = number_in_environment("XREDIST_TEST_ROUNDS", 60); k > 0 && !HasFailure(); --k) round(all, mine, groups);
}

}  // namespace
}  // namespace xredist::testing
