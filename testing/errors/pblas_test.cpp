// SPDX-License-Identifier: BSD-3-Clause
// Errors in calls of PDTRADD, in a program without a PB_Cabort of its own.
#include "grid.hpp"
#include "verdict.hpp"

extern "C" void pdtradd_(const char* uplo, const char* trans, const xredist_int* m, const xredist_int* n,
                         const double* alpha, const double* a, const xredist_int* ia, const xredist_int* ja,
                         const xredist_int* desca, const double* beta, double* c, const xredist_int* ic,
                         const xredist_int* jc, const xredist_int* descc);

namespace xredist::testing {
namespace {

// A correct call with a transposed matrix.
struct Setting {
  Context all{row_major(1, 2)};
  char uplo = 'u', trans = 't';
  xredist_int m = 10, n = 8, ia = 1, ja = 1, ic = 1, jc = 1;
  xredist_int desca[9] = {1, all.handle(), 10, 10, 2, 2, 0, 0, 10};
  xredist_int descc[9] = {1, all.handle(), 10, 10, 2, 2, 0, 0, 10};
  std::vector<double> a = std::vector<double>(100, 2.0), c = std::vector<double>(100, 1.0);

  void call() {
    const double one = 1;
    pdtradd_(&uplo, &trans, &m, &n, &one, a.data(), &ia, &ja, desca, &one, c.data(), &ic, &jc, descc);
  }
  bool untouched() const { return c == std::vector<double>(100, 1.0); }
};

TEST(Tradd, NamesTheWrongArgument) {
  expect_ends<Setting>({
      {"none", [](Setting&) {}, ""},
      {"uplo", [](Setting& s) { s.uplo = 'a'; }, "PDTRADD: argument 1 (UPLO) is 'A', must be U or L"},
      {"trans", [](Setting& s) { s.trans = 'x'; }, "argument 2 (TRANS) is 'X', must be N, T or C"},
      {"ia", [](Setting& s) { s.ia = 4; },
       "argument 4 (N) is 8: with argument 7 (IA) = 4 it reaches beyond argument 9 (DESCA), entry 3 (M_) = 10"},
      {"jc", [](Setting& s) { s.jc = 0; }, "argument 13 (JC) is 0, must be at least 1"},
      {"descc-mb", [](Setting& s) { s.descc[4] = 0; }, "argument 14 (DESCC), entry 5 (MB_) is 0"},
      {"context", [](Setting& s) { s.descc[1] = -1; },
       "argument 14 (DESCC), entry 2 (CTXT_) is -1, not a context with this process"},
  });
}

}  // namespace
}  // namespace xredist::testing
