// SPDX-License-Identifier: BSD-3-Clause
// Executions that consume A on systems whose pages have different sizes: processes with an odd rank, and one by itself,
// see pages of 64 KiB.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "plans.hpp"
#include "ranks.hpp"
#include "xredist/xredist.h"

namespace {

constexpr long large_page = 65'536;
bool sees_large_pages = false;  // false while MPI is initialised, which shares pages between processes

}  // namespace

// Answers in place of the C library.
extern "C" [[gnu::visibility("default")]] long sysconf(int name) {
  static auto* const of_system = reinterpret_cast<long (*)(int)>(dlsym(RTLD_NEXT, "sysconf"));
  return name == _SC_PAGESIZE && sees_large_pages ? large_page : of_system(name);
}

namespace xredist::testing {
namespace {

using Index = std::int64_t;

struct Free {
  void operator()(double* memory) const { xredist_free(memory); }
};
using Doubles = std::unique_ptr<double, Free>;

Doubles doubles(Index count) {
  return Doubles(static_cast<double*>(xredist_alloc(static_cast<std::size_t>(count) * sizeof(double))));
}

// Three columns of 2 MB on each process, which are cut with pages of 4 KiB only.
TEST(PageSize, OfTheLargestIsThatOfAllPlans) {
  sees_large_pages = rank() % 2 == 1 || size() == 1;  // before the first call of the library
  const Index n = 3, m = (Index{1} << 18) * size();
  const xredist_layout from{.nprow = size(), .npcol = 1, .mb = m / size(), .nb = n};
  const xredist_layout to{.nprow = size(), .npcol = 1, .mb = 1000, .nb = n};
  xredist_plan* plan = nullptr;
  ASSERT_EQ(outcome(create_plan(MPI_COMM_WORLD, from, to, {.m = m, .n = n, .type = 'D'}, &plan)), "");
  std::vector<Index> rows_a(static_cast<std::size_t>(m)), rows_b = rows_a, cols(static_cast<std::size_t>(n));
  Index ma = 0, mb = 0, all = 0;
  ASSERT_EQ(xredist_local_size(&from, m, n, rank(), &ma, &all), 0);
  ASSERT_EQ(xredist_local_size(&to, m, n, rank(), &mb, &all), 0);
  ASSERT_EQ(xredist_local_to_global(&from, m, n, rank(), rows_a.data(), cols.data()), 0);
  ASSERT_EQ(xredist_local_to_global(&to, m, n, rank(), rows_b.data(), cols.data()), 0);
  const Doubles a = doubles(ma * n), b = doubles(mb * n);
  const auto value = [m](Index row, Index col) { return static_cast<double>(row + m * col); };
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < ma; ++i) a.get()[i + j * ma] = value(rows_a[static_cast<std::size_t>(i)], j);
  const xredist_job job{.plan = plan, .a = a.get(), .b = b.get(), .consume = 1};
  EXPECT_EQ(outcome(xredist_execute(&job)), "");
  Index wrong = 0;
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < mb; ++i) wrong += b.get()[i + j * mb] != value(rows_b[static_cast<std::size_t>(i)], j);
  EXPECT_EQ(wrong, 0);
  // The first and the last page may have other bytes.
  EXPECT_LE(std::count_if(a.get(), a.get() + ma * n, [](double x) { return x != 0; }), 2 * large_page / 8);
  xredist_plan_info info{};
  ASSERT_EQ(xredist_plan_query(plan, &info), 0);
  EXPECT_GE(info.peak_bytes, (ma * n + mb) * 8);  // a column more: lines are not cut
  xredist_plan_destroy(plan);
}

}  // namespace
}  // namespace xredist::testing
