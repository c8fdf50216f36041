// SPDX-License-Identifier: BSD-3-Clause
#include "cases.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <ostream>

#include "layout/layout.hpp"
#include "move.hpp"

namespace xredist::testing {

using namespace core;
namespace {

using Bytes = std::vector<std::byte>;

// The local part of a matrix on this process, or nothing outside the grid.
struct Local {
  std::vector<std::int64_t> row_numbers, col_numbers;  // global indices
  Index rows, cols, ld;
  std::array<xredist_int, 9> desc;
  Bytes data;

  Local(const GridShape& grid, const Shape& s, const Context& context, int bytes) {
    const int place = context.member() ? context.row() * grid.npcol + context.col() : -1;
    Part part({grid.nprow, grid.npcol, s.MB, s.NB, s.RSRC, s.CSRC}, s.M, s.N, place);
    row_numbers = std::move(part.rows), col_numbers = std::move(part.cols);
    rows = std::ssize(row_numbers), cols = std::ssize(col_numbers), ld = context.member() ? rows + s.padding : 0;
    // A process outside the grid passes these values, of which the library reads only -1.
    desc = {77, -1, -s.M, 12345, 0, -3, 99, -1, 0};
    if (context.member())
      desc = {-7, context.handle(), s.M, s.N, s.MB, s.NB, s.RSRC, s.CSRC, static_cast<xredist_int>(ld)};
    data.assign(static_cast<std::size_t>(ld * cols * bytes), std::byte{0xAB});
  }

  // Returns the global index of local row i and column j.
  Coord global(Index i, Index j) const { return {at(row_numbers, i), at(col_numbers, j)}; }

