// Times ScaLAPACK's LU factorisation, PDGETRF, for figure 4 of Prylli & Tourancheau 1996.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

#include "../drivers/grid.hpp"
#include "options.hpp"
#include "timed.hpp"

extern "C" {
int numroc_(const int* n, const int* block, const int* process, const int* source, const int* processes);
void descinit_(int* descriptor, const int* m, const int* n, const int* mb, const int* nb, const int* row_source,
               const int* column_source, const int* context, const int* leading, int* info);
void pdgetrf_(const int* m, const int* n, double* a, const int* i, const int* j, const int* descriptor, int* pivots,
              int* info);
}

namespace {

struct Grid {
  int rows, columns;
  drivers::Context context;
};

// As square as can be.
Grid grid_of(int size) {
  int rows = static_cast<int>(std::sqrt(static_cast<double>(size)));
  while (size % rows != 0) --rows;
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  return {rows, size / rows, {rows, size / rows, ranks}};
}

// Each call factors a copy of the same random matrix; the copy is not timed, as little as it is.
bool factorisations(const papers::Options& options, const Grid& grid, int n, int block, int rank) {
  const int zero = 0, one = 1, context = grid.context.handle(), row = grid.context.row(), column = grid.context.col();
  const int rows = numroc_(&n, &block, &row, &zero, &grid.rows), leading = std::max(1, rows);
  const int columns = numroc_(&n, &block, &column, &zero, &grid.columns);
  int descriptor[9], info = 0;
  descinit_(descriptor, &n, &n, &block, &block, &zero, &zero, &context, &leading, &info);
  std::vector<double> matrix(static_cast<std::size_t>(leading) * static_cast<std::size_t>(std::max(1, columns)));
  std::mt19937 random(static_cast<unsigned>(rank + 1));
  for (double& x : matrix) x = std::uniform_real_distribution<>(-1, 1)(random);
  std::vector<double> factored;
  std::vector<int> pivots(static_cast<std::size_t>(leading + block));
  int failures = 0;
  const papers::Times times = papers::timed(
      options.whole("repetitions"), [&] { factored = matrix; },
      [&] {
        pdgetrf_(&n, &n, factored.data(), &one, &one, descriptor, pivots.data(), &info);
        failures += info != 0;
      });
  if (rank == 0)
    std::printf("%d,%dx%d,%d,%zu,%.6g,%.6g,%.6g,%s\n", n, grid.rows, grid.columns, block, times.count, times.median,
                times.least, times.most, failures == 0 ? "right" : "WRONG");
  std::fflush(stdout);
  return failures == 0;
}

bool measure(const papers::Options& options) {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const Grid grid = grid_of(size);
  if (rank == 0) std::puts("n,grid,block,repetitions,median_s,least_s,most_s,data");
  bool right = true;
  for (const int n : options.wholes("sides"))
    for (const int block : options.wholes("blocks")) right = factorisations(options, grid, n, block, rank) && right;
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  return papers::run("lu", argc, argv, {{"sides", "200,400"}, {"blocks", "16,32,64"}, {"repetitions", "3"}}, measure);
}
