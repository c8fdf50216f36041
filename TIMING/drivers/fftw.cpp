// SPDX-License-Identifier: BSD-3-Clause
#include <fftw3-mpi.h>

#include <cstring>

#include "drivers/contender.hpp"

namespace drivers {
namespace {

// Returns whether all of x is distributed by equal slabs, of rows if `rows`, over `procs` processes.
bool in_slabs(const Matrix& x, bool rows, Index procs) {
  const Index length = rows ? x.M : x.N, block = rows ? x.mb : x.nb;
  const bool in_order = x.first == 0 && x.ranks.empty() && x.rsrc == 0 && x.csrc == 0 && !x.rows && !x.cols;
  return in_order && (rows ? x.nprow : x.npcol) == procs && x.processes() == procs && block * procs == length;
}

// Returns why FFTW does not redistribute the case, or an empty text.
std::string why_not(const Case& c, int bytes) {
  const Index procs = processes(c);
  const auto whole = [&](const Matrix& x) { return x.M == c.m && x.N == c.n; };
  const auto from_to = [&](bool rows) { return in_slabs(c.a, rows, procs) && in_slabs(c.b, !rows, procs); };
  if (c.trapezoid || !whole(c.a) || !whole(c.b) || (!from_to(true) && !from_to(false)))
    return "equal slabs of rows to columns, or of columns to rows, only";
  return bytes % 8 == 0 ? "" : "it moves multiples of 8 bytes";
}

using Transpose = std::shared_ptr<std::remove_pointer_t<fftw_plan>>;

// FFTW's arrays are row-major. Slabs of columns are slabs of rows to it, and slabs of rows are slabs that each process
// keeps transposed; then nothing but the distribution changes. Planning writes to A and B.
Transpose transpose_of(const Stage& stage) {
  const Case& c = stage.c;
  const bool rows = c.a.nprow == processes(c);
  const auto doubles = [](const Local& x) { return reinterpret_cast<double*>(x.data.get()); };
  const auto bytes = as_size(stage.a.elements() * stage.element.bytes);
  std::vector<std::byte> a(bytes);
  std::memcpy(a.data(), stage.a.data.get(), bytes);
  fftw_mpi_init();
  const fftw_plan plan =
      fftw_mpi_plan_many_transpose(rows ? c.m : c.n, rows ? c.n : c.m, stage.element.bytes / 8, rows ? c.a.mb : c.a.nb,
                                   rows ? c.b.nb : c.b.mb, doubles(stage.a), doubles(stage.b), stage.comm(),
                                   FFTW_MEASURE | (rows ? FFTW_MPI_TRANSPOSED_IN : FFTW_MPI_TRANSPOSED_OUT));
  std::memcpy(stage.a.data.get(), a.data(), bytes);
  return {plan, fftw_destroy_plan};
}

}  // namespace

Contender fftw(const Stage& stage) {
  if (const std::string reason = why_not(stage.c, stage.element.bytes); !reason.empty()) return {"fftw", reason};
  return {"fftw", {}, [&stage] { return Call{[plan = transpose_of(stage)] { fftw_execute(plan.get()); }}; }};
}

}  // namespace drivers
