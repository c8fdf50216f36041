// SPDX-License-Identifier: BSD-3-Clause
// Passes NULL or inaccessible memory for arguments that PBLAS does not reference, to every name of the library. PBLAS's
// own routine gets equal arguments, and its results are expected.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "grid.hpp"
#include "layout/axis.hpp"
#include "pblas_call.hpp"
#include "ranks.hpp"

namespace xredist::testing {
namespace {

using core::Index;

struct Routine {
  char letter;
  std::string name, letters;
};

// Returns all names, each with all values of UPLO and TRANS.
std::vector<Routine> routines() {
  std::vector<Routine> all;
  for (const char letter : std::string("sdcz")) {
    const std::string p = std::string("p") + letter;
    for (const char* tran : {"", "u", "c"})
      if (is_complex(letter) == (*tran != 0)) all.push_back({letter, p + "tran" + tran + "_", ""});
    for (const char* trans : {"N", "T", "C"}) {
      all.push_back({letter, p + "geadd_", trans});
      for (const char* uplo : {"U", "L"}) all.push_back({letter, p + "tradd_", std::string(uplo) + trans});
    }
  }
  return all;
}

// Memory that no process may access.
class Forbidden {
 public:
  explicit Forbidden(std::size_t bytes)
      : bytes_(bytes), data_(mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
  Forbidden(const Forbidden&) = delete;
  ~Forbidden() { munmap(data_, bytes_); }
  void* data() const { return data_; }
  void allow(std::size_t begin, std::size_t end) {
    mprotect(static_cast<std::byte*>(data_) + begin, end - begin, PROT_READ | PROT_WRITE);
  }

 private:
  std::size_t bytes_;
  void* data_;
};

constexpr xredist_int order = 9;

// A square matrix of `order`, elements 1, 2 ... times (1, 0.5), on all processes.
struct Matrix {
  std::array<xredist_int, 9> desc;
  char letter;
  Index rows, cols;  // local
  std::vector<std::byte> memory;

  Matrix(const Context& grid, const GridShape& shape, char type, xredist_int block)
      : desc{1, grid.handle(), order, order, block, block, shape.nprow - 1, 0, 0}, letter(type) {
    rows = core::local_count({block, shape.nprow, shape.nprow - 1, 0}, grid.row(), order);
    cols = core::local_count({block, shape.npcol, 0, 0}, grid.col(), order);
    desc[8] = static_cast<xredist_int>(rows + 1);
    memory.resize(static_cast<std::size_t>(desc[8] * cols + 1) * bytes_of(letter));
    for (std::size_t k = 0; k < memory.size() / bytes_of(letter); ++k) {
      const auto value = static_cast<double>(k % 97 + 1);
      put(letter, memory.data() + k * bytes_of(letter), {value, value / 2});
    }
  }
  void fill(Value x) {
    for (std::size_t at = 0; at < memory.size(); at += bytes_of(letter)) put(letter, memory.data() + at, x);
  }
};

class Contract : public ::testing::Test {
 protected:
  Contract() : shape(size() % 2 == 0 ? row_major(2, size() / 2) : row_major(1, size())), grid(shape) {}

  Matrix matrix(const Routine& routine, xredist_int block) const { return {grid, shape, routine.letter, block}; }

  // Calls the library's routine and PBLAS's with the arguments that change(arguments) leaves, and compares C.
  template <class Change>
  void expect_same(const Routine& routine, const Matrix& from, const Matrix& to, Change change) const {
    Matrix mine = to, reference = to;
    for (const auto& [function, c] : {std::pair{ours(routine.name), &mine}, {scalapacks(routine.name), &reference}}) {
      PblasCall x{.letter = routine.letter,
                  .letters = routine.letters,
                  .m = 7,
                  .n = 5,
                  .alpha = 1,
                  .a = from.memory.data(),
                  .ia = 2,
                  .ja = 1,
                  .desca = from.desc.data(),
                  .beta = 0,
                  .c = c->memory.data(),
                  .ic = 1,
                  .jc = 3,
                  .descc = c->desc.data()};
      change(x);
      call(function, x);
    }
    EXPECT_EQ(mine.memory, reference.memory) << routine.name << " " << routine.letters;
  }