  void* pointer() { return rows * cols > 0 ? data.data() : nullptr; }
};

// Returns element (i, j) of matrix A (mark 0) or B (mark 1).
void stamp(std::byte* at, int bytes, Coord g, int mark) {
  const auto i = static_cast<unsigned>(g.row), j = static_cast<unsigned>(g.col), m = static_cast<unsigned>(mark);
  const std::array<unsigned, 4> words{((i * 16384u + j) << 1) | m, i ^ (j << 13), j, m + 0x5a5a0000u};
  std::memcpy(at, words.data(), static_cast<std::size_t>(bytes));
}

void fill(Local& x, int bytes, int mark) {
  for (Index j = 0; j < x.cols; ++j)
    for (Index i = 0; i < x.rows; ++i)
      stamp(&x.data[static_cast<std::size_t>((i + j * x.ld) * bytes)], bytes, x.global(i, j), mark);
}

// Writes the expected B, and returns the number of elements that change on this process.
long expect(const Case& c, Local& b, int bytes) {
  const Region region = c.trapezoid ? xredist::core::trapezoid(c.uplo, c.diag, c.m, c.n) : Region{};
  long moved = 0;
  for (Index j = 0; j < b.cols; ++j)
    for (Index i = 0; i < b.rows; ++i) {
      const Coord g = b.global(i, j);
      const Index si = g.row - (c.b.i - 1), sj = g.col - (c.b.j - 1);
      if (si < 0 || si >= c.m || sj < 0 || sj >= c.n || !meets(region, {si, si + 1}, {sj, sj + 1})) continue;
      stamp(&b.data[static_cast<std::size_t>((i + j * b.ld) * bytes)], bytes, {si + c.a.i - 1, sj + c.a.j - 1}, 0);
      ++moved;
    }
  return moved;
}

// Returns the first position where two local parts differ.
std::string difference(const Bytes& got, const Bytes& want, const Local& x, int bytes) {
  const auto [at, other] = std::ranges::mismatch(got, want);
  if (at == got.end() && other == want.end()) return {};
  const Index element = (at - got.begin()) / bytes, i = element % x.ld, j = element / x.ld;
  const Coord g = x.global(std::min(i, x.rows - 1), j);
  return "process " + std::to_string(rank()) + " local (" + std::to_string(i) + "," + std::to_string(j) + ") of " +
         std::to_string(x.rows) + "x" + std::to_string(x.cols) + (i >= x.rows ? " (padding)" : "") + ", global (" +
         std::to_string(g.row) + "," + std::to_string(g.col) + ")";
}

}  // namespace

std::string described(const Case& c) {
  const auto grid = [](const GridShape& g) {
    std::string text = std::to_string(g.nprow) + "x" + std::to_string(g.npcol) + " [";
    for (int rank : g.ranks) text += std::to_string(rank) + " ";
    text.back() = ']';
    return text;
  };
  const auto shape = [](const Shape& s) {
    return " M,N " + std::to_string(s.M) + "," + std::to_string(s.N) + " MB,NB " + std::to_string(s.MB) + "," +
           std::to_string(s.NB) + " SRC " + std::to_string(s.RSRC) + "," + std::to_string(s.CSRC) + " at " +
           std::to_string(s.i) + "," + std::to_string(s.j) + " padding " + std::to_string(s.padding);
  };
  return (c.trapezoid ? std::string("TR ") + c.uplo + c.diag : std::string("GE")) + " " + std::to_string(c.m) + "x" +
         std::to_string(c.n) + "\n  A " + grid(c.grid_a) + shape(c.a) + "\n  B " + grid(c.grid_b) + shape(c.b) +
         "\n  context " + grid(c.context);
}

long run_case(const Case& c, const Letter& letter, const Letter& reference, const Options& options,
              std::ostream& wrong) {
  const Context context_a(c.grid_a), context_b(c.grid_b), context(c.context);
  Local a(c.grid_a, c.a, context_a, letter.bytes), b(c.grid_b, c.b, context_b, letter.bytes);
  fill(a, letter.bytes, 0);
  fill(b, letter.bytes, 1);
  const Bytes a_before = a.data, b_before = b.data;

  const bool old = options.form == Form::old_c || options.form == Form::old_fortran;
  const auto call = [&](const Letter& which, Form form) {
    if (!old && !context.member()) return;
    which.call(form, {c.trapezoid, c.uplo, c.diag, c.m, c.n, a.pointer(), c.a.i, c.a.j, a.desc.data(), b.pointer(),
                      c.b.i, c.b.j, b.desc.data(), context.handle()});
  };

  call(letter, options.form);
  const Bytes got = b.data;
  b.data = b_before;
  long moved = expect(c, b, letter.bytes);
  if (const std::string where = difference(got, b.data, b, letter.bytes); !where.empty())
    wrong << "B is wrong: " << where << "\n" << described(c) << "\n";
  if (const std::string where = difference(a.data, a_before, a, letter.bytes); !where.empty())
    wrong << "A has changed: " << where << "\n" << described(c) << "\n";

  // MKL's P?MR2D for integers moves 32 bits also where integers have 64.
  if (options.compare && !(letter.letter == 'i' && letter.bytes == 8)) {
    b.data = b_before;
    call(reference, old ? Form::old_c : Form::c);
    if (const std::string where = difference(got, b.data, b, letter.bytes); !where.empty())
      wrong << "not what ScaLAPACK's routine does: " << where << "\n" << described(c) << "\n";
  }
  MPI_Allreduce(MPI_IN_PLACE, &moved, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  return moved;
}

namespace {

// The context has all processes, or only those of both grids, in any shape and order.
GridShape random_context(Random& random, const GridShape& a, const GridShape& b) {
  std::vector<int> ranks = random_ranks(random, size());
  if (random.one_in(2))
    std::erase_if(ranks, [&](int r) {
      return std::ranges::find(a.ranks, r) == a.ranks.end() && std::ranges::find(b.ranks, r) == b.ranks.end();
    });
  const int count = static_cast<int>(ranks.size());
  int nprow = random.in(1, count);
  while (count % nprow != 0) --nprow;
  return {nprow, count / nprow, ranks};
}

Shape random_shape(Random& random, const GridShape& grid, int m, int n, int longest) {
  const int most_block = random.one_in(2) ? 8 : 2 * longest;
  Shape s{};
  s.i = random.one_in(3) ? 1 : random.in(1, 30);
  s.j = random.one_in(3) ? 1 : random.in(1, 30);
  s.M = s.i - 1 + m + random.in(0, 19);
  s.N = s.j - 1 + n + random.in(0, 19);
  s.MB = random.in(1, most_block);
  s.NB = random.in(1, most_block);
  s.RSRC = random.in(0, grid.nprow - 1);
  s.CSRC = random.in(0, grid.npcol - 1);
  s.padding = random.in(0, 3);
  return s;
}

}  // namespace

Case random_case(Random& random, int longest) {
  Case c;
  c.grid_a = random_grid(random, size());
  c.grid_b = random.one_in(4) ? c.grid_a : random_grid(random, size());
  if (random.one_in(6) && c.grid_b.nprow != c.grid_b.npcol) std::swap(c.grid_b.nprow, c.grid_b.npcol);
  c.context = random_context(random, c.grid_a, c.grid_b);
  c.m = random.one_in(10) ? 1 : random.in(1, longest);
  c.n = random.one_in(10) ? 1 : random.in(1, longest);
  c.a = random_shape(random, c.grid_a, c.m, c.n, longest);
  c.b = random_shape(random, c.grid_b, c.m, c.n, longest);
  c.trapezoid = random.one_in(3);
  c.uplo = random.one_of("UuLlx");
  c.diag = random.one_of("NnUux");
  return c;
}

}  // namespace xredist::testing
