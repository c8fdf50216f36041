// The fifty names, with 64-bit integers also those that end in _64, all in one object file. The linker takes members of
// a static library as a whole, so a program has all names from here or none: never a mixture with ScaLAPACK's own.
#include <cstddef>
#include <cstring>

#include "scalapack/call.hpp"
#include "xredist/scalapack.h"

namespace {

using xredist::core::Form;
using xredist::core::Index;

constexpr bool whole_world = true;

void gemr2d(const char* routine, Index bytes, Index m, Index n, const void* a, Index ia, Index ja,
            const xredist_int* desca, void* b, Index ib, Index jb, const xredist_int* descb, bool world,
            xredist_int ctxt) {
  xredist::core::redistribute(
      {routine, Form::general, bytes, 'U', 'N', m, n, {a, ia, ja, desca}, {b, ib, jb, descb}, world, ctxt});
}

void trmr2d(const char* routine, Index bytes, const char* uplo, const char* diag, Index m, Index n, const void* a,
            Index ia, Index ja, const xredist_int* desca, void* b, Index ib, Index jb, const xredist_int* descb,
            bool world, xredist_int ctxt) {
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

#define DEFINE(letter, LETTER, type, bytes, suffix)                                                                    \
  void p##letter##gemr2d##suffix##_(const xredist_int* m, const xredist_int* n, const type* a, const xredist_int* ia,  \
                                    const xredist_int* ja, const xredist_int* desca, type* b, const xredist_int* ib,   \
                                    const xredist_int* jb, const xredist_int* descb, const xredist_int* ctxt) {        \
    gemr2d("P" #LETTER "GEMR2D", bytes, *m, *n, a, *ia, *ja, desca, b, *ib, *jb, descb, !whole_world, *ctxt);          \
  }                                                                                                                    \
  void p##letter##gemr2do##suffix##_(const xredist_int* m, const xredist_int* n, const type* a, const xredist_int* ia, \
                                     const xredist_int* ja, const xredist_int* desca, type* b, const xredist_int* ib,  \
                                     const xredist_int* jb, const xredist_int* descb) {                                \
    gemr2d("P" #LETTER "GEMR2DO", bytes, *m, *n, a, *ia, *ja, desca, b, *ib, *jb, descb, whole_world, 0);              \
  }                                                                                                                    \
  void p##letter##trmr2d##suffix##_(const char* uplo, const char* diag, const xredist_int* m, const xredist_int* n,    \
                                    const type* a, const xredist_int* ia, const xredist_int* ja,                       \
                                    const xredist_int* desca, type* b, const xredist_int* ib, const xredist_int* jb,   \
                                    const xredist_int* descb, const xredist_int* ctxt) {                               \
    trmr2d("P" #LETTER "TRMR2D", bytes, uplo, diag, *m, *n, a, *ia, *ja, desca, b, *ib, *jb, descb, !whole_world,      \
           *ctxt);                                                                                                     \
  }                                                                                                                    \
  void p##letter##trmr2do##suffix##_(const char* uplo, const char* diag, const xredist_int* m, const xredist_int* n,   \
                                     const type* a, const xredist_int* ia, const xredist_int* ja,                      \
                                     const xredist_int* desca, type* b, const xredist_int* ib, const xredist_int* jb,  \
                                     const xredist_int* descb) {                                                       \
    trmr2d("P" #LETTER "TRMR2DO", bytes, uplo, diag, *m, *n, a, *ia, *ja, desca, b, *ib, *jb, descb, whole_world, 0);  \
  }                                                                                                                    \
  void Cp##letter##gemr2d##suffix(xredist_int m, xredist_int n, const type* a, xredist_int ia, xredist_int ja,         \
                                  const xredist_int* desca, type* b, xredist_int ib, xredist_int jb,                   \
                                  const xredist_int* descb, xredist_int ctxt) {                                        \
    gemr2d("P" #LETTER "GEMR2D", bytes, m, n, a, ia, ja, desca, b, ib, jb, descb, !whole_world, ctxt);                 \
  }                                                                                                                    \
  void Cp##letter##gemr2do##suffix(xredist_int m, xredist_int n, const type* a, xredist_int ia, xredist_int ja,        \
                                   const xredist_int* desca, type* b, xredist_int ib, xredist_int jb,                  \
                                   const xredist_int* descb) {                                                         \
    gemr2d("P" #LETTER "GEMR2DO", bytes, m, n, a, ia, ja, desca, b, ib, jb, descb, whole_world, 0);                    \
  }                                                                                                                    \
  void Cp##letter##trmr2d##suffix(const char* uplo, const char* diag, xredist_int m, xredist_int n, const type* a,     \
                                  xredist_int ia, xredist_int ja, const xredist_int* desca, type* b, xredist_int ib,   \
                                  xredist_int jb, const xredist_int* descb, xredist_int ctxt) {                        \
    trmr2d("P" #LETTER "TRMR2D", bytes, uplo, diag, m, n, a, ia, ja, desca, b, ib, jb, descb, !whole_world, ctxt);     \
  }                                                                                                                    \
  void Cp##letter##trmr2do##suffix(const char* uplo, const char* diag, xredist_int m, xredist_int n, const type* a,    \
                                   xredist_int ia, xredist_int ja, const xredist_int* desca, type* b, xredist_int ib,  \
                                   xredist_int jb, const xredist_int* descb) {                                         \
    trmr2d("P" #LETTER "TRMR2DO", bytes, uplo, diag, m, n, a, ia, ja, desca, b, ib, jb, descb, whole_world, 0);        \
  }                                                                                                                    \
  void C##letter##gelacpy##suffix(xredist_int m, xredist_int n, const type* a, xredist_int lda, type* b,               \
                                  xredist_int ldb) {                                                                   \
    lacpy(bytes, m, n, a, lda, b, ldb);                                                                                \
  }                                                                                                                    \
  void C##letter##trlacpy##suffix(xredist_int m, xredist_int n, const type* a, xredist_int lda, type* b,               \
                                  xredist_int ldb) {                                                                   \
    lacpy(bytes, m, n, a, lda, b, ldb);                                                                                \
  }

#define DEFINE_LETTERS(suffix)                           \
  DEFINE(i, I, xredist_int, sizeof(xredist_int), suffix) \
  DEFINE(s, S, float, sizeof(float), suffix)             \
  DEFINE(d, D, double, sizeof(double), suffix)           \
  DEFINE(c, C, void, 2 * sizeof(float), suffix)          \
  DEFINE(z, Z, void, 2 * sizeof(double), suffix)

DEFINE_LETTERS()
#ifdef XREDIST_ILP64
DEFINE_LETTERS(_64)
#endif

}  // extern "C"
