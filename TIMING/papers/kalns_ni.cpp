// SPDX-License-Identifier: BSD-3-Clause
// Times the redistributions of Kalns & Ni 1995, (BLOCK, ...) to (CYCLIC(c), ...) of 4-byte elements on one set of
// processes: with the target grid as it is ("traditional"), and with the one that keeps most elements in place
// ("optimal"). Messages go directly, as they did then.
#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "cases/notation.hpp"
#include "runs/library.hpp"
#include "runs/matrices.hpp"
#include "runs/program.hpp"
#include "runs/records.hpp"

namespace {

using cases::Case, cases::Index;

struct Options : runs::Repeated {
  cases::Grid grid{8, 1};
  int divisor = 2;
  std::vector<int> sides{288, 576, 1152};
};

// Blocks of A are `divisor` times those of B along each side that is distributed.
Case case_of(const Options& options, Index n) {
  const auto [rows, cols] = options.grid;
  for (const Index side : {rows, cols})
    if (side > 1 && n % (side * options.divisor) != 0)
      throw std::invalid_argument("--sides: no whole blocks: " + std::to_string(n));
  const auto matrix = [&](Index by) {
    return cases::Matrix{.M = n,
                         .N = n,
                         .nprow = static_cast<int>(rows),
                         .npcol = static_cast<int>(cols),
                         .mb = n / rows / (rows == 1 ? 1 : by),
                         .nb = n / cols / (cols == 1 ? 1 : by)};
  };
  return {n, n, matrix(1), matrix(options.divisor)};
}

// The fraction of B's local part that the same process has in A's, which is one block; on the process where it is
// least.
double least_kept(const runs::Matrices& x) {
  const auto common = [](const std::vector<Index>& now, const std::vector<Index>& before) {
    std::vector<Index> both;
    std::ranges::set_intersection(now, before, std::back_inserter(both));
    return static_cast<double>(both.size()) / static_cast<double>(now.size());
  };
  double kept = common(x.b.rows, x.a.rows) * common(x.b.cols, x.a.cols);
  MPI_Allreduce(MPI_IN_PLACE, &kept, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  return kept;
}

bool measure(const Options& options, const Case& c, const std::string& mapping, double kept) {
  runs::Matrices x(c, 'i');
  x.blank();
  const runs::Plan plan = runs::plan_of(c, x.element.bytes, "direct");
  const runs::Summary seconds = runs::timed_after_one(options.repetitions, [&] { runs::execute(plan, x.a, x.b); });
  const bool right = x.right();
  runs::record(options.network, grid_text(c.a), options.divisor, c.n, processes(c), mapping, runs::fixed(kept, 6),
               runs::fixed(least_kept(x), 6), options.repetitions, seconds.median, seconds.least, seconds.most,
               runs::data_text(true, right));
  return right;
}

bool measure_all(const Options& options) {
  if (options.grid.row * options.grid.col != runs::size_of_world())
    throw std::invalid_argument("--grid: start as many processes as it has");
  runs::record("network,grid,divisor,n,processes,mapping,kept,least_kept,repetitions,median_s,least_s,most_s,data");
  bool right = true;
  for (const int n : options.sides) {
    const Case c = case_of(options, n);
    const runs::Relabelled best = runs::relabelled(c);
    right = measure(options, c, "traditional", best.kept_before) && right;
    right = measure(options, best.c, "optimal", best.kept) && right;
  }
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Times the redistributions of Kalns & Ni 1995, BLOCK to CYCLIC, with and without relabelling.",
               "kalns_ni");
  options.add_to(app);
  app.add_option("--grid", options.grid, "grid of all processes, as in 8x1, which is the default")->type_name("PxQ");
  app.add_option("--divisor", options.divisor, "how many times smaller blocks become")->check(cases::positive());
  cases::list(app, "--sides", options.sides, "sides of square matrices")->check(cases::positive());
  return runs::run_and_tell(app, argc, argv, [&] { return measure_all(options); });
}
