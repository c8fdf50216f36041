// SPDX-License-Identifier: BSD-3-Clause
// Calls solvers for matrices in slabs of columns and in blocks of 1, and prints their results.
#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <vector>

extern "C" {
void Cblacs_get(int ctxt, int what, int* value);
void Cblacs_gridinit(int* ctxt, const char* order, int nprow, int npcol);
void pdgetrf_(const int* m, const int* n, double* a, const int* ia, const int* ja, const int* desca, int* pivots,
              int* info);
void pdpotrf_(const char* uplo, const int* n, double* a, const int* ia, const int* ja, const int* desca, int* info);
void pdposv_(const char* uplo, const int* n, const int* nrhs, double* a, const int* ia, const int* ja, const int* desca,
             double* b, const int* ib, const int* jb, const int* descb, int* info);
void pdsygst_(const int* ibtype, const char* uplo, const int* n, double* a, const int* ia, const int* ja,
              const int* desca, const double* b, const int* ib, const int* jb, const int* descb, double* scale,
              int* info);
void pdtrsm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m, const int* n,
             const double* alpha, const double* a, const int* ia, const int* ja, const int* desca, double* b,
             const int* ib, const int* jb, const int* descb);
void pdsyevd_(const char* jobz, const char* uplo, const int* n, double* a, const int* ia, const int* ja,
              const int* desca, double* w, double* z, const int* iz, const int* jz, const int* descz, double* work,
              const int* lwork, int* iwork, const int* liwork, int* info);
}

namespace {

constexpr int n = 100, one = 1;
const int order = n;

// The matrix has 2 on the diagonal and -1 beside it, on a grid of 1 x P processes.
std::vector<double> matrix(int block, int me, int processes) {
  std::vector<double> a;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n && j / block % processes == me; ++i) a.push_back(i == j ? 2 : std::abs(i - j) == 1 ? -1 : 0);
  a.resize(a.size() + 1);  // not empty
  return a;
}

// Calls of solvers that are left out: of parts, of matrices without elements, and with two matrices. PDPOSV itself
// calls PDPOTRF.
void call_others(const int* desc, int me, int processes) {
  const int two = 2, less = n - 1, none = 0, type = 1;
  const double scale = 1;
  double scaled = 0;
  int info = 0;
  std::vector<int> pivots(n + 1);
  std::vector<double> a = matrix(1, me, processes), b = a;
  pdpotrf_("L", &less, b.data(), &two, &two, desc, &info);
  if (info != 0) MPI_Abort(MPI_COMM_WORLD, 3);
  pdpotrf_("L", &none, b.data(), &one, &one, desc, &info);
  b = a;
  pdgetrf_(&order, &less, b.data(), &one, &one, desc, pivots.data(), &info);
  if (info != 0) MPI_Abort(MPI_COMM_WORLD, 3);
  b = a;
  std::vector<double> x = a;
  pdposv_("L", &order, &order, b.data(), &one, &one, desc, x.data(), &one, &one, desc, &info);
  if (info != 0 || (me == 0 && std::abs(x[0] - 1) > 1e-13)) MPI_Abort(MPI_COMM_WORLD, 3);
  b.assign(b.size(), 0);
  for (std::size_t k = 0; k < a.size(); ++k) b[k] = a[k] == 2 ? 1 : 0;  // the unit matrix
  const std::vector<double> before = a;
  pdsygst_(&type, "L", &order, a.data(), &one, &one, desc, b.data(), &one, &one, desc, &scaled, &info);
  pdtrsm_("L", "L", "N", "U", &order, &order, &scale, b.data(), &one, &one, desc, a.data(), &one, &one, desc);
  if (info != 0 || scaled != 1 || a != before) MPI_Abort(MPI_COMM_WORLD, 3);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int me = 0, processes = 1, ctxt = 0, info = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  Cblacs_get(-1, 0, &ctxt);
  Cblacs_gridinit(&ctxt, "R", 1, processes);

  const int single[] = {1, ctxt, n, n, 1, 1, 0, 0, n};
  std::vector<int> pivots(n + 1);
  for (int call = 0; call < 2; ++call) {
    std::vector<double> a = matrix(1, me, processes);
    pdpotrf_("L", &order, a.data(), &one, &one, single, &info);
    if (info != 0 || (me == 0 && std::abs(a[0] - std::sqrt(2)) > 1e-15)) MPI_Abort(MPI_COMM_WORLD, 3);
    a = matrix(1, me, processes);
    pdgetrf_(&order, &order, a.data(), &one, &one, single, pivots.data(), &info);
    if (info != 0 || (me == 0 && std::abs(a[1] + 0.5) > 1e-15)) MPI_Abort(MPI_COMM_WORLD, 3);
  }

  call_others(single, me, processes);

  std::vector<double> a = matrix(1, me, processes), z(a.size()), w(n), work(1);
  std::vector<int> iwork(1);
  int size = -1, isize = 1;
  for (int call = 0; call < 2; ++call) {
    pdsyevd_("V", "L", &order, a.data(), &one, &one, single, w.data(), z.data(), &one, &one, single, work.data(), &size,
             iwork.data(), &isize, &info);
    size = static_cast<int>(work[0]), isize = iwork[0];
    work.resize(static_cast<std::size_t>(size)), iwork.resize(static_cast<std::size_t>(isize));
  }
  const double smallest = 2 - 2 * std::cos(std::acos(-1) / (n + 1));
  if (info != 0 || std::abs(w[0] - smallest) > 1e-13) MPI_Abort(MPI_COMM_WORLD, 3);

  const int width = (n + processes - 1) / processes, slabs[] = {1, ctxt, n, n, n, width, 0, 0, n};
  a = matrix(width, me, processes);
  pdpotrf_("L", &order, a.data(), &one, &one, slabs, &info);  // refused, unless there is one slab
  if (me == 0) std::printf("all right, INFO of slabs %d\n", info);
  MPI_Finalize();
}
