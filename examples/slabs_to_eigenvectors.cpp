// SPDX-License-Identifier: BSD-3-Clause
// Computes all eigenvectors of a matrix in slabs of columns, which PDSYEVD refuses, and leaves them in slabs. The
// memory of a matrix goes back to the system while the matrix moves.
#include <cmath>
#include <cstdio>
#include <numeric>
#include <xredist/blacs.hpp>
extern "C" {
void Cblacs_pinfo(int*, int*), Cblacs_get(int, int, int*), Cblacs_gridinit(int*, const char*, int, int);
void pdsyevd_(const char*, const char*, const int*, double*, const int*, const int*, const int*, double*, double*,
              const int*, const int*, const int*, double*, const int*, int*, const int*, int*);
}
int main() {
  const int n = 1000, one = 1;
  const double r = 0.9;  // A(i, j) = r^|i - j|: all elements differ from 0
  int me, processes, ctxt, info = 0, wrong = 0, size = -1, isize = 1;
  Cblacs_pinfo(&me, &processes), Cblacs_get(-1, 0, &ctxt), Cblacs_gridinit(&ctxt, "Row", 1, processes);
  const int width = (n + processes - 1) / processes, first = std::min(n, me * width), end = std::min(n, first + width);
  const int desca[] = {1, ctxt, n, n, n, width, 0, 0, n};
  std::vector<double> a;  // columns first, first + 1 ... end - 1
  for (int j = first; j < end; ++j)
    for (int i = 0; i < n; ++i) a.push_back(std::pow(r, std::abs(i - j)));
  const xredist::FittedMatrix b = xredist::fit(ctxt, n, n, desca);                       // for ScaLAPACK
  std::vector<double, xredist::Allocator<double>> local(b.elements()), z(b.elements());  // pages that are written exist
  std::vector<double> w(n), work(1);
  std::vector<int> iwork(1);
  xredist::make_plan<double>(ctxt, desca, b.desc.data(), {.m = n, .n = n}).move(a, local);
  for (int call = 0; call < 2 && b.member(); ++call) {  // for the size of the workspace, and to solve
    pdsyevd_("V", "L", &n, local.data(), &one, &one, b.desc.data(), w.data(), z.data(), &one, &one, b.desc.data(),
             work.data(), &size, iwork.data(), &isize, &info);
    work.resize(size = static_cast<int>(work[0])), iwork.resize(isize = iwork[0]);
  }
  local = {}, work = {};
  xredist::make_plan<double>(ctxt, b.desc.data(), desca, {.m = n, .n = n}).move(z, a);
  xredist::tell(ctxt, b.desc.data(), w.data(), w.size());
  for (int j = 0; j < end - first; ++j) {
    const double* const x = &a[j * n];
    wrong += !(std::abs(std::inner_product(x, x + n, x, -1.0)) < 1e-11);
    for (int i = 1; i < n - 1; ++i) {  // the inverse of A is tridiagonal
      const double y = (1 + r * r) * x[i] - r * (x[i - 1] + x[i + 1]);
      wrong += !(std::abs(w[first + j] * y - (1 - r * r) * x[i]) < 1e-11);
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0) std::printf("%d eigenvectors: %s\n", n, wrong == 0 ? "right" : "wrong");
  return MPI_Finalize() != 0 || wrong != 0;
}