  GridShape shape;
  Context grid;
};

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST_F(Contract, AlphaZeroDoesNotReferenceA) {
  const Forbidden nothing(1 << 16);
  for (const Routine& routine : routines())
    for (const void* a : {static_cast<const void*>(nullptr), static_cast<const void*>(nothing.data())})
      for (const Value beta : {Value(0), Value(0.5), Value(-1), Value(1)}) {
        SCOPED_TRACE(beta);
        Matrix to = matrix(routine, 3);
        if (beta == 0.0) to.fill(nan);
        expect_same(routine, matrix(routine, 2), to, [&](PblasCall& x) {
          x.alpha = 0;
          x.beta = beta;
          x.a = a;
          if (beta == 1.0) x.c = nothing.data();
        });
      }
}

TEST_F(Contract, BetaZeroDoesNotReadC) {
  for (const Routine& routine : routines()) {
    Matrix to = matrix(routine, 3);
    to.fill(nan);
    expect_same(routine, matrix(routine, 2), to, [](PblasCall&) {});
  }
}

TEST_F(Contract, EmptySubmatricesReferenceNothing) {
  const Forbidden nothing(1 << 16);
  for (const Routine& routine : routines())
    for (const bool rows : {false, true})
      expect_same(routine, matrix(routine, 2), matrix(routine, 3), [&](PblasCall& x) {
        (rows ? x.m : x.n) = 0;
        x.ia = x.jc = order + 5;  // an empty submatrix may begin anywhere
        x.a = nullptr;
        x.c = nothing.data();
        x.beta = 2;
      });
}

// One element of either matrix moves, or the element of C is scaled.
TEST_F(Contract, ProcessesWithoutAPartPassNull) {
  for (const Routine& routine : routines())
    for (const double alpha : {0.0, 2.0}) {
      const Matrix whole = matrix(routine, order);
      expect_same(routine, whole, whole, [&](PblasCall& x) {
        x.m = x.n = x.ia = x.ja = x.ic = x.jc = 1;
        x.alpha = alpha;
        x.beta = 0.5;
        if (whole.rows * whole.cols == 0) x.a = x.c = nullptr;
      });
    }
}

// A process with local rows but without columns needs no more than a leading dimension of 1.
TEST_F(Contract, ProcessesWithoutColumnsHaveAnyLeadingDimension) {
  for (const Routine& routine : routines()) {
    Matrix whole = matrix(routine, order);
    if (whole.cols == 0) whole.desc[8] = 1;
    expect_same(routine, whole, whole, [](PblasCall&) {});
  }
}

// The lower trapezoid of a 4 x 2000 submatrix is a 4 x 4 triangle. Only the pages of A and C that hold this triangle
// are accessible. On one process.
TEST_F(Contract, ElementsOutsideOfTheTrapezoidDoNotExist) {
  if (size() > 1) return;
  constexpr xredist_int n = 2000, ld = 2048, page = 512;
  for (const std::string letters : {"LN", "LT", "LC"})
    for (const auto& routine : {scalapacks("pdtradd_"), ours("pdtradd_")}) {
      Forbidden a(sizeof(double) * ld * n), c(sizeof(double) * ld * n);
      const bool transposed = letters[1] != 'N';
      for (Forbidden* x : {&a, &c})
        for (std::size_t j = 0; j < 4; ++j)
          x->allow(j * ld * sizeof(double), (j * ld + (x == &a && transposed ? page : ld)) * sizeof(double));
      auto* from = static_cast<double*>(a.data());
      auto* to = static_cast<double*>(c.data());
      for (xredist_int k = 0; k < 4; ++k)
        for (xredist_int i = 0; i < 4; ++i) from[i + k * ld] = 1 + i + 10 * k;
      const xredist_int desc[] = {1, grid.handle(), n, n, 3, 3, 0, 0, ld};
      call(routine, {.letter = 'd',
                     .letters = letters,
                     .m = 4,
                     .n = n,
                     .alpha = 2,
                     .a = from,
                     .ia = 1,
                     .ja = 1,
                     .desca = desc,
                     .beta = 0,
                     .c = to,
                     .ic = 1,
                     .jc = 1,
                     .descc = desc});
      for (xredist_int k = 0; k < 4; ++k)
        for (xredist_int i = 0; i < 4; ++i)
          EXPECT_EQ(to[i + k * ld], i < k ? 0 : 2 * (transposed ? from[k + i * ld] : from[i + k * ld]));
    }
}

}  // namespace
}  // namespace xredist::testing
