// SPDX-License-Identifier: BSD-3-Clause
// Times strategies that find the elements of one dimension that go from a process to each other process, against the
// block size: figure 3 of Prylli & Tourancheau 1996. No messages.
#include <chrono>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

#include "drivers/program.hpp"
#include "layout/overlap.hpp"

// ScaLAPACK's scan, declared as in its source.
struct MDESC {
  int desctype, ctxt, m, n, nbrow, nbcol, sprow, spcol, lda;
};
struct IDESC {
  int lstart, len;
};
extern "C" int dgescan_intervals(char type, int ja, int jb, int n, MDESC* ma, MDESC* mb, int q0, int q1, int col0,
                                 int col1, IDESC* result);

namespace {

using xredist::core::as_size, xredist::core::at, xredist::core::Index, xredist::core::Overlap;

// Converts to the integer type of ScaLAPACK.
int narrow(Index value) { return static_cast<int>(value); }

// Returns the number of elements of process 0, so that strategies can be compared and are not optimised away.
using Strategy = std::function<Index()>;

// Strategy of ScaLAPACK: visits all blocks of both sides, once for each partner.
Index scalapack(const Overlap& o, std::vector<IDESC>& found) {
  const int n = narrow(o.n), r = narrow(o.a.block()), s = narrow(o.b.block()), processes = narrow(o.a.procs);
  MDESC a{1, 0, n, n, r, r, 0, 0, n}, b{1, 0, n, n, s, s, 0, 0, n};
  Index elements = 0;
  for (int q = 0; q < processes; ++q) {
    const int count = dgescan_intervals('r', 0, 0, n, &a, &b, processes, processes, 0, q, found.data());
    for (int i = 0; i < count; ++i) elements += at(found, i).len;
  }
  return elements;
}

// Proposition 1 of the paper: an element of a block and an element of a partner's block coincide at most once a period.
Index pairs(const Overlap& o, std::vector<std::pair<int, int>>& found) {
  const int n = narrow(o.n), r = narrow(o.a.block()), s = narrow(o.b.block()), processes = narrow(o.a.procs);
  const int before = r * processes, after = s * processes;
  const int common = std::gcd(before, after), period = std::lcm(before, after);
  const int small = after / common;
  int inverse = 0;  // of before / common, modulo small
  while (static_cast<Index>(before / common) * inverse % small != 1 % small) ++inverse;
  Index elements = 0;
  for (int q = 0; q < processes; ++q) {
    found.clear();
    for (int i = 0; i < r; ++i)
      for (int j = 0; j < s; ++j) {
        const int distance = q * s + j - i;
        if (distance % common != 0) continue;
        const Index cycles = ((static_cast<Index>(distance / common) * inverse) % small + small) % small;
        found.emplace_back(static_cast<int>(i + before * cycles), period);
      }
    for (const auto& [first, step] : found) elements += first < n ? (n - 1 - first) / step + 1 : 0;
  }
  return elements;
}

// Strategy of the library for packing: finds runs lazily, until the matrix ends.
Index runs_of(const Overlap& shown) {
  const Overlap o = Overlap(shown.a, shown.b, shown.n);
  Index elements = 0;
  for (Index q = 0; q < o.b.procs; ++q) {
    xredist::core::Runs walk(o, 0, q);
    for (xredist::core::Run run = walk.next(o.n); run.length > 0; run = walk.next(o.n)) elements += run.length;
  }
  return elements;
}

// Strategy of the library for planning: finds the lengths of all messages of a process, from one period.
Index count_shares(const Overlap& o) {
  Index elements = 0;
  for (const xredist::core::Partner& share : partners(Overlap(o.a, o.b, o.n), 0)) elements += share.length;
  return elements;
}

struct Time {
  int iterations;
  double nanoseconds;
};

// Returns the mean over `iterations` calls, or over the calls that fit into 20 ms.
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

struct Options {
  int n = 4000, processes = 4, largest = 128, pairs = 100, iterations = 1000, seed = 1;
};

bool measure(const Options& options) {
  runs::record("r,s,mean_block,n,processes,strategy,iterations,nanoseconds,data");
  std::mt19937 random(static_cast<unsigned>(options.seed));
  // Evenly on a logarithmic scale, because the cost depends on the number of blocks.
  std::uniform_real_distribution<> logarithm(0, std::log2(options.largest));
  const auto block = [&] { return static_cast<int>(std::exp2(logarithm(random))); };
  std::vector<IDESC> intervals(as_size(options.n));
  std::vector<std::pair<int, int>> patterns;
  bool all_right = true;
  for (int i = 0; i < options.pairs; ++i) {
    const Overlap o{{block(), options.processes, 0, 0}, {block(), options.processes, 0, 0}, options.n};
    const Index expected = local_count(o.a, 0, o.n);
    const std::pair<const char*, Strategy> strategies[] = {{"scalapack", [&] { return scalapack(o, intervals); }},
                                                           {"pairs", [&] { return pairs(o, patterns); }},
                                                           {"runs", [&] { return runs_of(o); }},
                                                           {"shares", [&] { return count_shares(o); }}};
    for (const auto& [name, strategy] : strategies) {
      const bool right = strategy() == expected;
      const Time time = time_of(strategy, options.iterations);
      runs::record(o.a.block(), o.b.block(), runs::fixed(std::sqrt(o.a.block() * o.b.block()), 4), o.n, o.a.procs, name,
                   time.iterations, runs::fixed(time.nanoseconds, 1), runs::data_text(true, right));
      all_right = all_right && right;
    }
  }
  return all_right;
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  CLI::App app("Times strategies that find which elements go to which process. One process, no messages.", "scanning");
  app.add_option("--n", o.n, "elements of the vector");
  app.add_option("--processes", o.processes, "processes before and after");
  app.add_option("--largest", o.largest, "largest block size");
  app.add_option("--pairs", o.pairs, "pairs of block sizes");
  app.add_option("--iterations", o.iterations, "calls of each strategy, at most as many as fit into 20 ms");
  app.add_option("--seed", o.seed, "seed of the random block sizes");
  for (CLI::Option* option : app.get_options([](const CLI::Option* x) { return x->get_name() != "--help"; }))
    option->check(cases::positive())->capture_default_str();
  return runs::run_and_tell(app, argc, argv, [&] { return measure(o); });
}
