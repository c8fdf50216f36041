// SPDX-License-Identifier: BSD-3-Clause
// Four uses of lists of rows and columns: columns in the order of their eigenvalues, every third row, rows that a
// factorisation has exchanged, and Fourier vectors of a sphere in the slabs of a grid. The program checks all elements.
//
//   mpicxx -std=c++20 lists.cpp -lxredist && mpirun -n 4 ./a.out
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <utility>
#include <vector>
#include <xredist/xredist.hpp>

using Numbers = std::vector<std::int64_t>;

constexpr std::int64_t whole = 60;  // rows and columns of a matrix

int size_of_world() {
  int processes = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  return processes;
}
int own_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

// Returns an entry of a list; entries count from 1.
std::int64_t entry(const Numbers& list, std::int64_t number) { return list[static_cast<std::size_t>(number - 1)]; }

Numbers ascending(std::int64_t count) {
  Numbers numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 1);
  return numbers;
}

// A distributed matrix: the part of this process, with the rows and columns that it holds.
struct Matrix {
  Matrix(const xredist::Layout& of, std::int64_t m, std::int64_t k)
      : layout(of), held(xredist::local_to_global(of, m, k, own_rank())), part(held.rows.size() * held.cols.size()) {}

  // Calls f(element, row, column) for each element of this process.
  template <class F>
  void for_each(F f) {
    auto element = part.begin();
    for (const std::int64_t col : held.cols)
      for (const std::int64_t row : held.rows) f(*element++, row, col);
  }
  // A list may leave out the last local row, so the arrays have leading dimensions.
  std::int64_t ld() const { return std::max<std::int64_t>(1, std::ssize(held.rows)); }

  xredist::Layout layout;
  xredist::GlobalIndices held;
  std::vector<double> part;
};

double element_of(std::int64_t row, std::int64_t col) { return static_cast<double>(row + 10000 * col); }

// Moves a matrix A of element_of(row, column) to B, which is 0 before. Returns whether B has the elements of row
// rows[i] and column cols[j] of A in row i and column j, and 0 in rows of which `rows` has 0.
bool moves(Matrix a, Matrix b, const xredist::Operation& operation, const Numbers& rows, const Numbers& cols) {
  a.for_each([](double& element, std::int64_t row, std::int64_t col) { element = element_of(row, col); });
  const xredist::Plan<double> plan(MPI_COMM_WORLD, a.layout, b.layout, operation);
  plan.execute({a.part.data(), a.ld()}, {b.part.data(), b.ld()});
  bool right = true;
  b.for_each([&](double element, std::int64_t row, std::int64_t col) {
    const std::int64_t from = entry(rows, row);
    right = right && element == (from > 0 ? element_of(from, entry(cols, col)) : 0);
  });
  return right;
}

bool sort_columns(const xredist::Layout& a, const xredist::Layout& b) {
  Numbers order = ascending(whole);  // column order[k] has the k-th least eigenvalue
  const auto eigenvalue = [](std::int64_t column) { return 37 * column % 61; };
  std::sort(order.begin(), order.end(), [&](auto i, auto j) { return eigenvalue(i) < eigenvalue(j); });
  return moves({a, whole, whole}, {b, whole, whole}, {.m = whole, .n = whole, .cols_a = order.data()}, ascending(whole),
               order);
}

bool take_every_third_row(const xredist::Layout& a, const xredist::Layout& b) {
  Numbers third;
  for (std::int64_t row = 1; row <= whole; row += 3) third.push_back(row);
  const std::int64_t count = std::ssize(third);
  return moves({a, whole, whole}, {b, count, whole}, {.m = count, .n = whole, .rows_a = third.data()}, third,
               ascending(whole));
}

// Puts rows back where they were before LU exchanged row k with row pivots[k], one k after the other.
bool undo_pivoting(const xredist::Layout& a, const xredist::Layout& b) {
  Numbers came_from = ascending(whole), pivoted(came_from.size());
  for (std::size_t k = 0; k < came_from.size(); ++k)
    std::swap(came_from[k], came_from[k + 17 * k % (came_from.size() - k)]);
  for (std::size_t k = 0; k < came_from.size(); ++k)
    pivoted[static_cast<std::size_t>(came_from[k] - 1)] = static_cast<std::int64_t>(k + 1);
  return moves({a, whole, whole}, {b, whole, whole}, {.m = whole, .n = whole, .rows_b = came_from.data()}, pivoted,
               ascending(whole));
}

// Moves Fourier coefficients of bands: vectors in a sphere, dealt to the processes, become slabs of a grid of side^3.
bool fill_slabs(int processes) {
  constexpr std::int64_t side = 12, radius = 4, bands = 3;
  Numbers points, vector;  // the point of each vector, and the vector of each point; 0 outside the sphere
  const auto square = [](std::int64_t k) { return k <= side / 2 ? k * k : (k - side) * (k - side); };
  for (std::int64_t z = 0; z < side; ++z)
    for (std::int64_t y = 0; y < side; ++y)
      for (std::int64_t x = 0; x < side; ++x) {
        const bool inside = square(x) + square(y) + square(z) <= radius * radius;
        if (inside) points.push_back(std::ssize(vector) + 1);
        vector.push_back(inside ? std::ssize(points) : 0);
      }
  const xredist::Layout dealt{.nprow = processes, .npcol = 1, .mb = 4, .nb = bands};
  const std::int64_t planes = (side + processes - 1) / processes;  // of a slab
  const xredist::Layout slabs{.nprow = processes, .npcol = 1, .mb = planes * side * side, .nb = bands};
  return moves({dealt, std::ssize(points), bands}, {slabs, side * side * side, bands},
               {.m = std::ssize(points), .n = bands, .rows_b = points.data()}, vector, ascending(bands));
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int processes = size_of_world();
  const xredist::Layout columns{.nprow = 1, .npcol = processes, .mb = whole, .nb = 4};
  const xredist::Layout rows{.nprow = processes, .npcol = 1, .mb = 3, .nb = whole};
  int right = 0;
  try {
    const bool uses[] = {sort_columns(columns, rows), take_every_third_row(rows, columns), undo_pivoting(columns, rows),
                         fill_slabs(processes)};
    right = std::ranges::count(uses, true) == std::ssize(uses);
  } catch (const xredist::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  if (own_rank() == 0) std::printf("lists on %d processes: %s\n", processes, right != 0 ? "right" : "wrong");
  MPI_Finalize();
  return right != 0 ? 0 : 1;
}
