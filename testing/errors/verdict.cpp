// SPDX-License-Identifier: BSD-3-Clause
#include "verdict.hpp"

#include <fcntl.h>
#include <mpi.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>

#include "xredist/integer.h"

namespace {

std::jmp_buf end_of_call;
thread_local bool in_call = false;
double waited = 0;  // seconds that the library wanted to sleep before it ended the program

// Sleeps of the library before an error are longer (200 ms at least), those of MPI while it polls are shorter.
constexpr double min_wait = 0.1;

}  // namespace

// No destructor runs on the way out, as in a program that ends. (An exception could not leave the functions of the
// library that are noexcept.)
extern "C" [[gnu::visibility("default")]] void Cblacs_abort(xredist_int, xredist_int error) {
  if (in_call) std::longjmp(end_of_call, 1);
  MPI_Abort(MPI_COMM_WORLD, static_cast<int>(error));
}

// Adds up the waits of the library instead of waiting.
extern "C" [[gnu::visibility("default")]] int nanosleep(const timespec* wanted, timespec* left) {
  const double seconds = static_cast<double>(wanted->tv_sec) + 1e-9 * static_cast<double>(wanted->tv_nsec);
  if (!in_call || seconds < min_wait) return static_cast<int>(syscall(SYS_nanosleep, wanted, left));
  waited += seconds;
  return 0;
}

namespace xredist::testing {
namespace {

struct Verdict {
  bool called, returned;
  double waited;
  std::array<char, 512> text;  // on stderr

  bool ended() const { return called && !returned; }
};

bool returns(const std::function<void()>& call) {
  waited = 0;
  in_call = true;
  const bool ended = setjmp(end_of_call) != 0;
  if (!ended) call();
  in_call = false;
  return !ended;
}

std::vector<Verdict> verdicts_of(bool calls, const std::function<void()>& call) {
  const std::string file = "verdict." + std::to_string(getpid()) + ".log";
  const int log = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), shown = dup(STDERR_FILENO);
  dup2(log, STDERR_FILENO);
  Verdict mine{};
  mine.called = calls;
  mine.returned = !calls || returns(call);
  mine.waited = waited;
  dup2(shown, STDERR_FILENO);
  close(log), close(shown);
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  text.copy(mine.text.data(), mine.text.size() - 1);
  std::remove(file.c_str());
  std::vector<Verdict> all(static_cast<std::size_t>(size()));
  MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
  return all;
}

}  // namespace

void expect_end(const std::string& text, Ending ending, bool calls, const std::function<void()>& call) {
  std::vector<Verdict> all = verdicts_of(calls, call);
  if (text.empty()) {
    for (const Verdict& its : all) EXPECT_TRUE(its.returned && its.text[0] == '\0') << its.text.data();
    return;
  }
  for (std::size_t process = 0; process < all.size(); ++process)
    EXPECT_TRUE(all[process].ended() || !all[process].called || ending == Ending::some) << "process " << process;
  std::erase_if(all, [](const Verdict& its) { return !its.ended(); });
  ASSERT_FALSE(all.empty());
  std::ranges::sort(all, {}, &Verdict::waited);
  const std::string said = all[0].text.data();
  EXPECT_TRUE(said.starts_with("xredist: ")) << said;
  EXPECT_NE(said.find(text), said.npos) << said;
  EXPECT_EQ(std::ranges::count(said, '\n'), 1) << said;
  if (all.size() > 1) {
    EXPECT_GE(all[1].waited - all[0].waited, 0.3) << said << all[1].text.data();
  }
}

}  // namespace xredist::testing
