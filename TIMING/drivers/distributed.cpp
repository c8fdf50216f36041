// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/distributed.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "layout/index.hpp"

extern "C" void Cblacs_gridinfo(int ctxt, int* nprow, int* npcol, int* myrow, int* mycol);

namespace drivers {
namespace {

using xredist::core::as_size;

std::vector<int> owned(int length, int block, int me, int source, int processes) {
  const int first = (me + processes - source) % processes;  // block
  std::vector<int> indices;
  for (int k = 0; k < length; ++k)
    if (k / block % processes == first) indices.push_back(k);
  return indices;
}

double sum_of_all(double here) {
  MPI_Allreduce(MPI_IN_PLACE, &here, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return here;
}

double squares(const Vector& v) { return std::inner_product(v.begin(), v.end(), v.begin(), 0.0); }

// Returns the factor of element (i, j) of a matrix in a product with a part of the matrix.
double factor(Part part, int i, int j, double element) {
  switch (part) {
    case Part::lower: return i >= j ? element : 0;
    case Part::unit_lower: return i == j ? 1 : i > j ? element : 0;
    case Part::upper: return i <= j ? element : 0;
    default: return element;
  }
}

}  // namespace

Distributed zeros(Descriptor desc) {
  Distributed x{desc, {}, {}};
  if (desc[ctxt_] < 0) return x;
  int nprow = 0, npcol = 0, row = 0, col = 0;
  Cblacs_gridinfo(desc[ctxt_], &nprow, &npcol, &row, &col);
  x.rows = owned(desc[m_], desc[mb_], row, desc[rsrc_], nprow);
  x.cols = owned(desc[n_], desc[nb_], col, desc[csrc_], npcol);
  x.desc[lld_] = std::max(1, static_cast<int>(x.rows.size()));
  x.local.assign(std::max(x.rows.size() * x.cols.size(), std::size_t{1}), 0);
  return x;
}

void fill(Distributed& x, double (*element)(int i, int j)) {
  auto next = x.local.begin();
  for (const int j : x.cols)
    for (const int i : x.rows) *next++ = element(i, j);
}

Vector product(const Distributed& x, Part part, bool transposed, const Vector& v) {
  Vector result(as_size(x.desc[transposed ? n_ : m_]));
  auto next = x.local.begin();
  for (const int j : x.cols)
    for (const int i : x.rows) {
      const double a = factor(part, i, j, *next++);
      if (transposed)
        result[as_size(j)] += a * v[as_size(i)];
      else
        result[as_size(i)] += a * v[as_size(j)];
    }
  MPI_Allreduce(MPI_IN_PLACE, result.data(), static_cast<int>(result.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return result;
}

double norm(const Distributed& x) {
  return std::sqrt(sum_of_all(x.rows.empty() || x.cols.empty() ? 0 : squares(x.local)));
}

double norm(const Vector& v) { return std::sqrt(squares(v)); }

Vector difference(Vector x, const Vector& y) {
  std::ranges::transform(x, y, x.begin(), std::minus());
  return x;
}

}  // namespace drivers
