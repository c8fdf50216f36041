// SPDX-License-Identifier: BSD-3-Clause
// Times the redistributions of Kalns & Ni 1995, (BLOCK, ...) to (CYCLIC(c), ...) of 4-byte elements on one set of
// processes: with the given target grid ("traditional"), and with the grid that keeps the most elements in place
// ("optimal"). Messages go directly, as in the paper.
#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "drivers/contender.hpp"
#include "drivers/matrices.hpp"
#include "drivers/program.hpp"
#include "schedules/command_line.hpp"

namespace {

using cases::Case, cases::Index;

struct Options : runs::Repeated {
  std::array<Index, 2> grid{8, 1};
  int divisor = 2;
  std::vector<int> sides{288, 576, 1152};
};

// Returns a case in which the blocks of A are `divisor` times those of B along each distributed side.
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

// Returns the minimum over all processes of the fraction of the local part of B that the process also has in A.
double min_kept(const runs::Matrices& x) {
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
               runs::fixed(min_kept(x), 6), options.repetitions, seconds.median, seconds.min, seconds.max,
               runs::data_text(true, right));
  return right;
}

bool measure_all(const Options& options) {
  if (options.grid[0] * options.grid[1] != runs::size_of_world())
    throw std::invalid_argument("--grid: start as many processes as it has");
  runs::record("network,grid,divisor,n,processes,mapping,kept,min_kept,repetitions,median_s,min_s,max_s,data");
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
  cases::joined(app, "--grid", options.grid, 'x', 1, cases::max_int, "grid of all processes, as in 8x1 (default)")
      ->type_name("PxQ");
  app.add_option("--divisor", options.divisor, "factor by which blocks become smaller")->check(cases::positive());
  cases::list(app, "--sides", options.sides, "sides of square matrices")->check(cases::positive());
  return runs::run_and_tell(app, argc, argv, [&] { return measure_all(options); });
}
