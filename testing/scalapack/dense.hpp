// SPDX-License-Identifier: BSD-3-Clause
// Dense random matrices, whole or distributed, and products that check the results of solvers.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "grid.hpp"
#include "random.hpp"

namespace xredist::testing {

using Complex = std::complex<double>;

inline double conjugate(double x) { return x; }
inline Complex conjugate(const Complex& x) { return std::conj(x); }

/// A square matrix of order n, column-major, equal on all processes.
template <class T>
struct Whole {
  int n;
  std::vector<T> elements = std::vector<T>(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), T(0));

  T* column(int j) { return elements.data() + static_cast<std::ptrdiff_t>(j) * n; }
  const T* column(int j) const { return elements.data() + static_cast<std::ptrdiff_t>(j) * n; }
  T& operator()(int i, int j) { return column(j)[i]; }
  const T& operator()(int i, int j) const { return column(j)[i]; }
};

/// Returns a matrix whose elements element(i, j) returns.
template <class T, class Element>
Whole<T> matrix_of(int n, Element element) {
  Whole<T> a{n};
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) a(i, j) = element(i, j);
  return a;
}

template <class T>
Whole<T> identity(int n) {
  return matrix_of<T>(n, [](int i, int j) { return i == j ? 1 : 0; });
}

/// Returns a matrix of random numbers, whose real and imaginary parts are from -1 to 1.
template <class T>
Whole<T> general(int n) {
  Random random(static_cast<std::uint64_t>(n));
  const auto number = [&] { return static_cast<double>(random.below(2'000'001)) / 1e6 - 1; };
  return matrix_of<T>(n, [&](int, int) -> T {
    if constexpr (std::is_same_v<T, Complex>) return {number(), number()};
    return number();
  });
}

/// Returns a Hermitian random matrix. With a shift of 2 n it is positive definite.
template <class T>
Whole<T> hermitian(int n, double shift = 0) {
  const Whole<T> a = general<T>(n);
  return matrix_of<T>(n, [&](int i, int j) -> T {
    if (i == j) return std::real(a(i, i)) + shift;
    return i > j ? a(i, j) : conjugate(a(j, i));
  });
}

template <class T>
Whole<T> adjoint(const Whole<T>& a) {
  return matrix_of<T>(a.n, [&](int i, int j) { return conjugate(a(j, i)); });
}

template <class T>
Whole<T> product(const Whole<T>& a, const Whole<T>& b) {
  Whole<T> c{a.n};
  for (int j = 0; j < a.n; ++j)
    for (int k = 0; k < a.n; ++k)
      for (int i = 0; i < a.n; ++i) c(i, j) += a(i, k) * b(k, j);
  return c;
}

/// Returns a matrix times a diagonal one.
template <class T>
Whole<T> times_diagonal(const Whole<T>& a, const std::vector<double>& d) {
  return matrix_of<T>(a.n, [&](int i, int j) { return a(i, j) * d[static_cast<std::size_t>(j)]; });
}

/// Returns the largest difference of two elements; what is not a number is a large one.
template <class T>
double distance(const Whole<T>& a, const Whole<T>& b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.elements.size(); ++k) {
    const double x = std::abs(a.elements[k] - b.elements[k]);
    largest = std::isfinite(x) ? std::max(largest, x) : 1e300;
  }
  return largest;
}

/// Returns the deviation of A from a unitary matrix.
template <class T>
double deviation(const Whole<T>& a) {
  return distance(product(adjoint(a), a), identity<T>(a.n));
}

/// The layout of square matrices of order n, in square blocks on a grid.
struct Square {
  int n, block;
  const GridShape& shape;
  const Context& grid;
};

/// The part of an n x n matrix on this process; empty outside of the grid.
template <class T>
struct Distributed {
  int n;
  std::vector<int> rows, cols;  ///< indices, from 0
  int desc[9];
  std::vector<T> local;

  explicit Distributed(const Square& on)
      : n(on.n), rows(indices(on, on.shape.nprow, on.grid.row())), cols(indices(on, on.shape.npcol, on.grid.col())) {
    const int lld = std::max(1, static_cast<int>(rows.size()));
    const int entries[] = {1, static_cast<int>(on.grid.handle()), n, n, on.block, on.block, 0, 0, lld};
    std::ranges::copy(entries, desc);
    local.assign(static_cast<std::size_t>(lld) * std::max<std::size_t>(1, cols.size()), T(0));
  }
  Distributed(const Square& on, const Whole<T>& from) : Distributed(on) {
    each([&](T& x, int i, int j) { x = from(i, j); });
  }

  template <class Function>
  void each(Function function) {
    for (std::size_t j = 0; j < cols.size(); ++j)
      for (std::size_t i = 0; i < rows.size(); ++i)
        function(local[j * static_cast<std::size_t>(desc[8]) + i], rows[i], cols[j]);
  }

  /// Returns all elements. Collective over MPI_COMM_WORLD.
  Whole<T> whole() {
    Whole<T> all{n};
    each([&](const T& x, int i, int j) { all(i, j) = x; });
    constexpr int numbers = sizeof(T) / sizeof(double);
    MPI_Allreduce(MPI_IN_PLACE, all.elements.data(), numbers * n * n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
  }

 private:
  static std::vector<int> indices(const Square& on, int procs, int process) {
    std::vector<int> all;
    for (int i = 0; i < on.n && on.grid.member(); ++i)
      if (i / on.block % procs == process) all.push_back(i);
    return all;
  }
};

}  // namespace xredist::testing
