// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/solver.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "layout/index.hpp"

extern "C" {
void pdpotrf_(const char* uplo, const int* n, double* a, const int* ia, const int* ja, const int* desca, int* info);
void pdgetrf_(const int* m, const int* n, double* a, const int* ia, const int* ja, const int* desca, int* pivots,
              int* info);
void pdgesv_(const int* n, const int* nrhs, double* a, const int* ia, const int* ja, const int* desca, int* pivots,
             double* b, const int* ib, const int* jb, const int* descb, int* info);
void pdgeqrf_(const int* m, const int* n, double* a, const int* ia, const int* ja, const int* desca, double* tau,
              double* work, const int* lwork, int* info);
void pdsyev_(const char* jobz, const char* uplo, const int* n, double* a, const int* ia, const int* ja,
             const int* desca, double* w, double* z, const int* iz, const int* jz, const int* descz, double* work,
             const int* lwork, int* info);
void pdsyevd_(const char* jobz, const char* uplo, const int* n, double* a, const int* ia, const int* ja,
              const int* desca, double* w, double* z, const int* iz, const int* jz, const int* descz, double* work,
              const int* lwork, int* iwork, const int* liwork, int* info);
void pdsyevr_(const char* jobz, const char* range, const char* uplo, const int* n, double* a, const int* ia,
              const int* ja, const int* desca, const double* vl, const double* vu, const int* il, const int* iu, int* m,
              int* nz, double* w, double* z, const int* iz, const int* jz, const int* descz, double* work,
              const int* lwork, int* iwork, const int* liwork, int* info);
void pdgesvd_(const char* jobu, const char* jobvt, const int* m, const int* n, double* a, const int* ia, const int* ja,
              const int* desca, double* s, double* u, const int* iu, const int* ju, const int* descu, double* vt,
              const int* ivt, const int* jvt, const int* descvt, double* work, const int* lwork, int* info);
}

