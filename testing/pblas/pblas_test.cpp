// SPDX-License-Identifier: BSD-3-Clause
// Compares the names of PBLAS with PBLAS itself, byte by byte. No product or sum of the values needs rounding, because
// a BLAS may round the product and the sum of AXPY once.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "grid.hpp"
#include "layout/axis.hpp"
#include "pblas_call.hpp"
#include "random.hpp"
#include "ranks.hpp"

namespace xredist::testing {
namespace {

int aborted = 0;  // the last argument of PB_Cabort

using core::Axis;
using core::Index;
using Bytes = std::vector<std::byte>;

struct Matrix {
  xredist_int m, n, i, j;  // size, and first element of the submatrix, from 1
  std::array<xredist_int, 11> desc;
  Bytes memory;
};

struct Case {
  char letter;
  std::string name;     // pdtran_
  std::string letters;  // UPLO and TRANS, if the routine has them
  xredist_int m, n;
  Matrix a, c;
  Value alpha, beta;
};

class Drawn {
 public:
  Drawn(unsigned seed, const Context& grid, const GridShape& shape) : random_(seed), grid_(grid), shape_(shape) {}

  Case next() {
    const char letter = one_of("sdcz");
    const xredist_int m = below(40) + 1, n = below(40) + 1;
    const char trans = one_of("NTC"), uplo = one_of("UL");
    const int kind = below(3);
    Case c{letter, {}, {}, m, n, {}, {}, scalar(letter), scalar(letter)};
    const bool transposed = kind == 0 || trans != 'N';
    c.name.push_back('p');
    c.name += letter;
    for (const char* rest = kind == 0 ? "tran" : kind == 1 ? "geadd" : "tradd"; *rest != 0; ++rest) c.name += *rest;
    if (kind == 0 && is_complex(letter)) c.name += one_of("uc");
    c.name += '_';
    if (kind == 2) c.letters.push_back(uplo);
    if (kind > 0) c.letters.push_back(trans);
    c.a = matrix(letter, transposed ? n : m, transposed ? m : n);
    c.c = matrix(letter, m, n);
    return c;
  }

 private:
  xredist_int below(int n) { return random_.in(0, n - 1); }
  char one_of(std::string_view letters) { return random_.one_of(letters); }
  Value scalar(char letter) {
    const Value all[] = {0, 1, 1, -0.5, {1.5, is_complex(letter) ? 0.25 : 0}};
    return all[below(5)];
  }

  Matrix matrix(char letter, xredist_int m, xredist_int n) {
    Matrix x{};
    x.i = below(5) + 1;
    x.j = below(5) + 1;
    x.m = x.i + m + below(3);
    x.n = x.j + n + below(3);
    const xredist_int mb = below(7) + 1, nb = below(7) + 1, rsrc = below(shape_.nprow), csrc = below(shape_.npcol);
    const Axis rows{mb, shape_.nprow, rsrc, 0}, cols{nb, shape_.npcol, csrc, 0};
    const Index height = grid_.member() ? core::local_count(rows, grid_.row(), x.m) : 0;
    const Index width = grid_.member() ? core::local_count(cols, grid_.col(), x.n) : 0;
    const auto lld = static_cast<xredist_int>(std::max<Index>(height, 1));
    x.desc = {1, grid_.handle(), x.m, x.n, mb, nb, rsrc, csrc, lld};
    if (below(3) == 0) x.desc = {2, grid_.handle(), x.m, x.n, mb, nb, mb, nb, rsrc, csrc, lld};
    x.memory.resize(static_cast<std::size_t>(lld * width + 1) * bytes_of(letter));
    Random own(static_cast<unsigned>(random_.in(0, 1'000'000) + rank() * 7919));
    const auto value = [&] { return static_cast<double>(own.in(1, 2001)); };
    for (std::size_t at = 0; at + bytes_of(letter) <= x.memory.size(); at += bytes_of(letter)) {
      const double real = value();
      put(letter, x.memory.data() + at, {real, value()});
    }
    return x;
  }

