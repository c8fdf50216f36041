// Times the redistributions of Kalns & Ni 1995, (BLOCK, ...) to (CYCLIC(c), ...) of 4-byte elements on one set of
// processes: with the target grid as it is ("traditional"), and with the one that keeps most elements in place
// ("optimal").
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <stdexcept>

#include "options.hpp"
#include "timed.hpp"
#include "xredist/relabel.hpp"

namespace {

using Index = std::int64_t;
using Element = std::int32_t;

constexpr const char* header =
    "network,grid,divisor,n,processes,mapping,kept,least_kept,repetitions,median_s,least_s,most_s,data\n";

// Blocks of A are `divisor` times those of B along each side that is distributed.
struct Case {
  std::string grid;
  int rows = 0, cols = 0, divisor = 0;
  Index n = 0;

  xredist_layout layout(const int* ranks, int by) const {
    const Index mb = n / rows / (rows == 1 ? 1 : by), nb = n / cols / (cols == 1 ? 1 : by);
    return {rows, cols, ranks, mb, nb, 0, 0};
  }
};

Case case_of(const std::string& grid, int divisor, Index n) {
  Case c{grid, 0, 0, divisor, n};
  char rest = 0;
  if (std::sscanf(grid.c_str(), "%dx%d%c", &c.rows, &c.cols, &rest) != 2 || c.rows < 1 || c.cols < 1)
    throw std::invalid_argument("no grid: " + grid);
  for (const int side : {c.rows, c.cols})
    if (side > 1 && n % (side * divisor) != 0) throw std::invalid_argument("no whole blocks: " + std::to_string(n));
  return c;
}

// The part of process `place` of the grid, row-major; all sides are whole numbers of cycles.
class Part {
 public:
  Part(const Case& c, const xredist_layout& layout, int place)
      : n_(c.n), layout_(layout), row_(place / c.cols), col_(place % c.cols), rows_(c.n / c.rows), cols_(c.n / c.cols) {
    elements.resize(static_cast<std::size_t>(rows_ * cols_));
  }
  void number() {
    for (Index k = 0; k < rows_ * cols_; ++k) elements[static_cast<std::size_t>(k)] = value(k);
  }
  bool numbered() const {
    for (Index k = 0; k < rows_ * cols_; ++k)
      if (elements[static_cast<std::size_t>(k)] != value(k)) return false;
    return true;
  }
  Index leading() const { return rows_; }
  /// The fraction of it that `before`, of one block for each process, has as well.
  double kept_of(const Part& before) const {
    const auto common = [](Index count, Index block, Index processes, Index place, Index length, Index place_before) {
      Index found = 0;
      for (Index i = 0; i < count; ++i) found += global(i, block, processes, place) / length == place_before;
      return static_cast<double>(found) / static_cast<double>(count);
    };
    return common(rows_, layout_.mb, layout_.nprow, row_, before.rows_, before.row_) *
           common(cols_, layout_.nb, layout_.npcol, col_, before.cols_, before.col_);
  }

  std::vector<Element> elements;

 private:
  static Index global(Index local, Index block, Index processes, Index place) {
    return (local / block * processes + place) * block + local % block;
  }
  Element value(Index k) const {
    const Index row = global(k % rows_, layout_.mb, layout_.nprow, row_);
    const Index col = global(k / rows_, layout_.nb, layout_.npcol, col_);
    return static_cast<Element>(col * n_ + row + 1);  // 0 is what an empty part holds
  }

  Index n_;
  xredist_layout layout_;
  Index row_, col_, rows_, cols_;
};

bool measure(const papers::Options& options, const Case& c, int rank, bool relabels) {
  const xredist_layout a = c.layout(nullptr, 1);
  xredist_layout b = c.layout(nullptr, c.divisor);
  const xredist::Relabelled best = xredist::relabelled(MPI_COMM_WORLD, c.n, c.n, a, 1, 1, b, 1, 1);
  int place = rank;
  if (relabels) {
    b.ranks = best.ranks.data();
    place = static_cast<int>(std::ranges::find(best.ranks, rank) - best.ranks.begin());
  }
  Part from(c, a, rank), to(c, b, place);
  from.number();
  const xredist::Plan<Element> plan(MPI_COMM_WORLD, c.n, c.n, a, 1, 1, b, 1, 1);
  const papers::Times times = papers::timed(options.whole("repetitions"), [&] {
    plan.execute(from.elements.data(), from.leading(), to.elements.data(), to.leading());
  });
  const bool right = papers::everywhere(to.numbered());
  double least_kept = to.kept_of(from);
  MPI_Allreduce(MPI_IN_PLACE, &least_kept, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  if (rank == 0)
    std::printf("%s,%s,%d,%lld,%d,%s,%.6f,%.6f,%zu,%.6g,%.6g,%.6g,%s\n", options.text("network").c_str(),
                c.grid.c_str(), c.divisor, static_cast<long long>(c.n), c.rows * c.cols,
                relabels ? "optimal" : "traditional", relabels ? best.kept : best.kept_before, least_kept, times.count,
                times.median, times.least, times.most, right ? "right" : "WRONG");
  std::fflush(stdout);
  return right;
}

bool measure_all(const papers::Options& options) {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) std::fputs(header, stdout);
  bool right = true;
  for (const int n : options.wholes("sides")) {
    const Case c = case_of(options.text("grid"), options.whole("divisor"), n);
    if (c.rows * c.cols != size) throw std::invalid_argument("start as many processes as the grid has");
    for (const bool relabels : {false, true}) right = measure(options, c, rank, relabels) && right;
  }
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  return papers::run("kalns_ni", argc, argv,
                     {{"network", "this computer"},
                      {"grid", "8x1"},
                      {"divisor", "2"},
                      {"sides", "288,576,1152"},
                      {"repetitions", "1"}},
                     measure_all);
}
