// SPDX-License-Identifier: BSD-3-Clause
// usage: consume_killed FOLDER   moves a matrix whose memory goes back meanwhile. Process 1 is killed when it
// writes to the middle of B. The launcher then ends the others by SIGTERM. Each of these looks at all bytes that are
// not elements of A and B: gaps between columns, neighbours in their pages, and the pages around them. It writes a file
// FOLDER/R: "kept", "changed", or "not midway".
#include <fcntl.h>
#include <mpi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "ranks.hpp"
#include "xredist/xredist.h"

namespace {

using xredist::testing::rank;
using xredist::testing::size;

const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
constexpr std::size_t gap = 3, guard_pages = 4;
constexpr unsigned char guard = 0xA5;

// A local array with gaps between its columns, in memory with guard bytes. It begins in the middle of a page.
struct Guarded {
  unsigned char* memory = nullptr;
  std::size_t bytes = 0, rows = 0, cols = 0;

  void allocate(std::int64_t r, std::int64_t c) {
    rows = static_cast<std::size_t>(r), cols = static_cast<std::size_t>(c);
    bytes = 2 * guard_pages * page + (rows + gap) * cols * sizeof(double);
    void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) MPI_Abort(MPI_COMM_WORLD, 3);
    memory = static_cast<unsigned char*>(mapped);
    std::memset(memory, guard, bytes);
  }
  double* column(std::size_t c) const {
    return reinterpret_cast<double*>(memory + guard_pages * page - page / 2) + c * (rows + gap);
  }
  // Returns whether all bytes outside of the columns have their first value. Safe in a handler of signals.
  bool is_kept() const {
    const unsigned char* byte = memory;
    for (std::size_t c = 0; c <= cols; ++c) {
      const auto* const next = c < cols ? reinterpret_cast<unsigned char*>(column(c)) : memory + bytes;
      for (; byte < next; ++byte)
        if (*byte != guard) return false;
      byte += rows * sizeof(double);
    }
    return true;
  }
};

Guarded a, b;
std::vector<unsigned char> present;  // a page of A each
std::string result;
volatile std::sig_atomic_t in_call = 0;

// Returns the percentage of A's pages that have gone back. Safe in a handler of signals.
std::size_t percentage_gone() {
  mincore(a.memory + guard_pages * page, present.size() * page, present.data());
  std::size_t gone = 0;
  for (const unsigned char each : present) gone += (each & 1) == 0 ? 1 : 0;
  return 100 * gone / present.size();
}

void look(int) {
  const char* text = a.is_kept() && b.is_kept() ? "kept\n" : "changed\n";
  if (in_call == 0 || percentage_gone() < 10) text = "not midway\n";
  const int file = open(result.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  const bool written = write(file, text, std::strlen(text)) > 0;
  _exit(written ? 1 : 2);
}

void die(int) { kill(getpid(), SIGKILL); }

// Kills this process when it writes to the middle of B.
void die_midway() {
  mprotect(b.memory + b.bytes / page / 2 * page, page, PROT_NONE);
  struct sigaction action {};
  action.sa_handler = die;
  sigaction(SIGSEGV, &action, nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 2) return 2;
  result = argv[1] + ("/" + std::to_string(rank()));
  const std::int64_t n = 2048, m = n * size();
  const xredist_layout slabs{.nprow = size(), .npcol = 1, .mb = n, .nb = n};
  const xredist_layout columns{.nprow = 1, .npcol = size(), .mb = m, .nb = 32};
  std::int64_t rows = 0, cols = 0;
  xredist_local_size(&slabs, m, n, rank(), &rows, &cols);
  a.allocate(rows, cols);
  present.resize(a.bytes / page - 2 * guard_pages);
  for (std::size_t c = 0; c < a.cols; ++c) std::fill_n(a.column(c), a.rows, 1.0);
  xredist_local_size(&columns, m, n, rank(), &rows, &cols);
  b.allocate(rows, cols);
  xredist_plan* plan = nullptr;
  const xredist_operation copy{.m = m, .n = n, .type = 'D'};
  if (xredist_plan_create(MPI_COMM_WORLD, &slabs, &columns, &copy, &plan) != 0) MPI_Abort(MPI_COMM_WORLD, 3);
  struct sigaction action {};
  action.sa_handler = look;
  sigaction(SIGTERM, &action, nullptr);
  if (rank() == 1) die_midway();
  MPI_Barrier(MPI_COMM_WORLD);
  in_call = 1;
  const auto ld = [](const Guarded& array) { return static_cast<std::int64_t>(array.rows + gap); };
  const xredist_job job{.plan = plan, .a = a.column(0), .lda = ld(a), .b = b.column(0), .ldb = ld(b), .consume = 1};
  const int code = xredist_execute(&job);
  std::printf("not killed: %d\n", code);
  MPI_Finalize();
  return 0;
}
