// SPDX-License-Identifier: BSD-3-Clause
// usage: lu   factors random matrices, solves with them and inverts them by ScaLAPACK's routines. Prints a hash of the
// bits of all results, and on stderr the library that has pdlaswp_.
#include <dlfcn.h>
#include <mpi.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "grid.hpp"
#include "random.hpp"
#include "ranks.hpp"

extern "C" {
xredist_int numroc_(const xredist_int*, const xredist_int*, const xredist_int*, const xredist_int*, const xredist_int*);
void pdgetrf_(const xredist_int*, const xredist_int*, double*, const xredist_int*, const xredist_int*,
              const xredist_int*, xredist_int*, xredist_int*);
void pdgetrs_(const char*, const xredist_int*, const xredist_int*, const double*, const xredist_int*,
              const xredist_int*, const xredist_int*, const xredist_int*, double*, const xredist_int*,
              const xredist_int*, const xredist_int*, xredist_int*);
void pdgetri_(const xredist_int*, double*, const xredist_int*, const xredist_int*, const xredist_int*,
              const xredist_int*, double*, const xredist_int*, xredist_int*, const xredist_int*, xredist_int*);
void pdgesv_(const xredist_int*, const xredist_int*, double*, const xredist_int*, const xredist_int*,
             const xredist_int*, xredist_int*, double*, const xredist_int*, const xredist_int*, const xredist_int*,
             xredist_int*);
void pdgesvx_(const char*, const char*, const xredist_int*, const xredist_int*, double*, const xredist_int*,
              const xredist_int*, const xredist_int*, double*, const xredist_int*, const xredist_int*,
              const xredist_int*, xredist_int*, char*, double*, double*, double*, const xredist_int*,
              const xredist_int*, const xredist_int*, double*, const xredist_int*, const xredist_int*,
              const xredist_int*, double*, double*, double*, double*, const xredist_int*, xredist_int*,
              const xredist_int*, xredist_int*);
}

