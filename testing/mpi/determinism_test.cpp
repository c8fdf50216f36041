// SPDX-License-Identifier: BSD-3-Clause
// The result has the same bits for every schedule, route, transport, buffer and number of threads.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "layout/axis.hpp"
#include "plans.hpp"
#include "ranks.hpp"
#include "xredist/xredist.h"

namespace xredist::testing {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

const Settings settings[] = {
    {},
    {{"algorithm", "rank"}},
    {{"algorithm", "split"}},
    {{"algorithm", "caterpillar"}},
    {{"route", "direct"}, {"shared", "0"}, {"permits", "2"}},
    {{"route", "two-hop"}},
    {{"route", "two-hop"}, {"buffer", "1M"}, {"shared", "0"}},
    {{"route", "2"}},
    {{"buffer", "1M"}},
    {{"threads", "3"}},
    {{"threads", "2"}, {"algorithm", "shifted"}, {"buffer", "1M"}},
};

struct Local {
  xredist_layout layout;
  core::Index rows, cols;
};

// An m x n matrix on all processes, in the shape of a grid with `nprow` rows.
Local local_part(core::Index m, core::Index n, int nprow, int mb, int nb) {
  const int npcol = size() / nprow, row = rank() / npcol, col = rank() % npcol;
  const auto held = [](core::Index length, int block, int procs, int p) {
    core::Index count = 0;
    for (core::Index i = core::Index{p} * block; i < length; i += core::Index{procs} * block)
      count += std::min<core::Index>(block, length - i);
    return count;
  };
  return {xredist_layout{.nprow = nprow, .npcol = npcol, .mb = mb, .nb = nb}, held(m, mb, nprow, row),
          held(n, nb, npcol, col)};
}

// Fractions that are rounded in each product and each sum.
std::vector<double> fractions(const Local& part, double seed) {
  std::vector<double> values(static_cast<std::size_t>(part.rows * part.cols));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = seed / (3.0 + static_cast<double>(i) + rank());
  return values;
}

std::vector<double> result_with(const Settings& chosen, char trans) {
  constexpr core::Index m = 450, n = 350;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (const auto& [name, value] : chosen) EXPECT_EQ(xredist_set_option(comm, name.c_str(), value.c_str()), 0) << name;
  const bool transposed = trans == 'T';
  const Local from = local_part(transposed ? n : m, transposed ? m : n, 1, 64, 48);
  const Local to = local_part(m, n, size() % 2 == 0 ? 2 : 1, 40, 56);
  const std::vector<double> a = fractions(from, 1.1);
  std::vector<double> b = fractions(to, 0.7);
  xredist_plan* plan = nullptr;
  EXPECT_EQ(create_plan(comm, from.layout, to.layout, {.m = m, .n = n, .type = 'D', .trans = trans}, &plan), 0);
  const double alpha = 1.0 / 3, beta = -0.9;
  EXPECT_EQ(execute_job({.plan = plan, .a = a.data(), .b = b.data(), .alpha = &alpha, .beta = &beta}), 0);
  xredist_plan_destroy(plan);
  MPI_Comm_free(&comm);
  return b;
}

TEST(Determinism, SameBitsWithAllSettings) {
  for (const char trans : {'N', 'T'}) {
    const std::vector<double> expected = result_with(settings[0], trans);
    for (const Settings& chosen : settings) {
      std::string names;
      for (const auto& [name, value] : chosen) names += name + "=" + value + " ";
      const std::vector<double> b = result_with(chosen, trans);
      ASSERT_EQ(b.size(), expected.size());
      EXPECT_EQ(std::memcmp(b.data(), expected.data(), b.size() * sizeof(double)), 0) << names << trans;
    }
  }
}

}  // namespace
}  // namespace xredist::testing
