// SPDX-License-Identifier: BSD-3-Clause
// The names under which programs call P?GEMR2D, P?TRMR2D, and PBLAS's transposes and sums.
#include "pblas/descriptor.hpp"
#include "scalapack/move.hpp"
#include "scalapack/pblas_checks.hpp"
#include "trial.hpp"
#include "xredist/pblas.h"
#include "xredist/scalapack.h"

using namespace xredist::trial;
using xredist::core::MatrixMove, xredist::core::Region, xredist::core::capital;

namespace {

Index bytes_of(char type) { return type == 'Z' ? 16 : type == 'C' || type == 'D' ? 8 : 4; }

// The arguments of a call of P?GEMR2D or P?TRMR2D.
MatrixMove matrices(Index m, Index n, const void* a, Index ia, Index ja, const int* desca, void* b, Index ib, Index jb,
                    const int* descb) {
  using xredist::core::Which;
  return {.m = m,
          .n = n,
          .matrices = {{{Which::a, desca, {ia, ja}}, {Which::b, descb, {ib, jb}}}},
          .a = a,
          .b = b,
          .bytes = 0,
          .elements = 0};
}

// Returns a call of P?GEMR2D or P?TRMR2D. Without a context it is an old form, without `uplo` not of a trapezoid.
Call moved(const char* routine, char type, MatrixMove move, const int* ctxt, const char* uplo = nullptr,
           const char* diag = nullptr) {
  using namespace xredist::core;
  move.bytes = bytes_of(type);
  if (uplo != nullptr) move.region = trapezoid(*uplo, *diag, move.m, move.n);
  return {.routine = {routine, arguments_of(uplo != nullptr)},
          .type = type,
          .move = move,
          .ctxt = ctxt != nullptr ? std::optional(*ctxt) : std::nullopt};
}

Region region_of(const xredist_pblas_call& call) {
  if (call.before_m < 2) return {};  // not P?TRADD
  return {capital(call.uplo) == 'U' ? Region::Kind::upper : Region::Kind::lower, 0};
}

// Hands a call of PBLAS to the program's own routine and to xredist's.
void summed(const xredist_pblas_call& call, const std::function<void(void*)>& own) {
  const xredist::core::PblasDescriptor desca(call.desca), descc(call.descc);
  MatrixMove move =
      matrices(call.m, call.n, call.a, call.ia, call.ja, desca.entries, call.c, call.ic, call.jc, descc.entries);
  move.region = region_of(call);
  move.operation.transposed = capital(call.trans) != 'N';
  move.bytes = bytes_of(call.type);
  attempt({.routine = xredist::core::pblas_routine(call),
           .type = call.type,
           .move = move,
           .ctxt = call.descc[1],
           .pblas = &call,
           .known = desca.known && descc.known},
          own, [&](void* to) {
            xredist_pblas_call copy = call;
            copy.c = to;
            copy.desca = desca.entries, copy.descc = descc.entries;
            copy.abort = [](int, const char*, int) {};  // an error that was not found before must not end the program
            xredist_pblas(&copy);
          });
}

}  // namespace

#define TRY_FORTRAN(type)                                                                                            \
  const int *m, const int *n, const type *a, const int *ia, const int *ja, const int *desca, type *b, const int *ib, \
      const int *jb, const int *descb
#define TRY_C(type) \
  int m, int n, const type *a, int ia, int ja, const int *desca, type *b, int ib, int jb, const int *descb
#define TRY_TRIANGLE const char *uplo, const char *diag
#define TRY_OF_FORTRAN matrices(*m, *n, a, *ia, *ja, desca, b, *ib, *jb, descb)
#define TRY_OF_C matrices(m, n, a, ia, ja, desca, b, ib, jb, descb)

