// SPDX-License-Identifier: BSD-3-Clause
// One process reaches a limit, before the library decides on shared memory or after: redistributions go on.
// usage: limits files|descriptors|addresses|file-size|private before|after
#include <fcntl.h>
#include <mpi.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "move.hpp"

namespace {

using xredist::testing::execute_job;
using xredist::testing::Move;
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
    if (readlink(path.c_str(), target, sizeof target - 1) > 0 && std::string_view(target).starts_with("/memfd:xredist"))
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

// Moves a matrix twice. Returns how many elements are wrong on this process, or more for errors.
long wrong_elements(bool limited, std::string_view what, std::string_view when) {
  if (limited && when == "before") limit(what, 24'000'000);
  Move move(MPI_COMM_WORLD, {size(), 1, 4, 4}, {1, size(), 5, 5}, n, n);
  if (move.code != 0) {
    std::fprintf(stderr, "process %d: plan_create returns %d\n", rank(), move.code);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  if (limited && when == "after") limit(what, 6'000'000);
  long wrong = 0;
  for (int repeat = 0; repeat < 2; ++repeat) {
    if (const int error = execute_job(move.job()); error != 0)
      wrong += std::fprintf(stderr, "process %d: error %d\n", rank(), error);
    wrong += move.wrong();
  }
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string_view what = argv[1], when = argv[2];
  MPI_Init(&argc, &argv);
  const bool limited = rank() == 1;
  std::vector<double> all(2 * elements);
  // MPI allocates what it needs before the limit is set.
  const int part = static_cast<int>(elements) / size();
  MPI_Alltoall(all.data(), part, MPI_DOUBLE, all.data() + elements, part, MPI_DOUBLE, MPI_COMM_WORLD);
  const long wrong = wrong_elements(limited, what, when);
  if (wrong != 0) std::fprintf(stderr, "process %d: %ld elements are wrong\n", rank(), wrong);
  MPI_Barrier(MPI_COMM_WORLD);
  if (limited) std::printf("moved at the limit: %s\n", wrong == 0 ? "right" : "wrong");
  std::fflush(stdout);
  if (limited) set_limit(RLIMIT_AS, RLIM_INFINITY);
  MPI_Finalize();
  return wrong != 0;
}