  Random random_;
  const Context& grid_;
  const GridShape& shape_;
};

// Returns C after the call.
Bytes called(Function routine, const Case& x) {
  Bytes c = x.c.memory;
  call(routine, {.letter = x.letter,
                 .letters = x.letters,
                 .m = x.m,
                 .n = x.n,
                 .alpha = x.alpha,
                 .a = x.a.memory.data(),
                 .ia = x.a.i,
                 .ja = x.a.j,
                 .desca = x.a.desc.data(),
                 .beta = x.beta,
                 .c = c.data(),
                 .ic = x.c.i,
                 .jc = x.c.j,
                 .descc = x.c.desc.data()});
  return c;
}

TEST(Pblas, AnyCase) {
  for (int rows = 1; rows <= size(); ++rows) {
    if (size() % rows != 0) continue;
    const GridShape shape = row_major(rows, size() / rows);
    const Context grid(shape);
    Drawn drawn(static_cast<unsigned>(5 + rows), grid, shape);
    for (int k = 0; k < 300; ++k) {
      const Case x = drawn.next();
      const Function ref = scalapacks(x.name), mine = ours(x.name);
      ASSERT_TRUE(ref != nullptr && mine != nullptr && ref != mine) << x.name;
      EXPECT_TRUE(called(mine, x) == called(ref, x))
          << x.name << " " << x.letters << ", " << x.m << " x " << x.n << ", alpha " << x.alpha << ", beta " << x.beta
          << ", case " << k << ", " << rows << " rows of processes";
    }
  }
}

// With XREDIST_TUNE=1, one of the calls tries several ways if beta is 0, and none if it is not.
TEST(Pblas, RepeatedCalls) {
  const GridShape shape = row_major(1, size());
  for (const Value beta : {0, 1}) {
    const Context grid(shape);
    Drawn drawn(11, grid, shape);
    Case x = drawn.next();
    while (x.name != "pdtran_" || x.m < 10 || x.n < 10) x = drawn.next();
    x.alpha = 2, x.beta = beta;
    for (int k = 0; k < 12; ++k) {
      const Bytes expected = called(scalapacks(x.name), x);
      ASSERT_TRUE(called(ours(x.name), x) == expected) << "beta " << beta << ", call " << k;
      x.c.memory = expected;
    }
  }
}

// The library passes a call on to PBLAS if the first block has a size of its own. (MKL's PBLAS reads such descriptors
// in another way than Netlib's.)
TEST(Pblas, PassesOnOtherDescriptors) {
  const GridShape shape = row_major(1, 1);
  const Context grid(shape);
  if (!grid.member()) return;
  const xredist_int n = 4, one = 1;
  const xredist_int desc[] = {2, grid.handle(), n, n, 2, 2, 3, 3, 0, 0, n};
  std::vector<double> a(16), c(16, -1.0), ref(16, -1.0);
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = static_cast<double>(k);
  const double alpha = 1, beta = 0;
  using P = const double*;
  using I = const xredist_int*;
  const auto transpose = [&](Function routine, std::vector<double>& result) {
    reinterpret_cast<void (*)(I, I, P, P, I, I, I, P, double*, I, I, I)>(routine)(
        &n, &n, &alpha, a.data(), &one, &one, desc, &beta, result.data(), &one, &one, desc);
  };
  transpose(ours("pdtran_"), c);
  transpose(scalapacks("pdtran_"), ref);
  EXPECT_NE(ref, std::vector<double>(16, -1.0));
  EXPECT_EQ(c, ref);
}

// The library passes to a program's own PB_Cabort the number that PBLAS's routine passes, and changes nothing.
TEST(Pblas, CallsTheProgramsOwnAbort) {
  const GridShape shape = row_major(1, size());
  const Context grid(shape);
  Drawn drawn(3, grid, shape);
  Case right = drawn.next();
  while (right.name != "pdtradd_" || right.a.desc[0] != 1 || right.c.desc[0] != 2) right = drawn.next();
  right.alpha = right.beta = 1;
  const std::vector<std::function<void(Case&)>> errors{[](Case& x) { x.letters[0] = 'A'; },
                                                       [](Case& x) { x.letters[1] = 'X'; },
                                                       [](Case& x) { x.m = -1; },
                                                       [](Case& x) { x.n = -1; },
                                                       [](Case& x) { x.a.i = 0; },
                                                       [](Case& x) { x.c.j = 0; },
                                                       [](Case& x) { x.a.desc[2] = -1; },
                                                       [](Case& x) { x.c.desc[3] = -1; },
                                                       [](Case& x) { x.a.desc[4] = 0; },
                                                       [](Case& x) { x.c.desc[7] = x.c.desc[5] = 0; },
                                                       [](Case& x) { x.a.desc[7] = size(); },
                                                       [](Case& x) { x.c.desc[8] = 1; },
                                                       [](Case& x) { x.a.desc[8] = 0; },
                                                       [](Case& x) { x.c.desc[10] = 0; },
                                                       [](Case& x) { x.a.desc[1] = -1; },
                                                       [](Case& x) { x.c.desc[1] = -1; },
                                                       [](Case& x) { x.a.i = x.a.m + 1; },
                                                       [](Case& x) { x.c.j = x.c.n + 1; },
                                                       [](Case& x) { x.a.desc[2] = 0; },
                                                       [](Case& x) { x.c.desc[3] = 0; }};
  // Arguments are checked even if the submatrix is empty, or if alpha is 0 and beta is 1.
  const std::vector<std::function<void(Case&)>> kinds{[](Case&) {}, [](Case& x) { x.m = 0; }, [](Case& x) { x.n = 0; },
                                                      [](Case& x) { x.alpha = 0; }};
  for (std::size_t k = 0; k < errors.size() * kinds.size(); ++k) {
    Case x = right;
    kinds[k / errors.size()](x);
    errors[k % errors.size()](x);
    const auto told_by = [&](Function routine) {
      aborted = 0;
      EXPECT_EQ(called(routine, x), x.c.memory) << "error " << k;
      return aborted;
    };
    const int told = told_by(ours(x.name));
    EXPECT_LT(told, k < errors.size() ? 0 : 1) << "error " << k;
    EXPECT_EQ(told, told_by(scalapacks(x.name))) << "error " << k;
  }
}

}  // namespace
}  // namespace xredist::testing

extern "C" __attribute__((visibility("default"))) void PB_Cabort(int, const char*, int info) {
  xredist::testing::aborted = info;
}
