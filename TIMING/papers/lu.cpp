// SPDX-License-Identifier: BSD-3-Clause
// Times ScaLAPACK's LU factorisation, PDGETRF, for figure 4 of Prylli & Tourancheau 1996.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "drivers/program.hpp"
#include "schedules/case.hpp"
#include "support/grid.hpp"

extern "C" {
int numroc_(const int* n, const int* block, const int* process, const int* source, const int* processes);
void descinit_(int* descriptor, const int* m, const int* n, const int* mb, const int* nb, const int* row_source,
               const int* column_source, const int* context, const int* leading, int* info);
void pdgetrf_(const int* m, const int* n, double* a, const int* i, const int* j, const int* descriptor, int* pivots,
              int* info);
}

namespace {

using xredist::core::as_size;

// Returns the grid of all processes that is closest to a square.
cases::Matrix grid_of(int size) {
  int rows = static_cast<int>(std::sqrt(size));
  while (size % rows != 0) --rows;
  return {.nprow = rows, .npcol = size / rows};
}

struct Options {
  std::vector<int> sides{200, 400, 600, 800, 1000, 2000}, blocks{16, 32, 64};
  int repetitions = 5;
};

// Times factorisations of copies of one random matrix. The copying is not timed.
bool factorisations(const cases::Matrix& grid, const xredist::testing::Context& blacs, int n, int block,
                    int repetitions) {
  const int zero = 0, one = 1, context = blacs.handle(), row = blacs.row(), column = blacs.col();
  const int rows = numroc_(&n, &block, &row, &zero, &grid.nprow), leading = std::max(1, rows);
  const int columns = numroc_(&n, &block, &column, &zero, &grid.npcol);
  int descriptor[9], info = 0;
  descinit_(descriptor, &n, &n, &block, &block, &zero, &zero, &context, &leading, &info);
  std::vector<double> matrix(as_size(leading) * as_size(std::max(1, columns)));
  std::mt19937 random(static_cast<unsigned>(runs::rank_in_world() + 1));
  for (double& x : matrix) x = std::uniform_real_distribution<>(-1, 1)(random);
  std::vector<int> pivots(as_size(leading + block));
  std::vector<double> times;
  bool right = true;
  for (int k = -1; k < repetitions; ++k) {
    std::vector<double> factored = matrix;
    const double seconds =
        runs::seconds_of([&] { pdgetrf_(&n, &n, factored.data(), &one, &one, descriptor, pivots.data(), &info); });
    if (k >= 0) times.push_back(seconds);
    right = right && info == 0;
  }
  const runs::Summary seconds = runs::summary_of(times);
  runs::record(n, grid_text(grid), block, repetitions, seconds.median, seconds.min, seconds.max,
               runs::data_text(true, right));
  return right;
}

bool measure(const Options& options) {
  const cases::Matrix grid = grid_of(runs::size_of_world());
  const xredist::testing::Context blacs({grid.nprow, grid.npcol, ranks_of(grid)});
  runs::record("n,grid,block,repetitions,median_s,min_s,max_s,data");
  bool right = true;
  for (const int n : options.sides)
    for (const int block : options.blocks) right = factorisations(grid, blacs, n, block, options.repetitions) && right;
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Times ScaLAPACK's LU factorisation, PDGETRF.", "lu");
  cases::list(app, "--sides", options.sides, "sides of square matrices")->check(cases::positive());
  cases::list(app, "--blocks", options.blocks, "block sizes")->check(cases::positive());
  app.add_option("--repetitions", options.repetitions, "timed calls, after one that is not timed")
      ->check(cases::positive());
  return runs::run_and_tell(app, argc, argv, [&] { return measure(options); });
}