namespace {

using xredist::testing::Context;
using xredist::testing::GridShape;
using xredist::testing::rank;
using xredist::testing::size;

std::uint64_t hash = 14695981039346656037U;  // FNV-1a

template <class T>
void add(const std::vector<T>& values) {
  for (const T& value : values) {
    std::array<unsigned char, sizeof(T)> bytes;
    std::memcpy(bytes.data(), &value, sizeof value);
    for (const unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211U;
  }
}

struct Matrix {
  std::array<xredist_int, 9> desc{};
  std::vector<double> local{};

  Matrix(const Context& grid, const GridShape& shape, xredist_int m, xredist_int n, xredist_int nb,
         xredist::testing::Random& random) {
    const xredist_int zero = 0, nprow = shape.nprow, npcol = shape.npcol, row = grid.row(), col = grid.col();
    const xredist_int rows = numroc_(&m, &nb, &row, &zero, &nprow), cols = numroc_(&n, &nb, &col, &zero, &npcol);
    desc = {1, grid.handle(), m, n, nb, nb, 0, 0, rows > 0 ? rows : 1};
    local.resize(static_cast<std::size_t>(desc[8]) * static_cast<std::size_t>(cols > 0 ? cols : 1));
    for (double& value : local) value = static_cast<double>(random.below(2'000'001)) / 1e6 - 1;
  }
};

std::vector<xredist_int> pivots_of(const Matrix& a) {
  return std::vector<xredist_int>(static_cast<std::size_t>(a.desc[8] + a.desc[4]), 0);
}

const xredist_int one = 1;

// Solves by the routine that does all, and by the one that also equilibrates A and refines and bounds the solution.
void solve_at_once(const Context& grid, const GridShape& shape, xredist_int n, xredist_int nb, xredist_int sides,
                   xredist::testing::Random& random) {
  xredist_int info = 0;
  {
    Matrix a(grid, shape, n, n, nb, random), b(grid, shape, n, sides, nb, random);
    std::vector<xredist_int> pivots = pivots_of(a);
    pdgesv_(&n, &sides, a.local.data(), &one, &one, a.desc.data(), pivots.data(), b.local.data(), &one, &one,
            b.desc.data(), &info);
    add(b.local);
  }
  if (size() == 6) return;  // PDGESVX of ScaLAPACK 2.2 may hang there, whichever library has P?LASWP
  for (const char* trans : {"N", "T"}) {
    Matrix a(grid, shape, n, n, nb, random), b(grid, shape, n, sides, nb, random);
    for (double& value : a.local) value *= value;  // of unequal sizes, so that A is equilibrated
    Matrix factors = a, x = b;
    std::vector<xredist_int> pivots = pivots_of(a), integers(1);
    std::vector<double> rows(a.local.size()), columns(a.local.size()), ferr(b.local.size()), berr(b.local.size()),
        rcond(1), work(1);
    char equilibrated = 'N';
    xredist_int sizes[2] = {-1, -1};
    for (int call = 0; call < 2; ++call) {
      pdgesvx_("E", trans, &n, &sides, a.local.data(), &one, &one, a.desc.data(), factors.local.data(), &one, &one,
               factors.desc.data(), pivots.data(), &equilibrated, rows.data(), columns.data(), b.local.data(), &one,
               &one, b.desc.data(), x.local.data(), &one, &one, x.desc.data(), rcond.data(), ferr.data(), berr.data(),
               work.data(), &sizes[0], integers.data(), &sizes[1], &info);
      if (call == 1) break;
      sizes[0] = static_cast<xredist_int>(work[0]) + n;  // PDGECON, which it calls, may ask for more
      sizes[1] = integers[0] + n;
      work.resize(static_cast<std::size_t>(sizes[0]));
      integers.resize(static_cast<std::size_t>(sizes[1]));
    }
    // Estimates of condition and error depend on the order in which messages arrive.
    add(factors.local);
    add(x.local);
  }
}

void solve(const GridShape& shape, xredist_int n, xredist_int nb, xredist_int sides) {
  const Context grid(shape);
  if (!grid.member()) return;
  xredist::testing::Random random(static_cast<std::uint64_t>(1000 * rank() + n));
  Matrix a(grid, shape, n, n, nb, random), b(grid, shape, n, sides, nb, random);
  std::vector<xredist_int> pivots = pivots_of(a);
  xredist_int info = 0;
  pdgetrf_(&n, &n, a.local.data(), &one, &one, a.desc.data(), pivots.data(), &info);
  add(a.local);
  for (const char* trans : {"N", "T"}) {
    pdgetrs_(trans, &n, &sides, a.local.data(), &one, &one, a.desc.data(), pivots.data(), b.local.data(), &one, &one,
             b.desc.data(), &info);
    add(b.local);
  }
  std::vector<double> work(1);
  std::vector<xredist_int> integers(1);
  xredist_int sizes[2] = {-1, -1};
  for (int call = 0; call < 2; ++call) {
    pdgetri_(&n, a.local.data(), &one, &one, a.desc.data(), pivots.data(), work.data(), &sizes[0], integers.data(),
             &sizes[1], &info);
    if (call == 1) break;
    sizes[0] = static_cast<xredist_int>(work[0]);
    sizes[1] = integers[0];
    work.resize(static_cast<std::size_t>(sizes[0]));
    integers.resize(static_cast<std::size_t>(sizes[1]));
  }
  add(a.local);
  solve_at_once(grid, shape, n, nb, sides, random);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Dl_info home;
  if (dladdr(dlsym(RTLD_DEFAULT, "pdlaswp_"), &home) != 0) std::fprintf(stderr, "pdlaswp_ of %s\n", home.dli_fname);
  for (int nprow = 1; nprow <= size(); ++nprow) {
    if (size() % nprow != 0) continue;
    const GridShape shape = xredist::testing::row_major(nprow, size() / nprow);
    for (const xredist_int n : {1, 7, 50, 131}) solve(shape, n, n > 50 ? 16 : 3, n % 5 + 1);
  }
  std::vector<std::uint64_t> all(static_cast<std::size_t>(size()));
  MPI_Gather(&hash, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  if (rank() == 0)
    for (const std::uint64_t each : all) std::printf("%016llx\n", static_cast<unsigned long long>(each));
  MPI_Finalize();
  return 0;
}
