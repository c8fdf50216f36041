// SPDX-License-Identifier: BSD-3-Clause
// Rosters that are found, shared and forgotten.
#include "scalapack/rosters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "agreement.hpp"

namespace xredist::testing {
namespace {

using namespace core;

constexpr int processes = 6, stored = 32;

// Returns `count` different grids of three processes.
std::vector<GridShape> different_grids(int count) {
  std::vector<GridShape> grids;
  for (int p = 0; p < processes; ++p)
    for (int q = 0; q < processes; ++q)
      for (int r = 0; r < processes; ++r)
        if (p != q && q != r && p != r && std::ssize(grids) < count) grids.push_back({1, 3, {p, q, r}});
  return grids;
}

std::vector<xredist_int> contexts_of(const std::vector<GridShape>& grids) {
  std::vector<xredist_int> contexts;
  for (const GridShape& grid : grids) contexts.push_back(make_context(grid, processes));
  return contexts;
}

// Returns the communicator of a grid on its members.
MPI_Comm own_communicator(xredist_int context) {
  return own_context(context) < 0 ? MPI_COMM_NULL : communicator_of_grid(context);
}

bool is_member(const GridShape& grid) { return std::ranges::count(grid.ranks, own_rank()) > 0; }

TEST(Rosters, ForgetTheOldestOnAllProcesses) {
  const std::vector<GridShape> grids = different_grids(stored + 5);
  const std::vector<xredist_int> contexts = contexts_of(grids);
  Agreement agreement(processes, 1);
  agreement.run([&](const Channel&, Rosters& rosters, Turns&) {
    std::vector<Index> ids;
    for (std::size_t k = 0; k < grids.size(); ++k)
      ids.push_back(rosters.add(grids[k].ranks, own_communicator(contexts[k])).id);
    for (const Index id : ids) EXPECT_NE(rosters.find(id), nullptr);  // within a call, none goes
    rosters.forget_old();
    for (std::size_t k = 0; k < grids.size(); ++k) {
      const bool is_kept = k >= 5;
      const Roster* const by_id = rosters.find(ids[k]);
      ASSERT_EQ(by_id != nullptr, is_kept) << k;
      if (is_kept) {
        EXPECT_EQ(*by_id->ranks, grids[k].ranks);
      }
      if (is_member(grids[k])) {
        EXPECT_EQ(rosters.of_grid(communicator_of_grid(contexts[k])), by_id);
      }
    }
    const Roster& again = rosters.add(grids[0].ranks, own_communicator(contexts[0]));
    EXPECT_EQ(again.id, std::ssize(grids)) << "the id of a forgotten roster stands for no other one";
    EXPECT_EQ(again.has_first, std::ranges::count(grids[0].ranks, 0) > 0);
    EXPECT_EQ(again.has_this, is_member(grids[0]));
  });
}

TEST(Rosters, AreSharedByGridsOfTheSameProcesses) {
  const GridShape grid{1, 2, {1, 4}};
  const xredist_int first = make_context(grid, processes), second = make_context(grid, processes);
  Agreement agreement(processes, 2);
  agreement.run([&](const Channel&, Rosters& rosters, Turns&) {
    const Index id = rosters.add(grid.ranks, own_communicator(first)).id;
    EXPECT_EQ(rosters.add(grid.ranks, own_communicator(second)).id, id);
    EXPECT_NE(rosters.add({4, 1}, MPI_COMM_NULL).id, id);
    if (!is_member(grid)) return;
    EXPECT_EQ(rosters.of_grid(communicator_of_grid(second)), rosters.find(id));
  });
}

// Communicators of grids still name the rosters that a context had before a failure.
TEST(Rosters, OfBeforeAFailureAreNotFound) {
  const GridShape grid{2, 1, {0, 3}}, other{2, 1, {5, 2}};
  const xredist_int context = make_context(grid, processes);
  Agreement agreement(processes, 3);
  agreement.run([&](const Channel&, Rosters& rosters, Turns&) {
    const Index id = rosters.add(grid.ranks, own_communicator(context)).id;
    rosters.forget();
    EXPECT_EQ(rosters.find(id), nullptr);
    EXPECT_EQ(rosters.add(other.ranks, MPI_COMM_NULL).id, id) << "ids begin again";
    if (is_member(grid)) {
      EXPECT_EQ(rosters.of_grid(communicator_of_grid(context)), nullptr);
    }
  });
}

// A grid remembers its rosters in eight contexts; the oldest goes first.
TEST(Rosters, OfAGridInManyContexts) {
  const GridShape grid = whole(processes);
  const xredist_int context = make_context(grid, processes);
  Agreement agreement(processes, 4);
  agreement.run([&](const Channel&, const Rosters&, Turns&) {
    const MPI_Comm of_grid = communicator_of_grid(context);
    std::vector<Rosters> contexts;
    for (int k = 0; k < 9; ++k) {
      contexts.emplace_back(attributes(), communicator_of_grid(agreement.own()), own_rank());
      contexts.back().add(grid.ranks, of_grid);
    }
    for (const Rosters& known : contexts) EXPECT_EQ(known.of_grid(of_grid) == nullptr, &known == &contexts.front());
  });
}

}  // namespace
}  // namespace xredist::testing
