// SPDX-License-Identifier: BSD-3-Clause
// Makes ten thousand calls on grids that come and go, and fits on 5000 contexts, then calls MPI_Finalize with open
// contexts. No communicator and no BLACS context of the library may remain, and memory may not grow. MPI's profiling
// interface counts communicators; the library's have a name.
#include <malloc.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "allocations.hpp"
#include "grid.hpp"
#include "ranks.hpp"
#include "xredist/blacs.h"
#include "xredist/scalapack.h"
#include "xredist/xredist.h"

namespace {

int made = 0, freed = 0;

bool named_xredist(MPI_Comm comm) {
  char name[MPI_MAX_OBJECT_NAME];
  int length = 0;
  MPI_Comm_get_name(comm, name, &length);
  return std::strcmp(name, "xredist") == 0;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int MPI_Comm_set_name(MPI_Comm comm, const char* name) {
  const int result = PMPI_Comm_set_name(comm, name);
  if (named_xredist(comm)) ++made;
  return result;
}

extern "C" __attribute__((visibility("default"))) int MPI_Comm_free(MPI_Comm* comm) {
  if (named_xredist(*comm)) ++freed;
  return PMPI_Comm_free(comm);
}

namespace {

using namespace xredist::testing;

constexpr int n = 48;

const std::vector<double> a(n* n, 1.0);
std::vector<double> b(n* n, 0.0);

void redistribute(const Context& from, const Context& to, const Context& all, int block) {
  const int desc_a[9] = {1, from.handle(), n, n, block, 5, 0, 0, n}, desc_b[9] = {1, to.handle(), n, n, 7, 3, 0, 0, n};
  Cpdgemr2d(n, n, a.data(), 1, 1, desc_a, b.data(), 1, 1, desc_b, all.handle());
}

// Returns the number of allocations in 100 calls that repeat earlier calls.
long allocations_of_repeated_calls(const Context& from, const Context& to, const Context& all) {
  for (int call = 0; call < 3; ++call) redistribute(from, to, all, 4);
  const long before = allocations();
  for (int call = 0; call < 100; ++call) redistribute(from, to, all, 4);
  return allocations() - before;
}

void redistribute_in_world(const Context& grid, int rows = n) {
  const int desc[9] = {1, grid.handle(), n, n, 7, 3, 0, 0, n};
  Cpdgemr2do(rows, n, a.data(), 1, 1, desc, b.data(), 1, 1, desc);
}

// Returns the number of allocations in a call that repeats the first of four, the last of which came when the cache had
// been reduced to one plan.
long allocations_after_forgetting(const Context& grid) {
  for (int rows = 1; rows <= 4; ++rows) {
    xredist_set_option(MPI_COMM_WORLD, "cache", rows < 4 ? "3" : "1");
    redistribute_in_world(grid, rows);
  }
  const long before = allocations();
  redistribute_in_world(grid, 1);
  return allocations() - before;
}

// Every third grid has fewer processes, so processes agree both locally and by communication.
void churn(int calls, const Context& lasting) {
  for (int call = 0; call < calls; ++call) {
    const Context all(row_major(size(), 1));
    const Context some(call % 3 == 0 ? row_major(1, 1, call % size()) : row_major(1, size()));
    redistribute(some, lasting, all, 1 + call % 40);
    redistribute(lasting, all, lasting, 1 + call % 40);
  }
}

// Makes contexts and fits on them, with a grid of the library for each. The program frees its own contexts only.
// Returns the highest number of a context.
int fit_on_contexts(int count, const Context& lasting) {
  const int desc[9] = {1, lasting.handle(), n, n, n, n, 0, 0, n};
  const xredist_rules rules{.block = 4};
  int highest = 0;
  for (int k = 0; k < count; ++k) {
    const Context all(row_major(size(), 1));
    int descb[9];
    if (xredist_fit_blacs(all.handle(), n, n, desc, nullptr, &rules, descb, nullptr, nullptr) != 0) return -1;
    highest = std::max({highest, all.handle(), descb[1]});
  }
  return highest;
}

int check(bool right, const char* what, long value) {
  if (!right) std::fprintf(stderr, "process %d: %s: %ld\n", rank(), what, value);
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int calls = argc > 1 ? std::atoi(argv[1]) : 5000;
  int failed = 0;
  auto* lasting = new Context(row_major(1, size()));
  churn(500, *lasting);  // MPI's and BLACS's own tables grow at first
  const auto before = static_cast<long>(mallinfo2().uordblks);
  churn(calls, *lasting);
  const long growth = static_cast<long>(mallinfo2().uordblks) - before;
  failed += check(growth < 64 * 1024, "bytes that the heap has grown", growth);
  failed += check(made == 0, "communicators made", made);
  for (const auto& grid : {row_major(size(), 1), row_major(1, 1, size() - 1)}) {
    const long repeated = allocations_of_repeated_calls(Context(grid), *lasting, *lasting);
    failed += check(repeated == 0, "allocations of 100 repeated calls", repeated);
  }
  if (rank() == 0) std::printf("%d calls: heap %+ld bytes\n", 2 * calls, growth);
  fit_on_contexts(100, *lasting);
  const auto before_fits = static_cast<long>(mallinfo2().uordblks);
  const int highest = fit_on_contexts(calls, *lasting);
  const long growth_of_fits = static_cast<long>(mallinfo2().uordblks) - before_fits;
  failed += check(growth_of_fits < 64 * 1024, "bytes that the heap has grown by fits", growth_of_fits);
  failed += check(highest >= 0 && highest <= 3, "highest number of a context", highest);
  failed += check(made == freed, "communicators left after fits", made - freed);
  if (rank() == 0) std::printf("%d fits: heap %+ld bytes\n", calls, growth_of_fits);
  made = freed = 0;
  redistribute_in_world(*lasting);
  failed += check(made == 1, "communicators made for all processes", made);
  const long forgotten = allocations_after_forgetting(*lasting);
  failed += check(forgotten > 0, "allocations of a call whose plan the cache had to forget", forgotten);
  MPI_Finalize();  // `lasting` is never freed
  failed += check(made == freed, "communicators left after MPI_Finalize", made - freed);
  return failed;
}