namespace drivers {
namespace {

using xredist::core::as_size;

constexpr int one = 1;

// Returns a number from -1 to 1 that looks random.
double noise(std::uint64_t i, std::uint64_t j) {  // SplitMix64 (Steele, Lea, Flood 2014)
  std::uint64_t x = (i << 32 | j) + 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return static_cast<double>((x ^ x >> 31) >> 11) * 0x1p-52 - 1;
}

double general(int i, int j) { return noise(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j)); }
double symmetric(int i, int j) { return general(std::max(i, j), std::min(i, j)); }
// Eigenvalues of `symmetric` lie within 2 sqrt(n/3), so 200 makes matrices of order 10,000 positive definite.
double positive(int i, int j) { return symmetric(i, j) + (i == j ? 200 : 0); }

Vector probe(int n) {
  Vector v(as_size(n));
  for (int i = 0; i < n; ++i) v[as_size(i)] = general(i, n);
  return v;
}

int order(const Problem& p) { return p.a.desc[n_]; }

// Returns the numbers by which workspace is longer than a routine asks for. PDSYEVD (ScaLAPACK 2.2) asks for less than
// PDORMTR and PDLASRT need if a process has less than about 1.4 blocks of rows or columns (doc/fit.rst): then these
// stop, on some processes only.
int more_than_asked(const Distributed& a) {
  const int block = std::max(a.desc[mb_], a.desc[nb_]), rows = static_cast<int>(a.rows.size()),
            cols = static_cast<int>(a.cols.size());
  return rows * (block + cols) + block * (rows + cols + 2 * block);
}

// Calls a routine twice: for the sizes of its workspace, then to work. call(work, lwork, iwork, liwork)
template <class Call>
void with_workspace(Problem& p, Call call) {
  Vector work(1);
  std::vector<int> iwork(1);
  int size = -1, isize = -1;
  call(work.data(), &size, iwork.data(), &isize);
  if (p.info != 0) return;
  size = static_cast<int>(work[0]) + more_than_asked(p.a), isize = iwork[0] + 2 * p.a.desc[nb_];
  work.resize(as_size(std::max(size, 1))), iwork.resize(as_size(std::max(isize, 1)));
  call(work.data(), &size, iwork.data(), &isize);
}

void potrf(Problem& p) {
  const int n = order(p);
  pdpotrf_("L", &n, p.a.local.data(), &one, &one, p.a.desc.data(), &p.info);
}

void getrf(Problem& p) {
  const int n = order(p);
  p.pivots.resize(p.a.rows.size() + as_size(p.a.desc[mb_]));
  pdgetrf_(&n, &n, p.a.local.data(), &one, &one, p.a.desc.data(), p.pivots.data(), &p.info);
}

void gesv(Problem& p) {
  const int n = order(p);
  p.pivots.resize(p.a.rows.size() + as_size(p.a.desc[mb_]));
  pdgesv_(&n, &one, p.a.local.data(), &one, &one, p.a.desc.data(), p.pivots.data(), p.b.local.data(), &one, &one,
          p.b.desc.data(), &p.info);
}

void geqrf(Problem& p) {
  const int n = order(p);
  Vector tau(p.a.cols.size() + as_size(p.a.desc[nb_]));
  with_workspace(p, [&](double* work, const int* size, int*, int*) {
    pdgeqrf_(&n, &n, p.a.local.data(), &one, &one, p.a.desc.data(), tau.data(), work, size, &p.info);
  });
}

void syev(Problem& p) {
  const int n = order(p);
  with_workspace(p, [&](double* work, const int* size, int*, int*) {
    pdsyev_("V", "L", &n, p.a.local.data(), &one, &one, p.a.desc.data(), p.values.data(), p.u.local.data(), &one, &one,
            p.u.desc.data(), work, size, &p.info);
  });
}

void syevd(Problem& p) {
  const int n = order(p);
  with_workspace(p, [&](double* work, const int* size, int* iwork, const int* isize) {
    pdsyevd_("V", "L", &n, p.a.local.data(), &one, &one, p.a.desc.data(), p.values.data(), p.u.local.data(), &one, &one,
             p.u.desc.data(), work, size, iwork, isize, &p.info);
  });
}

void syevr(Problem& p) {
  const int n = order(p);
  const double nowhere = 0;
  int found = 0, vectors = 0;
  with_workspace(p, [&](double* work, const int* size, int* iwork, const int* isize) {
    pdsyevr_("V", "A", "L", &n, p.a.local.data(), &one, &one, p.a.desc.data(), &nowhere, &nowhere, &one, &n, &found,
             &vectors, p.values.data(), p.u.local.data(), &one, &one, p.u.desc.data(), work, size, iwork, isize,
             &p.info);
  });
}

void gesvd(Problem& p) {
  const int n = order(p);
  with_workspace(p, [&](double* work, const int* size, int*, int*) {
    pdgesvd_("V", "V", &n, &n, p.a.local.data(), &one, &one, p.a.desc.data(), p.values.data(), p.u.local.data(), &one,
             &one, p.u.desc.data(), p.vt.local.data(), &one, &one, p.vt.desc.data(), work, size, &p.info);
  });
}

// Returns |wrong| / (size n u). A wrong result has a value near 1 / (n u).
double scaled(const Vector& wrong, double size) {
  return norm(wrong) / (size * static_cast<double>(wrong.size()) * std::numeric_limits<double>::epsilon());
}

Vector times(const Distributed& x, const Vector& v) { return product(x, Part::all, false, v); }
Vector transpose_times(const Distributed& x, const Vector& v) { return product(x, Part::all, true, v); }

// All residuals multiply both sides of an identity by one vector x, which costs n^2 operations.

// L L^T x = A x
double of_cholesky(const Distributed& a, const Problem& p, const std::vector<int>&) {
  const Vector x = probe(order(p));
  const Vector found = product(p.a, Part::lower, false, product(p.a, Part::lower, true, x));
  return scaled(difference(found, times(a, x)), norm(a) * norm(x));
}

// L U x = P A x
double of_lu(const Distributed& a, const Problem& p, const std::vector<int>& rows) {
  const Vector x = probe(order(p));
  Vector expected = times(a, x);
  for (std::size_t k = 0; k < expected.size(); ++k) std::swap(expected[k], expected.at(as_size(rows[k] - 1)));
  const Vector found = product(p.a, Part::unit_lower, false, product(p.a, Part::upper, false, x));
  return scaled(difference(found, expected), norm(a) * norm(x));
}

// A X = B, where all elements of B are 1
double of_solution(const Distributed& a, const Problem& p, const std::vector<int>&) {
  const Vector x = times(p.b, {1}), b(x.size(), 1.0);
  return scaled(difference(times(a, x), b), norm(a) * norm(x) + norm(b));
}

// R^T R x = A^T A x. Q, whose reflectors lie below R, is not checked.
double of_qr(const Distributed& a, const Problem& p, const std::vector<int>&) {
  const Vector x = probe(order(p));
  const Vector found = product(p.a, Part::upper, true, product(p.a, Part::upper, false, x));
  return scaled(difference(found, transpose_times(a, times(a, x))), norm(a) * norm(a) * norm(x));
}

// A Z x = Z W x, and Z^T Z x = x
double of_eigenvectors(const Distributed& a, const Problem& p, const std::vector<int>&) {
  const Vector x = probe(order(p));
  const Vector zx = times(p.u, x);
  Vector wx = x;
  std::ranges::transform(wx, p.values, wx.begin(), std::multiplies());
  return std::max(scaled(difference(times(a, zx), times(p.u, wx)), norm(a) * norm(x)),
                  scaled(difference(transpose_times(p.u, zx), x), norm(x)));
}

// U S V^T x = A x, U^T U x = x, and V V^T x = x
double of_singular_vectors(const Distributed& a, const Problem& p, const std::vector<int>&) {
  const Vector x = probe(order(p));
  const Vector vx = times(p.vt, x);
  Vector sx = vx;
  std::ranges::transform(sx, p.values, sx.begin(), std::multiplies());
  return std::max({scaled(difference(times(p.u, sx), times(a, x)), norm(a) * norm(x)),
                   scaled(difference(transpose_times(p.u, times(p.u, x)), x), norm(x)),
                   scaled(difference(transpose_times(p.vt, vx), x), norm(x))});
}

bool has(const Solver& solver, Solver::Matrix matrix) {
  return std::ranges::find(solver.in, matrix) != solver.in.end() ||
         std::ranges::find(solver.out, matrix) != solver.out.end();
}

}  // namespace

