// SPDX-License-Identifier: BSD-3-Clause
// One process reaches a limit, before the library decides on shared memory or after: redistributions go on.
// usage: limits files|descriptors|addresses|file-size|private before|after
#include <fcntl.h>
#include <mpi.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "plans.hpp"
#include "ranks.hpp"
#include "xredist/xredist.h"

namespace {

using xredist::testing::create_plan;
using xredist::testing::execute_job;
using xredist::testing::rank;
using xredist::testing::size;

constexpr int n = 600;
constexpr std::size_t elements = std::size_t{n} * n;

void set_limit(int resource, rlim_t value) {
  rlimit limit{};
  getrlimit(resource, &limit);
  limit.rlim_cur = value;
  setrlimit(resource, &limit);
}

rlim_t address_space() {
  long pages = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

// As programs do that close what they have not opened themselves.
void close_segment() {
  for (int file = 3; file < 1024; ++file) {
    char target[64] = {};
    const std::string path = "/proc/self/fd/" + std::to_string(file);
    if (readlink(path.c_str(), target, sizeof target - 1) > 0 &&
        std::string_view(target).find("xredist") != std::string_view::npos)
      close(file);
  }
}

// Leaves `rest` bytes of the address space.
void limit(std::string_view what, rlim_t rest) {
  if (what == "files")
    while (open("/dev/null", O_RDONLY) >= 0) {
    }
  if (what == "descriptors") close_segment();
  if (what == "addresses") set_limit(RLIMIT_AS, address_space() + rest);
  if (what == "file-size") set_limit(RLIMIT_FSIZE, 4096);
  if (what == "private") prctl(PR_SET_DUMPABLE, 0);
}

// Moves a matrix of ones from rows to columns. Returns how many elements are wrong, or 1 for an error.
long move(xredist_plan* plan, const std::vector<double>& a, std::vector<double>& b) {
  std::fill(b.begin(), b.end(), 0.0);
  if (const int error = execute_job({plan, a.data(), n, b.data(), n}); error != 0)
    return std::fprintf(stderr, "process %d: error %d\n", rank(), error), 1;
  long due = 0;
  for (int j = 0; j < n; ++j) due += j / 5 % size() == rank() ? n : 0;
  return due - std::count(b.begin(), b.end(), 1.0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string_view what = argv[1], when = argv[2];
  MPI_Init(&argc, &argv);
  const bool limited = rank() == 1;
  const std::vector<double> a(elements, 1.0);
  std::vector<double> b(elements), all(elements * 2);
  // MPI allocates what it needs before the limit is set.
  MPI_Alltoall(all.data(), static_cast<int>(elements) / size(), MPI_DOUBLE, b.data(),
               static_cast<int>(elements) / size(), MPI_DOUBLE, MPI_COMM_WORLD);
  const xredist_layout from{size(), 1, 4, 4}, to{1, size(), 5, 5};
  xredist_plan* plan = nullptr;
  if (limited && when == "before") limit(what, 24'000'000);
  if (const int error = create_plan(MPI_COMM_WORLD, from, to, {.m = n, .n = n, .bytes = 8}, &plan); error != 0) {
    std::fprintf(stderr, "process %d: plan_create returns %d\n", rank(), error);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  if (limited && when == "after") limit(what, 6'000'000);
  const long wrong = move(plan, a, b) + move(plan, a, b);
  if (wrong != 0) std::fprintf(stderr, "process %d: %ld elements are wrong\n", rank(), wrong);
  xredist_plan_destroy(plan);
  MPI_Barrier(MPI_COMM_WORLD);
  if (limited) std::printf("moved at the limit: %s\n", wrong == 0 ? "right" : "wrong");
  std::fflush(stdout);
  if (limited) set_limit(RLIMIT_AS, RLIM_INFINITY);
  MPI_Finalize();
  return wrong != 0;
}
