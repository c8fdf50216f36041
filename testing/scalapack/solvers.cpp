// SPDX-License-Identifier: BSD-3-Clause
#include "solvers.hpp"

#include <cstdio>
#include <string_view>
#include <utility>

#include "ranks.hpp"

// Last, because other headers remove its macro XREDIST_API.
#include "xredist/begin.h"

namespace {

using Complex = std::complex<double>;
using Int = const int*;
using Real = const double*;
using Text = const char*;

std::string said;

}  // namespace

extern "C" {
void pdpotrf_(Text, Int n, double* a, Int, Int, Int desca, int* info);
void pdgetrf_(Int m, Int n, double* a, Int, Int, Int desca, int* pivots, int* info);
void pdgetrs_(Text, Int n, Int nrhs, Real a, Int, Int, Int desca, Int pivots, double* b, Int, Int, Int descb,
              int* info);
void pdgeqrf_(Int m, Int n, double* a, Int, Int, Int desca, double* tau, double* work, Int lwork, int* info);
void pdormqr_(Text, Text, Int m, Int n, Int k, Real a, Int, Int, Int desca, Real tau, double* c, Int, Int, Int descc,
              double* work, Int lwork, int* info);
void pdsyev_(Text, Text, Int n, double* a, Int, Int, Int desca, double* w, double* z, Int, Int, Int descz, double* work,
             Int lwork, int* info);
void pdsyevd_(Text, Text, Int n, double* a, Int, Int, Int desca, double* w, double* z, Int, Int, Int descz,
              double* work, Int lwork, int* iwork, Int liwork, int* info);
void pzheevd_(Text, Text, Int n, Complex* a, Int, Int, Int desca, double* w, Complex* z, Int, Int, Int descz,
              Complex* work, Int lwork, double* rwork, Int lrwork, int* iwork, Int liwork, int* info);
void pdsyevr_(Text, Text, Text, Int n, double* a, Int, Int, Int desca, Real vl, Real vu, Int il, Int iu, int* m,
              int* nz, double* w, double* z, Int, Int, Int descz, double* work, Int lwork, int* iwork, Int liwork,
              int* info);
void pdsyevx_(Text, Text, Text, Int n, double* a, Int, Int, Int desca, Real vl, Real vu, Int il, Int iu, Real abstol,
              int* m, int* nz, double* w, Real orfac, double* z, Int, Int, Int descz, double* work, Int lwork,
              int* iwork, Int liwork, int* ifail, int* iclustr, double* gap, int* info);
void pdsygvx_(Int type, Text, Text, Text, Int n, double* a, Int, Int, Int desca, double* b, Int, Int, Int descb,
              Real vl, Real vu, Int il, Int iu, Real abstol, int* m, int* nz, double* w, Real orfac, double* z, Int,
              Int, Int descz, double* work, Int lwork, int* iwork, Int liwork, int* ifail, int* iclustr, double* gap,
              int* info);
void pdgesvd_(Text, Text, Int m, Int n, double* a, Int, Int, Int desca, double* s, double* u, Int, Int, Int descu,
              double* vt, Int, Int, Int descvt, double* work, Int lwork, int* info);
double pdlamch_(Int ctxt, Text);

// Replaces ScaLAPACK's own.
XREDIST_API void pxerbla_(Int ctxt, Text name, Int info, std::size_t length);
void pxerbla_(Int, Text name, Int info, std::size_t length) {
  said = std::string(name, std::min<std::size_t>(length, 7)) + ", argument " + std::to_string(*info);
  if (xredist::testing::size() == 1) return;
  std::fprintf(stderr, "process %d: %s\n", xredist::testing::rank(), said.c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
}
}

namespace xredist::testing {
namespace {

constexpr int one = 1;
constexpr double nowhere = 0, default_factor = -1;

// An array for a routine, with a guard behind it: of a few elements for the question, then as long as it asks for.
template <class T>
struct Work {
  static constexpr std::size_t guard = 64;
  static constexpr int mark = -12345;

  int size = -1;
  std::vector<T> memory = std::vector<T>(guard, T(mark));

  T* data() { return memory.data(); }
  void resize(std::size_t count) {
    size = static_cast<int>(count);
    memory.assign(count + guard, T(mark));
  }
  void resize_as_asked() { resize(static_cast<std::size_t>(std::real(memory[0]))); }
  bool intact() const {
    return std::all_of(memory.end() - guard, memory.end(), [](const T& x) { return x == T(mark); });
  }
};

// Calls a routine twice on the processes of the grid: for the lengths of its arrays, then to work.
template <class Call, class... T>
void call_twice(const Square& on, Solved& result, const Call& call, Work<T>&... arrays) {
  if (!on.grid.member()) return;
  call();
  if (result.info != 0) return;
  (arrays.resize_as_asked(), ...);
  call();
  result.overrun = result.overrun || !(arrays.intact() && ...);
}

// Returns the result of all processes. Process 0 computes the error.
template <class Error>
Solved of_all(const Solved& here, const Error& error) {
  int worst[] = {std::abs(here.info), here.overrun ? 1 : 0};
  MPI_Allreduce(MPI_IN_PLACE, worst, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  double largest = rank() == 0 ? error() : 0;
  MPI_Bcast(&largest, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return {worst[0], worst[1] != 0, largest};
}

// Returns eigenvalues or singular values, which all processes of the grid have. Those that differ become infinite.
std::vector<double> values_of(const Square& on, std::vector<double> w) {
  std::vector<double> least = w;
  if (!on.grid.member()) {
    std::ranges::fill(w, -1e300);
    std::ranges::fill(least, 1e300);
  }
  MPI_Allreduce(MPI_IN_PLACE, w.data(), on.n, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, least.data(), on.n, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  for (std::size_t k = 0; k < w.size(); ++k)
    if (!(w[k] - least[k] < 1e-10)) w[k] = 1e300;
  return w;
}

// L L^T = A
Solved potrf(const Square& on) {
  const Whole<double> whole = hermitian<double>(on.n, 2 * on.n);
  Distributed<double> a(on, whole);
  Solved result;
  if (on.grid.member()) pdpotrf_("L", &on.n, a.local.data(), &one, &one, a.desc, &result.info);
  a.each([](double& x, int i, int j) { x = i < j ? 0 : x; });
  const Whole<double> l = a.whole();
  return of_all(result, [&] { return distance(product(l, adjoint(l)), whole) / (2 * on.n); });
}

// A X = 1, of which X is computed from the factors
Solved getrf(const Square& on) {
  const Whole<double> whole = general<double>(on.n);
  Distributed<double> a(on, whole), x(on, identity<double>(on.n));
  Work<int> pivots;
  pivots.resize(a.rows.size() + static_cast<std::size_t>(on.block));
  Solved result;
  if (on.grid.member()) {
    pdgetrf_(&on.n, &on.n, a.local.data(), &one, &one, a.desc, pivots.data(), &result.info);
    if (result.info == 0)
      pdgetrs_("N", &on.n, &on.n, a.local.data(), &one, &one, a.desc, pivots.data(), x.local.data(), &one, &one, x.desc,
               &result.info);
  }
  result.overrun = !pivots.intact();
  const Whole<double> inverse = x.whole();
  return of_all(result, [&] {
    return distance(product(whole, inverse), identity<double>(on.n)) / distance(inverse, Whole<double>{on.n});
  });
}

// Q R = A. PDORMQR computes Q: PDORGQR would change the topology of broadcasts (doc/fit.rst).
Solved geqrf(const Square& on) {
  const Whole<double> whole = general<double>(on.n);
  Distributed<double> a(on, whole), orthogonal(on, identity<double>(on.n));
  Work<double> tau, work, more;
  tau.resize(a.cols.size());
  Solved result;
  const auto factor = [&] {
    pdgeqrf_(&on.n, &on.n, a.local.data(), &one, &one, a.desc, tau.data(), work.data(), &work.size, &result.info);
  };
  const auto generate = [&] {
    pdormqr_("L", "N", &on.n, &on.n, &on.n, a.local.data(), &one, &one, a.desc, tau.data(), orthogonal.local.data(),
             &one, &one, orthogonal.desc, more.data(), &more.size, &result.info);
  };
  call_twice(on, result, factor, work);
  call_twice(on, result, generate, more);
  a.each([](double& x, int i, int j) { x = i > j ? 0 : x; });
  result.overrun = result.overrun || !tau.intact();
  const Whole<double> r = a.whole(), q = orthogonal.whole();
  return of_all(result, [&] { return std::max(distance(product(q, r), whole), deviation(q)); });
}

// U S V^T = A
Solved gesvd(const Square& on) {
  const Whole<double> whole = general<double>(on.n);
  Distributed<double> a(on, whole), u(on), vt(on);
  std::vector<double> s(static_cast<std::size_t>(on.n));
  Work<double> work;
  Solved result;
  const auto call = [&] {
    pdgesvd_("V", "V", &on.n, &on.n, a.local.data(), &one, &one, a.desc, s.data(), u.local.data(), &one, &one, u.desc,
             vt.local.data(), &one, &one, vt.desc, work.data(), &work.size, &result.info);
  };
  call_twice(on, result, call, work);
  const Whole<double> left = u.whole(), right = vt.whole();
  const std::vector<double> values = values_of(on, s);
  return of_all(result, [&] {
    return std::max({distance(product(times_diagonal(left, values), right), whole), deviation(left), deviation(right)});
  });
}

// The arguments of eigensolvers: A Z = B Z W, where Z^H B Z = 1.
template <class T>
struct Eigenproblem {
  explicit Eigenproblem(const Square& layout) : on(layout) {}

  const Square& on;
  Whole<T> a_whole = hermitian<T>(on.n), b_whole = identity<T>(on.n);
  Distributed<T> a{on, a_whole}, z{on};
  std::vector<double> w = std::vector<double>(static_cast<std::size_t>(on.n));
  Work<T> work;
  Work<double> rwork;
  Work<int> iwork;
  int found = 0, vectors = 0;
  double tolerance = on.grid.member() ? 2 * pdlamch_(&a.desc[1], "S") : 0;  // as PDSYEVX advises
  std::vector<int> failed = std::vector<int>(static_cast<std::size_t>(on.n)), clusters = std::vector<int>(ends());
  std::vector<double> gaps = std::vector<double>(ends());
  Solved result;

  std::size_t ends() const { return 2 * static_cast<std::size_t>(on.shape.nprow * on.shape.npcol); }

  Solved solved() {
    const Whole<T> v = z.whole();
    const std::vector<double> values = values_of(on, w);
    return of_all(result, [&] {
      const Whole<T> bv = product(b_whole, v);
      return std::max(distance(product(a_whole, v), times_diagonal(bv, values)),
                      distance(product(adjoint(v), bv), identity<T>(on.n)));
    });
  }
};

Solved syev(const Square& on) {
  Eigenproblem<double> x(on);
  const auto call = [&] {
    pdsyev_("V", "L", &on.n, x.a.local.data(), &one, &one, x.a.desc, x.w.data(), x.z.local.data(), &one, &one, x.z.desc,
            x.work.data(), &x.work.size, &x.result.info);
  };
  call_twice(on, x.result, call, x.work);
  return x.solved();
}

Solved syevd_of(const Square& on, Text triangle) {
  Eigenproblem<double> x(on);
  const auto call = [&] {
    pdsyevd_("V", triangle, &on.n, x.a.local.data(), &one, &one, x.a.desc, x.w.data(), x.z.local.data(), &one, &one,
             x.z.desc, x.work.data(), &x.work.size, x.iwork.data(), &x.iwork.size, &x.result.info);
  };
  call_twice(on, x.result, call, x.work, x.iwork);
  return x.solved();
}

Solved syevd(const Square& on) { return syevd_of(on, "L"); }
Solved syevd_upper(const Square& on) { return syevd_of(on, "U"); }

[[maybe_unused]] Solved heevd(const Square& on) {
  Eigenproblem<Complex> x(on);
  const auto call = [&] {
    pzheevd_("V", "L", &on.n, x.a.local.data(), &one, &one, x.a.desc, x.w.data(), x.z.local.data(), &one, &one,
             x.z.desc, x.work.data(), &x.work.size, x.rwork.data(), &x.rwork.size, x.iwork.data(), &x.iwork.size,
             &x.result.info);
  };
  call_twice(on, x.result, call, x.work, x.rwork, x.iwork);
  return x.solved();
}

Solved syevr(const Square& on) {
  Eigenproblem<double> x(on);
  const auto call = [&] {
    pdsyevr_("V", "A", "L", &on.n, x.a.local.data(), &one, &one, x.a.desc, &nowhere, &nowhere, &one, &on.n, &x.found,
             &x.vectors, x.w.data(), x.z.local.data(), &one, &one, x.z.desc, x.work.data(), &x.work.size,
             x.iwork.data(), &x.iwork.size, &x.result.info);
  };
  call_twice(on, x.result, call, x.work, x.iwork);
  return x.solved();
}

Solved syevx(const Square& on) {
  Eigenproblem<double> x(on);
  const auto call = [&] {
    pdsyevx_("V", "A", "L", &on.n, x.a.local.data(), &one, &one, x.a.desc, &nowhere, &nowhere, &one, &on.n,
             &x.tolerance, &x.found, &x.vectors, x.w.data(), &default_factor, x.z.local.data(), &one, &one, x.z.desc,
             x.work.data(), &x.work.size, x.iwork.data(), &x.iwork.size, x.failed.data(), x.clusters.data(),
             x.gaps.data(), &x.result.info);
  };
  call_twice(on, x.result, call, x.work, x.iwork);
  return x.solved();
}

Solved sygvx(const Square& on) {
  Eigenproblem<double> x(on);
  x.b_whole = hermitian<double>(on.n, 2 * on.n);
  Distributed<double> b(on, x.b_whole);
  const auto call = [&] {
    pdsygvx_(&one, "V", "A", "L", &on.n, x.a.local.data(), &one, &one, x.a.desc, b.local.data(), &one, &one, b.desc,
             &nowhere, &nowhere, &one, &on.n, &x.tolerance, &x.found, &x.vectors, x.w.data(), &default_factor,
             x.z.local.data(), &one, &one, x.z.desc, x.work.data(), &x.work.size, x.iwork.data(), &x.iwork.size,
             x.failed.data(), x.clusters.data(), x.gaps.data(), &x.result.info);
  };
  call_twice(on, x.result, call, x.work, x.iwork);
  return x.solved();
}

constexpr Solver all[] = {
    {"PDPOTRF", potrf}, {"PDGETRF", getrf}, {"PDGEQRF", geqrf},
    {"PDSYEV", syev},   {"PDSYEVD", syevd}, {"PDSYEVD, upper triangle", syevd_upper},
#ifdef XREDIST_WITH_PZHEEVD
    {"PZHEEVD", heevd},
#endif
    {"PDSYEVR", syevr}, {"PDSYEVX", syevx}, {"PDSYGVX", sygvx},
    {"PDGESVD", gesvd},
};

}  // namespace

std::span<const Solver> solvers() { return all; }

std::string complaint() { return std::exchange(said, {}); }

}  // namespace xredist::testing