const std::vector<Solver>& solvers() {
  using P = Problem;
  static const std::vector<Solver> all{
      {"PDPOTRF", positive, {&P::a}, {&P::a}, potrf, of_cholesky},
      {"PDGETRF", general, {&P::a}, {&P::a}, getrf, of_lu},
      {"PDGESV", general, {&P::a, &P::b}, {&P::b}, gesv, of_solution},
      {"PDGEQRF", general, {&P::a}, {&P::a}, geqrf, of_qr},
      {"PDSYEV", symmetric, {&P::a}, {&P::u}, syev, of_eigenvectors},
      {"PDSYEVD", symmetric, {&P::a}, {&P::u}, syevd, of_eigenvectors},
      {"PDSYEVR", symmetric, {&P::a}, {&P::u}, syevr, of_eigenvectors},
      {"PDGESVD", general, {&P::a}, {&P::u, &P::vt}, gesvd, of_singular_vectors},
  };
  return all;
}

Problem problem(const Solver& solver, const Descriptor& a) {
  Problem p{zeros(a), {a, {}, {}}, {a, {}, {}}, {a, {}, {}}, Vector(as_size(a[n_])), {}};
  Descriptor b = a;
  b[n_] = 1;
  if (has(solver, &Problem::b)) p.b = zeros(b);
  if (has(solver, &Problem::u)) p.u = zeros(a);
  if (has(solver, &Problem::vt)) p.vt = zeros(a);
  return p;
}

void reset(const Solver& solver, Problem& p) {
  fill(p.a, solver.element);
  fill(p.b, [](int, int) { return 1.0; });
  for (Vector* const result : {&p.u.local, &p.vt.local, &p.values}) std::ranges::fill(*result, 0);
  p.info = 0;
}

std::vector<int> pivots_of_all_rows(const Problem& p) {
  std::vector<int> all(as_size(order(p)));
  for (std::size_t k = 0; k < p.a.rows.size() && k < p.pivots.size(); ++k) all[as_size(p.a.rows[k])] = p.pivots[k];
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

}  // namespace drivers
