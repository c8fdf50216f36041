// What it costs to find out which elements of one dimension go from a process to each of the others, against the size
// of blocks: figure 3 of Prylli & Tourancheau 1996. No messages.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>
#include <random>

#include "layout/overlap.hpp"
#include "options.hpp"

// ScaLAPACK's own scan; the names of its arguments are of no use to a caller.
struct MDESC {
  int desctype, ctxt, m, n, nbrow, nbcol, sprow, spcol, lda;
};
struct IDESC {
  int lstart, len;
};
extern "C" int dgescan_intervals(char type, int ja, int jb, int n, MDESC* ma, MDESC* mb, int q0, int q1, int col0,
                                 int col1, IDESC* result);

namespace {

using xredist::core::Index;

struct Case {
  int n, processes, r, s;  ///< elements; on as many processes before and after; blocks before and after
};

// All strategies return how many elements process 0 has in all: they can be compared, and are not optimised away.
using Strategy = std::function<Index()>;

// All blocks of both sides, once for each partner.
Index scalapack(const Case& c, std::vector<IDESC>& found) {
  MDESC a{1, 0, c.n, c.n, c.r, c.r, 0, 0, c.n}, b{1, 0, c.n, c.n, c.s, c.s, 0, 0, c.n};
  Index elements = 0;
  for (int q = 0; q < c.processes; ++q) {
    const int count = dgescan_intervals('r', 0, 0, c.n, &a, &b, c.processes, c.processes, 0, q, found.data());
    for (int i = 0; i < count; ++i) elements += found[static_cast<std::size_t>(i)].len;
  }
  return elements;
}

// The paper's proposition 1: each element of a block and each of the partner's may coincide once in a common period.
Index pairs(const Case& c, std::vector<std::pair<int, int>>& found) {
  const int before = c.r * c.processes, after = c.s * c.processes;
  const int common = std::gcd(before, after), period = std::lcm(before, after);
  const int small = after / common;
  int inverse = 0;  // of before / common, modulo small
  while (static_cast<Index>(before / common) * inverse % small != 1 % small) ++inverse;
  Index elements = 0;
  for (int q = 0; q < c.processes; ++q) {
    found.clear();
    for (int i = 0; i < c.r; ++i)
      for (int j = 0; j < c.s; ++j) {
        const int distance = q * c.s + j - i;
        if (distance % common != 0) continue;
        const Index cycles = ((static_cast<Index>(distance / common) * inverse) % small + small) % small;
        found.emplace_back(static_cast<int>(i + before * cycles), period);
      }
    for (const auto& [first, step] : found) elements += first < c.n ? (c.n - 1 - first) / step + 1 : 0;
  }
  return elements;
}

// What the library does while it packs: runs, found as they are needed, until the matrix ends.
Index runs(const Case& c) {
  const xredist::core::Overlap o = xredist::core::overlap({c.r, c.processes, 0, 0}, {c.s, c.processes, 0, 0}, c.n);
  Index elements = 0;
  for (int q = 0; q < c.processes; ++q) {
    xredist::core::Runs walk(o, 0, q);
    for (xredist::core::Run run = walk.next(c.n); run.length > 0; run = walk.next(c.n)) elements += run.length;
  }
  return elements;
}

// What it plans with: the lengths of all messages of a process, from one period.
Index partners(const Case& c) {
  const xredist::core::Overlap o = xredist::core::overlap({c.r, c.processes, 0, 0}, {c.s, c.processes, 0, 0}, c.n);
  Index elements = 0;
  for (const xredist::core::Partner& share : xredist::core::partners(o, 0)) elements += share.length;
  return elements;
}

struct Time {
  int iterations;
  double nanoseconds;
};

// The mean of as many iterations as were asked for, or as fit in 20 ms.
Time time_of(const Strategy& strategy, int iterations) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  int done = 0;
  double nanoseconds = 0;
  volatile Index sink = 0;
  do {
    sink = sink + strategy();
    nanoseconds = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
  } while (++done < iterations && nanoseconds < 2e7);
  return {done, nanoseconds / done};
}

bool measure(const papers::Options& options) {
  std::puts("r,s,mean_block,n,processes,strategy,iterations,nanoseconds,data");
  const int most = options.whole("largest"), n = options.whole("n"), processes = options.whole("processes");
  std::mt19937 random(static_cast<unsigned>(options.whole("seed")));
  // Evenly on a logarithmic scale: the cost goes with the number of blocks.
  std::uniform_real_distribution<> logarithm(0, std::log2(most));
  const auto block = [&] { return static_cast<int>(std::exp2(logarithm(random))); };
  std::vector<IDESC> intervals(static_cast<std::size_t>(n));
  std::vector<std::pair<int, int>> patterns;
  bool all_right = true;
  for (int i = 0; i < options.whole("pairs"); ++i) {
    const Case c{n, processes, block(), block()};
    const Index expected = xredist::core::local_count({c.r, c.processes, 0, 0}, 0, c.n);
    const std::pair<const char*, Strategy> strategies[] = {{"scalapack", [&] { return scalapack(c, intervals); }},
                                                           {"pairs", [&] { return pairs(c, patterns); }},
                                                           {"runs", [&] { return runs(c); }},
                                                           {"shares", [&] { return partners(c); }}};
    for (const auto& [name, strategy] : strategies) {
      const bool right = strategy() == expected;
      const Time time = time_of(strategy, options.whole("iterations"));
      std::printf("%d,%d,%.4f,%d,%d,%s,%d,%.1f,%s\n", c.r, c.s, std::sqrt(static_cast<double>(c.r) * c.s), c.n,
                  c.processes, name, time.iterations, time.nanoseconds, right ? "right" : "WRONG");
      all_right = all_right && right;
    }
  }
  return all_right;
}

}  // namespace

int main(int argc, char** argv) {
  return papers::run(
      "scanning", argc, argv,
      {{"n", "4000"}, {"processes", "4"}, {"largest", "128"}, {"pairs", "60"}, {"iterations", "1000"}, {"seed", "1"}},
      measure);
}