// Hands a call to the program's own routine and to xredist's. `described`: the arguments of moved(); `passed`: those of
// the routine, where `to` takes the place of B.
#define TRY(name, type, described, passed)                                              \
  static auto* const own = reinterpret_cast<decltype(&(name))>(next_that_moves(#name)); \
  attempt(                                                                              \
      moved described,                                                                  \
      [&](void* result) {                                                               \
        auto* const to = static_cast<type*>(result);                                    \
        own passed;                                                                     \
      },                                                                                \
      [&](void* result) {                                                               \
        auto* const to = static_cast<type*>(result);                                    \
        xredist_##name passed;                                                          \
      });

#define TRY_MOVES(letter, LETTER, type)                                                                      \
  void p##letter##gemr2d_(TRY_FORTRAN(type), const int* ctxt) {                                              \
    TRY(p##letter##gemr2d_, type, ("P" #LETTER "GEMR2D", #LETTER[0], TRY_OF_FORTRAN, ctxt),                  \
        (m, n, a, ia, ja, desca, to, ib, jb, descb, ctxt))                                                   \
  }                                                                                                          \
  void p##letter##gemr2do_(TRY_FORTRAN(type)) {                                                              \
    TRY(p##letter##gemr2do_, type, ("P" #LETTER "GEMR2DO", #LETTER[0], TRY_OF_FORTRAN, nullptr),             \
        (m, n, a, ia, ja, desca, to, ib, jb, descb))                                                         \
  }                                                                                                          \
  void p##letter##trmr2d_(TRY_TRIANGLE, TRY_FORTRAN(type), const int* ctxt) {                                \
    TRY(p##letter##trmr2d_, type, ("P" #LETTER "TRMR2D", #LETTER[0], TRY_OF_FORTRAN, ctxt, uplo, diag),      \
        (uplo, diag, m, n, a, ia, ja, desca, to, ib, jb, descb, ctxt))                                       \
  }                                                                                                          \
  void p##letter##trmr2do_(TRY_TRIANGLE, TRY_FORTRAN(type)) {                                                \
    TRY(p##letter##trmr2do_, type, ("P" #LETTER "TRMR2DO", #LETTER[0], TRY_OF_FORTRAN, nullptr, uplo, diag), \
        (uplo, diag, m, n, a, ia, ja, desca, to, ib, jb, descb))                                             \
  }                                                                                                          \
  void Cp##letter##gemr2d(TRY_C(type), int ctxt) {                                                           \
    TRY(Cp##letter##gemr2d, type, ("P" #LETTER "GEMR2D", #LETTER[0], TRY_OF_C, &ctxt),                       \
        (m, n, a, ia, ja, desca, to, ib, jb, descb, ctxt))                                                   \
  }                                                                                                          \
  void Cp##letter##gemr2do(TRY_C(type)) {                                                                    \
    TRY(Cp##letter##gemr2do, type, ("P" #LETTER "GEMR2DO", #LETTER[0], TRY_OF_C, nullptr),                   \
        (m, n, a, ia, ja, desca, to, ib, jb, descb))                                                         \
  }                                                                                                          \
  void Cp##letter##trmr2d(TRY_TRIANGLE, TRY_C(type), int ctxt) {                                             \
    TRY(Cp##letter##trmr2d, type, ("P" #LETTER "TRMR2D", #LETTER[0], TRY_OF_C, &ctxt, uplo, diag),           \
        (uplo, diag, m, n, a, ia, ja, desca, to, ib, jb, descb, ctxt))                                       \
  }                                                                                                          \
  void Cp##letter##trmr2do(TRY_TRIANGLE, TRY_C(type)) {                                                      \
    TRY(Cp##letter##trmr2do, type, ("P" #LETTER "TRMR2DO", #LETTER[0], TRY_OF_C, nullptr, uplo, diag),       \
        (uplo, diag, m, n, a, ia, ja, desca, to, ib, jb, descb))                                             \
  }

#define TRY_PBLAS                                                                                               \
  const int *m, const int *n, const void *alpha, const void *a, const int *ia, const int *ja, const int *desca, \
      const void *beta, void *b, const int *ib, const int *jb, const int *descb
#define TRY_SUM(name, ROUTINE, before_m, letter, uplo, trans, ...)                                                    \
  static auto* const own = reinterpret_cast<decltype(&(name))>(next_that_moves(#name));                               \
  summed(                                                                                                             \
      {ROUTINE, before_m, letter, uplo, trans, *m, *n, alpha, a, *ia, *ja, desca, beta, b, *ib, *jb, descb, nullptr}, \
      [&](void* to) { own(__VA_ARGS__ m, n, alpha, a, ia, ja, desca, beta, to, ib, jb, descb); });
#define TRY_TRAN(name, ROUTINE, letter, trans) \
  [[gnu::visibility("default")]] void name(TRY_PBLAS) { TRY_SUM(name, ROUTINE, 0, letter, 'A', trans, ) }
#define TRY_ADD(letter, LETTER)                                                                           \
  [[gnu::visibility("default")]] void p##letter##geadd_(const char* trans, TRY_PBLAS) {                   \
    TRY_SUM(p##letter##geadd_, "P" #LETTER "GEADD", 1, #LETTER[0], 'A', *trans, trans, )                  \
  }                                                                                                       \
  [[gnu::visibility("default")]] void p##letter##tradd_(const char* uplo, const char* trans, TRY_PBLAS) { \
    TRY_SUM(p##letter##tradd_, "P" #LETTER "TRADD", 2, #LETTER[0], *uplo, *trans, uplo, trans, )          \
  }

extern "C" {

TRY_MOVES(i, I, int)
TRY_MOVES(s, S, float)
TRY_MOVES(d, D, double)
TRY_MOVES(c, C, void)
TRY_MOVES(z, Z, void)
TRY_TRAN(pstran_, "PSTRAN", 'S', 'T')
TRY_TRAN(pdtran_, "PDTRAN", 'D', 'T')
TRY_TRAN(pctranu_, "PCTRANU", 'C', 'T')
TRY_TRAN(pztranu_, "PZTRANU", 'Z', 'T')
TRY_TRAN(pctranc_, "PCTRANC", 'C', 'C')
TRY_TRAN(pztranc_, "PZTRANC", 'Z', 'C')
TRY_ADD(s, S)
TRY_ADD(d, D)
TRY_ADD(c, C)
TRY_ADD(z, Z)

}  // extern "C"
