// SPDX-License-Identifier: BSD-3-Clause
// One error in a call of PDTRADD.
#include <vector>

#include "grid.hpp"
#include "misuse.hpp"

extern "C" void pdtradd_(const char* uplo, const char* trans, const xredist_int* m, const xredist_int* n,
                         const double* alpha, const double* a, const xredist_int* ia, const xredist_int* ja,
                         const xredist_int* desca, const double* beta, double* c, const xredist_int* ic,
                         const xredist_int* jc, const xredist_int* descc);

namespace {

using xredist::testing::Context;
using xredist::testing::row_major;

std::vector<double> c(100, 1.0);

// A correct call, of a transposed matrix.
struct Setting {
  Context context{row_major(1, 2)};
  char uplo = 'u', trans = 't';
  xredist_int m = 10, n = 8, ia = 1, ja = 1, ic = 1, jc = 1;
  xredist_int desca[9] = {1, context.handle(), 10, 10, 2, 2, 0, 0, 10};
  xredist_int descc[9] = {1, context.handle(), 10, 10, 2, 2, 0, 0, 10};
  std::vector<double> a = std::vector<double>(100, 2.0);

  explicit Setting(const std::string&) {}
};

const xredist::testing::Errors<Setting> errors = {
    {"none", [](Setting&) {}},
    {"uplo", [](Setting& s) { s.uplo = 'a'; }},
    {"trans", [](Setting& s) { s.trans = 'x'; }},
    {"ia", [](Setting& s) { s.ia = 4; }},
    {"jc", [](Setting& s) { s.jc = 0; }},
    {"descc-mb", [](Setting& s) { s.descc[4] = 0; }},
    {"context", [](Setting& s) { s.descc[1] = -1; }},
};

void call(const Setting& s) {
  const double alpha = 1, beta = 1;
  pdtradd_(&s.uplo, &s.trans, &s.m, &s.n, &alpha, s.a.data(), &s.ia, &s.ja, s.desca, &beta, c.data(), &s.ic, &s.jc,
           s.descc);
}

}  // namespace

bool xredist::testing::untouched() { return c == std::vector<double>(100, 1.0); }

int main(int argc, char** argv) { return xredist::testing::misuse(argc, argv, errors, call); }
