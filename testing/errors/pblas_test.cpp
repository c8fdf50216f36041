// SPDX-License-Identifier: BSD-3-Clause
// Errors in calls of PDTRADD, in a program without a PB_Cabort of its own.
#include "verdict.hpp"

extern "C" void pdtradd_(const char* uplo, const char* trans, const xredist_int* m, const xredist_int* n,
                         const double* alpha, const double* a, const xredist_int* ia, const xredist_int* ja,
                         const xredist_int* desca, const double* beta, double* c, const xredist_int* ic,
                         const xredist_int* jc, const xredist_int* descc);

namespace xredist::testing {
namespace {

// A transposed matrix. C is the B of CallSetting.
struct Setting : CallSetting {
  char uplo = 'u', trans = 't';
  std::vector<double> a = std::vector<double>(100, 2.0), c = std::vector<double>(100, 1.0);

  Setting() : CallSetting(row_major(1, 2), row_major(1, 2)) {
    n = 8;
    descb[1] = desca[1];  // PBLAS wants one context
  }
  void call() {
    const double one = 1;
    pdtradd_(&uplo, &trans, &m, &n, &one, a.data(), &ia, &ja, desca, &one, c.data(), &ib, &jb, descb);
  }
  bool untouched() const { return c == std::vector<double>(100, 1.0); }
};

const std::vector<Case<Setting>> wrong_arguments = {
    {[](Setting&) {}, ""},
    {[](Setting& s) { s.uplo = 'a'; }, "PDTRADD: argument 1 (UPLO) is 'A', must be U or L"},
    {[](Setting& s) { s.trans = 'x'; }, "argument 2 (TRANS) is 'X', must be N, T or C"},
    {[](Setting& s) { s.ia = 4; },
     "argument 4 (N) is 8: with argument 7 (IA) = 4 it reaches beyond argument 9 (DESCA), entry 3 (M_) = 10"},
    {[](Setting& s) { s.jb = 0; }, "argument 13 (JC) is 0, must be at least 1"},
    {[](Setting& s) { s.descb[4] = 0; }, "argument 14 (DESCC), entry 5 (MB_) is 0"},
    {[](Setting& s) { s.descb[1] = -1; },
     "argument 14 (DESCC), entry 2 (CTXT_) is -1, not a context with this process"},
};

TEST(Tradd, NamesTheWrongArgument) { expect_ends(wrong_arguments); }

}  // namespace
}  // namespace xredist::testing
