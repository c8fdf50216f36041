// SPDX-License-Identifier: BSD-3-Clause
// The names under which programs and LU factorisations call P?LASWP and P?LAPIV. The library of pivots moves the rows
// of a copy of A.
#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>

#include "layout/axis.hpp"
#include "pivots/pivoting.hpp"
#include "results.hpp"
#include "scalapack/blacs.hpp"
#include "scalapack/routine.hpp"
#include "trial.hpp"

using namespace xredist::trial;
using xredist::core::Axis, xredist::core::Grid, xredist::core::LapivArguments, xredist::core::LaswpArguments;
using xredist::core::csrc_, xredist::core::ctxt_, xredist::core::lld_, xredist::core::m_, xredist::core::mb_;
using xredist::core::n_, xredist::core::nb_;
using xredist::core::PivotCall, xredist::core::Row, xredist::core::Shape;

namespace {

// A call, and the number of elements of a row (column) that moves.
struct Interchanges {
  PivotCall call;
  Index lines, elements;  // interchanges, and elements of each line
  bool known;             // xredist knows the descriptor
};

Index local_bytes(const PivotCall& call, const Grid& grid) {
  const Axis columns(call.desca[nb_], grid.npcol, call.desca[csrc_], 0);
  return local_count(columns, grid.mycol, call.desca[n_]) * call.desca[lld_] * static_cast<Index>(call.element_bytes);
}

Index different_elements(const std::byte* x, const std::byte* y, Index bytes, Index element) {
  if (std::memcmp(x, y, xredist::core::as_size(bytes)) == 0) return 0;
  Index different = 0;
  for (Index at = 0; at < bytes; at += element)
    different += std::memcmp(x + at, y + at, xredist::core::as_size(element)) != 0;
  return different;
}

// Carries out the program's own routine on A and xredist on a copy, in an order that alternates from call to call of a
// matrix. A row of the table has all calls for one matrix.
void interchange(const Interchanges& all, const std::function<void(void*)>& own,
                 const std::function<void(const PivotCall&)>& xredist) {
  const PivotCall& call = all.call;
  const Grid grid = xredist::core::grid_of(call.desca[ctxt_]);
  if (inside() || own_is_xredist() || !all.known || !grid.member() || all.lines < 1 || all.elements < 1)
    return own(call.a);
  inside() = true;
  const MPI_Comm comm = xredist::core::communicator(call.desca[ctxt_]);
  const Shape shape{call.desca[mb_], call.desca[nb_], grid.nprow, grid.npcol};
  Row row{.key = xredist::core::case_of(call.routine, call.desca[m_], call.desca[n_], shape, shape)};
  Results& found = results();
  std::unique_lock lock(found.mutex);
  int xredist_first = static_cast<int>(found.rows[row.key].calls % 2);
  const bool with_memory = found.rows[row.key].xredist.seconds == 0;
  lock.unlock();
  PMPI_Bcast(&xredist_first, 1, MPI_INT, 0, comm);
  const Index bytes = local_bytes(call, grid);
  const auto copy =
      only_xredist() ? nullptr : std::make_unique_for_overwrite<std::byte[]>(xredist::core::as_size(bytes + 1));
  if (copy != nullptr) std::memcpy(copy.get(), call.a, xredist::core::as_size(bytes));
  PivotCall of_copy = call;
  if (copy != nullptr) of_copy.a = copy.get();
  const auto on_copy = [&](void*) { xredist(of_copy); };
  if (xredist_first != 0 || only_xredist()) row.xredist = measure(comm, with_memory, on_copy, nullptr);
  if (!only_xredist()) row.own = measure(comm, with_memory, own, call.a);
  if (xredist_first == 0 && !only_xredist()) row.xredist = measure(comm, with_memory, on_copy, nullptr);
  if (copy != nullptr)
    row.different = different_elements(call.a, copy.get(), bytes, static_cast<Index>(call.element_bytes));
  row.calls = grid.myrow == 0 && grid.mycol == 0;
  row.bytes = row.calls * all.lines * all.elements * static_cast<Index>(call.element_bytes);
  lock.lock();
  found.rows.add(row);
  inside() = false;
}

}  // namespace

#define TRY_PIVOTS(letter, LETTER, bytes)                                                                              \
  [[gnu::visibility("default")]] void p##letter##laswp_(const char* direc, const char* rowcol, const int* n, void* a,  \
                                                        const int* ia, const int* ja, const int* desca, const int* k1, \
                                                        const int* k2, const int* ipiv) {                              \
    static auto* const own = reinterpret_cast<decltype(&p##letter##laswp_)>(next_that_moves("p" #letter "laswp_"));    \
    interchange(                                                                                                       \
        {{"P" #LETTER "LASWP", *direc, *rowcol, static_cast<std::byte*>(a), bytes, *ia, *ja, desca},                   \
         Index{*k2} - *k1 + 1,                                                                                         \
         *n,                                                                                                           \
         xredist::core::is_supported(desca)},                                                                          \
        [&](void* to) { own(direc, rowcol, n, to, ia, ja, desca, k1, k2, ipiv); },                                     \
        [&](const PivotCall& call) {                                                                                   \
          xredist::core::laswp(call, {*n, *k1, *k2, ipiv});                                                            \
        });                                                                                                            \
  }                                                                                                                    \
  [[gnu::visibility("default")]] void p##letter##lapiv_(                                                               \
      const char* direc, const char* rowcol, const char* pivroc, const int* m, const int* n, void* a, const int* ia,   \
      const int* ja, const int* desca, const int* ipiv, const int* ip, const int* jp, const int* descip, int* iwork) { \
    static auto* const own = reinterpret_cast<decltype(&p##letter##lapiv_)>(next_that_moves("p" #letter "lapiv_"));    \
    const bool rows = xredist::core::capital(*rowcol) == 'R';                                                          \
    interchange(                                                                                                       \
        {{"P" #LETTER "LAPIV", *direc, *rowcol, static_cast<std::byte*>(a), bytes, *ia, *ja, desca},                   \
         rows ? *m : *n,                                                                                               \
         rows ? *n : *m,                                                                                               \
         xredist::core::is_supported(desca)},                                                                          \
        [&](void* to) { own(direc, rowcol, pivroc, m, n, to, ia, ja, desca, ipiv, ip, jp, descip, iwork); },           \
        [&](const PivotCall& call) {                                                                                   \
          xredist::core::lapiv(call, {*pivroc, *m, *n, ipiv, *ip, *jp, descip});                                       \
        });                                                                                                            \
  }

extern "C" {

TRY_PIVOTS(s, S, 4)
TRY_PIVOTS(d, D, 8)
TRY_PIVOTS(c, C, 8)
TRY_PIVOTS(z, Z, 16)

}  // extern "C"
