// The fifty names, all in one object file. The linker takes members of a static library as a whole, so a program has
// all names from here or none: never a mixture with ScaLAPACK's own.
#include <cstddef>
#include <cstring>

#include "scalapack/call.hpp"
#include "xredist/scalapack.h"

namespace {

using xredist::core::Form;
using xredist::core::Index;

constexpr bool whole_world = true;

void gemr2d(const char* routine, Index bytes, int m, int n, const void* a, int ia, int ja, const int* desca, void* b,
            int ib, int jb, const int* descb, bool world, int ctxt) {
  xredist::core::redistribute(
      {routine, Form::general, bytes, 'U', 'N', m, n, {a, ia, ja, desca}, {b, ib, jb, descb}, world, ctxt});
}

void trmr2d(const char* routine, Index bytes, const char* uplo, const char* diag, int m, int n, const void* a, int ia,
            int ja, const int* desca, void* b, int ib, int jb, const int* descb, bool world, int ctxt) {
  xredist::core::redistribute(
      {routine, Form::trapezoid, bytes, *uplo, *diag, m, n, {a, ia, ja, desca}, {b, ib, jb, descb}, world, ctxt});
}

void lacpy(Index bytes, Index m, Index n, const void* a, Index lda, void* b, Index ldb) {
  if (m <= 0) return;
  for (Index j = 0; j < n; ++j)
    std::memcpy(static_cast<std::byte*>(b) + j * ldb * bytes, static_cast<const std::byte*>(a) + j * lda * bytes,
                static_cast<std::size_t>(m * bytes));
}

}  // namespace

extern "C" {

#define DEFINE(letter, LETTER, type, bytes)                                                                           \
  void p##letter##gemr2d_(const int* m, const int* n, const type* a, const int* ia, const int* ja, const int* desca,  \
                          type* b, const int* ib, const int* jb, const int* descb, const int* ctxt) {                 \
    gemr2d("P" #LETTER "GEMR2D", bytes, *m, *n, a, *ia, *ja, desca, b, *ib, *jb, descb, !whole_world, *ctxt);         \
  }                                                                                                                   \
  void p##letter##gemr2do_(const int* m, const int* n, const type* a, const int* ia, const int* ja, const int* desca, \
                           type* b, const int* ib, const int* jb, const int* descb) {                                 \
    gemr2d("P" #LETTER "GEMR2DO", bytes, *m, *n, a, *ia, *ja, desca, b, *ib, *jb, descb, whole_world, 0);             \
  }                                                                                                                   \
  void p##letter##trmr2d_(const char* uplo, const char* diag, const int* m, const int* n, const type* a,              \
                          const int* ia, const int* ja, const int* desca, type* b, const int* ib, const int* jb,      \
                          const int* descb, const int* ctxt) {                                                        \
    trmr2d("P" #LETTER "TRMR2D", bytes, uplo, diag, *m, *n, a, *ia, *ja, desca, b, *ib, *jb, descb, !whole_world,     \
           *ctxt);                                                                                                    \
  }                                                                                                                   \
  void p##letter##trmr2do_(const char* uplo, const char* diag, const int* m, const int* n, const type* a,             \
                           const int* ia, const int* ja, const int* desca, type* b, const int* ib, const int* jb,     \
                           const int* descb) {                                                                        \
    trmr2d("P" #LETTER "TRMR2DO", bytes, uplo, diag, *m, *n, a, *ia, *ja, desca, b, *ib, *jb, descb, whole_world, 0); \
  }                                                                                                                   \
  void Cp##letter##gemr2d(int m, int n, const type* a, int ia, int ja, const int* desca, type* b, int ib, int jb,     \
                          const int* descb, int ctxt) {                                                               \
    gemr2d("P" #LETTER "GEMR2D", bytes, m, n, a, ia, ja, desca, b, ib, jb, descb, !whole_world, ctxt);                \
  }                                                                                                                   \
  void Cp##letter##gemr2do(int m, int n, const type* a, int ia, int ja, const int* desca, type* b, int ib, int jb,    \
                           const int* descb) {                                                                        \
    gemr2d("P" #LETTER "GEMR2DO", bytes, m, n, a, ia, ja, desca, b, ib, jb, descb, whole_world, 0);                   \
  }                                                                                                                   \
  void Cp##letter##trmr2d(const char* uplo, const char* diag, int m, int n, const type* a, int ia, int ja,            \
                          const int* desca, type* b, int ib, int jb, const int* descb, int ctxt) {                    \
    trmr2d("P" #LETTER "TRMR2D", bytes, uplo, diag, m, n, a, ia, ja, desca, b, ib, jb, descb, !whole_world, ctxt);    \
  }                                                                                                                   \
  void Cp##letter##trmr2do(const char* uplo, const char* diag, int m, int n, const type* a, int ia, int ja,           \
                           const int* desca, type* b, int ib, int jb, const int* descb) {                             \
    trmr2d("P" #LETTER "TRMR2DO", bytes, uplo, diag, m, n, a, ia, ja, desca, b, ib, jb, descb, whole_world, 0);       \
  }                                                                                                                   \
  void C##letter##gelacpy(int m, int n, const type* a, int lda, type* b, int ldb) {                                   \
    lacpy(bytes, m, n, a, lda, b, ldb);                                                                               \
  }                                                                                                                   \
  void C##letter##trlacpy(int m, int n, const type* a, int lda, type* b, int ldb) {                                   \
    lacpy(bytes, m, n, a, lda, b, ldb);                                                                               \
  }

DEFINE(i, I, int, sizeof(int))
DEFINE(s, S, float, sizeof(float))
DEFINE(d, D, double, sizeof(double))
DEFINE(c, C, void, 2 * sizeof(float))
DEFINE(z, Z, void, 2 * sizeof(double))

}  // extern "C"
