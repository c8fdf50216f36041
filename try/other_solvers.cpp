// SPDX-License-Identifier: BSD-3-Clause
// The names of solvers that --layouts does not try. It names those that the program calls.
#include "layouts.hpp"
#include "trial.hpp"

using namespace xredist::trial;

// All arguments are pointers. The lengths of character arguments are not passed on: the routines read one letter.
#define P7 void *a1, void *a2, void *a3, void *a4, void *a5, void *a6, void *a7
#define P10 P7, void *a8, void *a9, void *a10
#define P11 P10, void* a11
#define P12 P11, void* a12
#define P13 P12, void* a13
#define P14 P13, void* a14
#define P15 P14, void* a15
#define P17 P15, void *a16, void *a17
#define P19 P17, void *a18, void *a19
#define P20 P19, void* a20
#define P21 P20, void* a21
#define P24 P21, void *a22, void *a23, void *a24
#define P26 P24, void *a25, void *a26
#define P29 P26, void *a27, void *a28, void *a29
#define P31 P29, void *a30, void *a31
#define P34 P31, void *a32, void *a33, void *a34
#define P36 P34, void *a35, void *a36
#define V7 a1, a2, a3, a4, a5, a6, a7
#define V10 V7, a8, a9, a10
#define V11 V10, a11
#define V12 V11, a12
#define V13 V12, a13
#define V14 V13, a14
#define V15 V14, a15
#define V17 V15, a16, a17
#define V19 V17, a18, a19
#define V20 V19, a20
#define V21 V20, a21
#define V24 V21, a22, a23, a24
#define V26 V24, a25, a26
#define V29 V26, a27, a28, a29
#define V31 V29, a30, a31
#define V34 V31, a32, a33, a34
#define V36 V34, a35, a36

// `count`: number of arguments. `desca`, `lwork`: the arguments DESCA and LWORK; nullptr without LWORK.
#define PASS_ON(name, ROUTINE, count, desca, lwork, why)                                                           \
  [[gnu::visibility("default")]] void name(P##count) {                                                             \
    static auto* const own = reinterpret_cast<decltype(&(name))>(next(#name));                                     \
    pass_on(ROUTINE, why, static_cast<const int*>(desca), static_cast<const int*>(lwork), [&] { own(V##count); }); \
  }

#define TWO "it has two matrices"
#define FACTORS "it continues with factors, whose layout is chosen before"
#define OTHER "it is not among the solvers that are tried"

// `sy`: the letters of symmetric or Hermitian matrices. The numbers of arguments of four routines depend on them.
#define PASS_ON_ALL(letter, LETTER, sy, SY, gvx, evx, evr, gesvd)           \
  PASS_ON(p##letter##trsm_, "P" #LETTER "TRSM", 15, a11, nullptr, FACTORS)  \
  PASS_ON(p##letter##potrs_, "P" #LETTER "POTRS", 12, a7, nullptr, FACTORS) \
  PASS_ON(p##letter##potri_, "P" #LETTER "POTRI", 7, a6, nullptr, FACTORS)  \
  PASS_ON(p##letter##getrs_, "P" #LETTER "GETRS", 13, a7, nullptr, FACTORS) \
  PASS_ON(p##letter##getri_, "P" #LETTER "GETRI", 11, a5, a8, FACTORS)      \
  PASS_ON(p##letter##trtrs_, "P" #LETTER "TRTRS", 14, a9, nullptr, FACTORS) \
  PASS_ON(p##letter##posv_, "P" #LETTER "POSV", 12, a7, nullptr, OTHER)     \
  PASS_ON(p##letter##gesv_, "P" #LETTER "GESV", 12, a6, nullptr, OTHER)     \
  PASS_ON(p##letter##gels_, "P" #LETTER "GELS", 15, a8, a14, OTHER)         \
  PASS_ON(p##letter##geqrf_, "P" #LETTER "GEQRF", 10, a6, a9, OTHER)        \
  PASS_ON(p##letter##sy##gst_, "P" #LETTER #SY "GST", 13, a7, nullptr, TWO) \
  PASS_ON(p##letter##sy##ngst_, "P" #LETTER #SY "NGST", 15, a7, a14, TWO)   \
  PASS_ON(p##letter##sy##gvx_, "P" #LETTER #SY "GVX", gvx, a9, a28, TWO)    \
  PASS_ON(p##letter##sy##evx_, "P" #LETTER #SY "EVX", evx, a8, a23, OTHER)  \
  PASS_ON(p##letter##sy##evr_, "P" #LETTER #SY "EVR", evr, a8, a21, OTHER)  \
  PASS_ON(p##letter##gesvd_, "P" #LETTER "GESVD", gesvd, a8, a19, OTHER)

#define PASS_ON_REAL(letter, LETTER) PASS_ON_ALL(letter, LETTER, sy, SY, 34, 29, 24, 20)

#define PASS_ON_COMPLEX(letter, LETTER)                             \
  PASS_ON_ALL(letter, LETTER, he, HE, 36, 31, 26, 21)               \
  PASS_ON(p##letter##heev_, "P" #LETTER "HEEV", 17, a7, a14, OTHER) \
  PASS_ON(p##letter##heevd_, "P" #LETTER "HEEVD", 19, a7, a14, OTHER)

extern "C" {
PASS_ON_REAL(s, S)
PASS_ON_REAL(d, D)
PASS_ON_COMPLEX(c, C)
PASS_ON_COMPLEX(z, Z)
}
