// SPDX-License-Identifier: BSD-3-Clause
// Compares the results of all operations with values that are computed from indices in the matrix alone.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "move.hpp"
#include "random.hpp"

namespace xredist::testing {
namespace {

using Index = std::int64_t;
using Value = std::complex<double>;  // holds every value of every type

// ---- the arithmetic of each type

bool is_complex(char type) { return type == 'C' || type == 'Z'; }
std::size_t bytes_of(char type) { return type == 'Z' ? 16 : type == 'I' || type == 'S' ? 4 : 8; }

// Rounds to the nearest value of the type. Sums and products of floats that are rounded from double are rounded right.
double rounded(char type, double x) {
  if (type == 'S' || type == 'C') return static_cast<float>(x);
  return type == 'I' ? std::trunc(x) : x;
}
Value rounded(char type, Value x) { return {rounded(type, x.real()), is_complex(type) ? rounded(type, x.imag()) : 0}; }
Value product(char type, Value x, Value y) {
  const auto times = [&](double a, double b) { return rounded(type, a * b); };
  if (!is_complex(type)) return times(x.real(), y.real());
  return {rounded(type, times(x.real(), y.real()) - times(x.imag(), y.imag())),
          rounded(type, times(x.real(), y.imag()) + times(x.imag(), y.real()))};
}
Value sum(char type, Value x, Value y) { return rounded(type, x + y); }

void put(char type, std::byte* to, Value x) {
  const double z[] = {x.real(), x.imag()};
  const float c[] = {static_cast<float>(z[0]), static_cast<float>(z[1])};
  const auto i = static_cast<std::int32_t>(z[0]);
  const void* from = z;
  if (type == 'I') from = &i;
  if (type == 'S' || type == 'C') from = c;
  std::memcpy(to, from, bytes_of(type));
}
Value get(char type, const std::byte* from) {
  double z[2] = {};
  float c[2] = {};
  std::int32_t i = 0;
  void* to = z;
  if (type == 'I') to = &i;
  if (type == 'S' || type == 'C') to = c;
  std::memcpy(to, from, bytes_of(type));
  return {z[0] + c[0] + i, z[1] + c[1]};  // two of them are 0
}

// ---- a distributed matrix

// A dimension in intervals; without cuts the dimension is CYCLIC.
struct Intervals {
  std::vector<std::int64_t> cuts;
  std::vector<int> owners;
  std::vector<std::int64_t> places{};  // empty: in the order of the matrix

  explicit operator bool() const { return !cuts.empty(); }
  xredist_partition told() const {
    return {std::ssize(owners), cuts.data(), owners.data(), places.empty() ? nullptr : places.data()};
  }
};

struct Matrix {
  char type;                         // 0: elements of `bytes` bytes that have no type
  Index m, n, first_row, first_col;  // of the whole; from 0, where the submatrix begins
  int nprow, npcol;
  std::vector<int> ranks;
  Index mb, nb;
  int rsrc, csrc;
  Intervals row_intervals{}, col_intervals{};
  std::vector<std::int64_t> row_list{}, col_list{};  // of the submatrix, from 1; empty: neighbours
  std::size_t bytes = type == 0 ? 0 : bytes_of(type);

  // Return the row and the column of the matrix at a position of the submatrix.
  Index row(Index i) const { return row_list.empty() ? first_row + i : row_list[static_cast<std::size_t>(i)] - 1; }
  Index col(Index j) const { return col_list.empty() ? first_col + j : col_list[static_cast<std::size_t>(j)] - 1; }
  // Return the position of a row and of a column in the submatrix; -1 or any other number outside: none.
  Index row_position(Index i) const { return position(row_list, first_row, i); }
  Index col_position(Index j) const { return position(col_list, first_col, j); }
  static Index position(const std::vector<std::int64_t>& list, Index first, Index i) {
    if (list.empty()) return i - first;
    const auto found = std::ranges::find(list, i + 1);
    return found == list.end() ? -1 : found - list.begin();
  }

  // An element without type has bytes that follow from a value.
  void put_element(std::byte* to, Value x) const {
    if (type != 0) return put(type, to, x);
    for (std::size_t k = 0; k < bytes; ++k)
      to[k] = static_cast<std::byte>(static_cast<std::size_t>(1e6 + 7 * x.real()) * (k % 251 + 1) + k);
  }
  // Calls use(layout). The layout's pointers are valid during the call.
  template <class Use>
  auto with_layout(Use use) const {
    const xredist_partition rows = row_intervals.told(), cols = col_intervals.told();
    return use(xredist_layout{.nprow = nprow,
                              .npcol = npcol,
                              .mb = mb,
                              .nb = nb,
                              .rsrc = rsrc,
                              .csrc = csrc,
                              .ranks = ranks.data(),
                              .rows = row_intervals ? &rows : nullptr,
                              .cols = col_intervals ? &cols : nullptr});
  }
  Part own() const {
    return with_layout([&](const xredist_layout& layout) { return Part(layout, m, n, rank(), 1); });
  }

  // Returns this process's part, with the elements value(i, j) in row i and column j.
  template <class Of>
  std::vector<std::byte> part(Of value) const {
    Part part = own();
    std::vector<std::byte> memory((part.data.size() + 1) * bytes);
    part.each([&](const double& x, Index i, Index j) {
      put_element(memory.data() + static_cast<std::size_t>(&x - part.data.data()) * bytes, value(i, j));
    });
    return memory;
  }
};

// Returns the value of an element, which is the same on all processes.
Value value_of(int matrix, char type, Index i, Index j) {
  std::minstd_rand random(static_cast<unsigned>(Index{matrix} * 1'000'003 + i * 1009 + j + 1));
  random.discard(2);
  const auto next = [&] {
    const int x = static_cast<int>(random() % 2001) - 1000;
    return type == 'I' ? x : x / 7.0;
  };
  const double real = next();
  return rounded(type, {real, next()});
}

// ---- a case

struct OperationCase {
  xredist_operation operation;
  Index m, n;  // of B's submatrix
  Matrix a, b;
  Value alpha = 1, beta = 0;

  // Returns whether element (i, j) of B's submatrix is written: the trapezoids of P?TRMR2D.
  bool in_region(Index i, Index j) const {
    const Index strict = operation.diag == 'U' ? 1 : 0;
    if (operation.uplo == 'U') return i - j <= std::max<Index>(m - n, 0) - strict;
    if (operation.uplo == 'L') return j - i <= std::max<Index>(n - m, 0) - strict;
    return true;
  }

  // Returns whether the imaginary part of element (i, j) of A's submatrix counts as 0.
  bool is_real(Index i, Index j) const { return operation.mirror == 'H' && i == j && i >= 0 && i < m; }

  // op(A), in A's type
  Value from_a(Index i, Index j) const {
    bool transposed = operation.trans == 'T' || operation.trans == 'C';
    bool conjugated = operation.trans == 'R' || operation.trans == 'C';
    if (!in_region(i, j)) {  // mirrored
      transposed = true;
      conjugated = operation.mirror == 'H';
    }
    if (transposed) std::swap(i, j);
    const Value x = value_of(1, a.type, a.row(i), a.col(j));
    if (is_real(i, j)) return x.real();
    return conjugated ? std::conj(x) : x;
  }

  Value expected(Index i, Index j) const {
    const Value before = value_of(2, b.type, i, j);
    i = b.row_position(i);
    j = b.col_position(j);
    if (i < 0 || i >= m || j < 0 || j >= n || (operation.mirror == 'N' && !in_region(i, j))) return before;
    if (b.type == 0) return from_a(i, j);
    const Value x = product(b.type, alpha, rounded(b.type, from_a(i, j)));
    return beta == 0.0 ? x : sum(b.type, x, product(b.type, beta, before));
  }

  std::string described() const {
    const auto& o = operation;
    return std::string{o.type, o.type_b, ' ', o.trans, o.uplo, o.diag, o.mirror} + ", " + std::to_string(m) + " x " +
           std::to_string(n) + ", " + std::to_string(a.nprow) + "x" + std::to_string(a.npcol) + " -> " +
           std::to_string(b.nprow) + "x" + std::to_string(b.npcol) + ", intervals " +
           std::to_string(a.row_intervals.owners.size()) + "x" + std::to_string(a.col_intervals.owners.size()) +
           " -> " + std::to_string(b.row_intervals.owners.size()) + "x" +
           std::to_string(b.col_intervals.owners.size()) + ", lists " + std::to_string(a.row_list.size()) + "x" +
           std::to_string(a.col_list.size()) + " -> " + std::to_string(b.row_list.size()) + "x" +
           std::to_string(b.col_list.size());
  }
};

xredist_operation letters(std::string_view types, char trans, char uplo, char diag, char mirror) {
  return {.type = types[0], .type_b = types[1], .trans = trans, .uplo = uplo, .diag = diag, .mirror = mirror};
}

class Drawn {
 public:
  explicit Drawn(unsigned seed) : random_(seed) {}

  Index below(Index n) { return random_.below(n); }
  char one_of(std::string_view letters) { return random_.one_of(letters); }

  OperationCase next() {
    static const std::string pairs[] = {"II", "SS", "DD", "CC", "ZZ", "ID", "DI", "IZ", "ZI", "SD", "DS",
                                        "SC", "CS", "SZ", "ZS", "DZ", "ZD", "CZ", "ZC", "DD", "ZZ"};
    const std::string pair = pairs[below(std::ssize(pairs))];
    OperationCase c{
        letters(pair, one_of("NTCR"), one_of("AAUL"), one_of("NU"), 'N'), below(60) + 1, below(60) + 1, {}, {}};
    if (below(5) == 0) {
      c.operation = letters(pair, 'N', one_of("UL"), 'N', one_of("SH"));
      c.n = c.m;
    }
    const bool transposed = c.operation.trans == 'T' || c.operation.trans == 'C';
    c.a = matrix(pair[0], transposed ? c.n : c.m, transposed ? c.m : c.n);
    c.b = matrix(pair[1], c.m, c.n);
    if (below(2) == 0) repeat(c.a);
    c.alpha = rounded(pair[1], scalar());
    c.beta = rounded(pair[1], scalar());
    return c;
  }
  // Returns a copy or a transposition of elements of any size, which have no type; of a trapezoid, or with a mirror, if
  // there are kernels for the size.
  OperationCase next_of(std::int32_t bytes, Index longest = 20) {
    OperationCase c{{.bytes = bytes}, below(longest) + 1, below(longest) + 1, {}, {}};
    c.operation.mirror = 'N';
    c.operation.trans = one_of("NT");
    if (bytes <= 16 && (bytes & (bytes - 1)) == 0) c.operation.uplo = one_of("AUL"), c.operation.diag = one_of("NU");
    if (c.operation.uplo > 'A' && below(3) == 0) {
      c.operation.mirror = 'S', c.operation.diag = c.operation.trans = 'N';
      c.n = c.m;
    }
    const bool transposed = c.operation.trans == 'T';
    c.a = matrix(0, transposed ? c.n : c.m, transposed ? c.m : c.n);
    c.b = matrix(0, c.m, c.n);
    c.a.bytes = c.b.bytes = static_cast<std::size_t>(bytes);
    return c;
  }

 private:
  Value scalar() {
    const Value all[] = {0, 1, -1, 2.7, {0.3, -1.9}};
    return all[below(5)];
  }
  Matrix matrix(char type, Index m, Index n) {
    Matrix x{type, 0, 0, below(9), below(9), 1, 1, {}, below(9) + 1, below(9) + 1, 0, 0};
    x.m = x.first_row + m + below(5);
    x.n = x.first_col + n + below(5);
    GridShape grid = random_grid(random_, size());
    x.nprow = grid.nprow;
    x.npcol = grid.npcol;
    x.ranks = std::move(grid.ranks);
    x.rsrc = random_.in(0, x.nprow - 1);
    x.csrc = random_.in(0, x.npcol - 1);
    if (below(3) == 0) x.row_intervals = intervals(x.m, x.nprow);
    if (below(3) == 0) x.col_intervals = intervals(x.n, x.npcol);
    if (below(4) == 0) x.first_row = 0, x.row_list = list(x.m, m);
    if (below(4) == 0) x.first_col = 0, x.col_list = list(x.n, n);
    return x;
  }
  // Returns different rows (columns) of a matrix: every second one at most, neighbours but for a few, or any.
  std::vector<std::int64_t> list(Index length, Index count) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(length));
    std::iota(all.begin(), all.end(), 1);
    if (below(2) == 0)
      random_.shuffle(all);
    else
      std::swap(all.front(), all.back());
    all.resize(static_cast<std::size_t>(count));
    return all;
  }
  // Has the lists of A some entries several times.
  void repeat(Matrix& a) {
    for (auto* of : {&a.row_list, &a.col_list})
      for (std::int64_t& entry : *of)
        if (below(3) == 0) entry = (*of)[static_cast<std::size_t>(below(std::ssize(*of)))];
  }
  Intervals intervals(Index length, int procs) {
    Intervals x{{0}, {}};
    for (const Index most = 1 + below(20); x.cuts.back() < length;) {
      x.cuts.push_back(std::min(length, x.cuts.back() + below(most + 1)));
      x.owners.push_back(static_cast<int>(below(procs)));
    }
    if (below(2) == 0) x.places = random_places(random_, x.cuts, x.owners);
    return x;
  }

  Random random_;
};

xredist_plan* planned(MPI_Comm comm, const OperationCase& c) {
  xredist_operation operation = c.operation;
  operation.m = c.m, operation.n = c.n;
  operation.ia = c.a.first_row + 1, operation.ja = c.a.first_col + 1;
  operation.ib = c.b.first_row + 1, operation.jb = c.b.first_col + 1;
  const auto told = [](const std::vector<std::int64_t>& list) { return list.empty() ? nullptr : list.data(); };
  operation.rows_a = told(c.a.row_list), operation.cols_a = told(c.a.col_list);
  operation.rows_b = told(c.b.row_list), operation.cols_b = told(c.b.col_list);
  xredist_plan* plan = nullptr;
  c.a.with_layout([&](const xredist_layout& a) {
    c.b.with_layout([&](const xredist_layout& b) { EXPECT_EQ(create_plan(comm, a, b, operation, &plan), 0); });
  });
  return plan;
}

// An imaginary part that counts as 0 is no number; with lists, the element may be on the diagonal and outside.
std::vector<std::byte> source_of(const OperationCase& c) {
  return c.a.part([&](Index i, Index j) {
    const Value x = value_of(1, c.a.type, i, j);
    const bool listed = !c.a.row_list.empty() || !c.a.col_list.empty();
    const bool unread = is_complex(c.a.type) && !listed && c.is_real(i - c.a.first_row, j - c.a.first_col);
    return unread ? Value(x.real(), std::nan("")) : x;
  });
}
std::vector<std::byte> target_of(const OperationCase& c) {
  return c.b.part([&](Index i, Index j) { return value_of(2, c.b.type, i, j); });
}

// A case with its plan and its local arrays.
struct Planned {
  const OperationCase& c;
  xredist_plan* plan;
  std::vector<std::byte> a = source_of(c), b = target_of(c);
  std::byte alpha[16], beta[16];

  explicit Planned(const OperationCase& planned_case, MPI_Comm comm = MPI_COMM_WORLD)
      : c(planned_case), plan(planned(comm, c)) {
    put(c.b.type, alpha, c.alpha);
    put(c.b.type, beta, c.beta);
  }
  Planned(const Planned&) = delete;
  Planned& operator=(const Planned&) = delete;
  ~Planned() { xredist_plan_destroy(plan); }

  xredist_job job() {
    const bool typed = c.b.type != 0;
    return {plan, a.data(), c.a.own().ld, b.data(), c.b.own().ld, typed ? alpha : nullptr, typed ? beta : nullptr};
  }
  void expect_right() const {
    const std::vector<std::byte> expected = c.b.part([&](Index i, Index j) { return c.expected(i, j); });
    ASSERT_EQ(b.size(), expected.size());
    const std::size_t bytes = c.b.bytes;
    if (c.b.type == 0) {
      ASSERT_TRUE(b == expected);
      return;
    }
    for (std::size_t at = 0; at < b.size(); at += bytes)
      ASSERT_EQ(get(c.b.type, b.data() + at), get(c.b.type, expected.data() + at)) << "element " << at / bytes;
  }
};

void expect_carried_out(const OperationCase& c, MPI_Comm comm = MPI_COMM_WORLD) {
  Planned planned(c, comm);
  ASSERT_EQ(execute_job(planned.job()), 0);
  planned.expect_right();
}

// Communicators with options other than those of the environment.
class Configured : public ::testing::Test {
 protected:
  Configured() {
    const std::vector<std::pair<const char*, const char*>> settings[] = {
        {{"algorithm", "rank"}},
        {{"algorithm", "split"}},
        {{"algorithm", "caterpillar"}},
        {{"route", "direct"}, {"shared", "0"}, {"permits", "2"}},
        {{"route", "two-hop"}},
        {{"route", "two-hop"}, {"buffer", "1M"}, {"shared", "0"}},
        {{"route", "2"}},
        {{"buffer", "1M"}},
        {{"threads", "3"}},
        {{"threads", "2"}, {"algorithm", "shifted"}, {"buffer", "1M"}},
    };
    for (const auto& options : settings) {
      comms.emplace_back();
      MPI_Comm_dup(MPI_COMM_WORLD, &comms.back());
      for (const auto& [name, value] : options)
        EXPECT_EQ(xredist_set_option(comms.back(), name, value), 0) << name << "=" << value;
    }
  }
  ~Configured() override {
    for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  }

  std::vector<MPI_Comm> comms;
};

using Operation = Configured;

TEST_F(Operation, AnyOnAnyGrids) {
  Drawn drawn(7);
  for (std::size_t k = 0; k < 400; ++k) {
    const OperationCase c = drawn.next();
    SCOPED_TRACE(c.described() + ", case " + std::to_string(k));
    expect_carried_out(c, k % 2 == 0 ? MPI_COMM_WORLD : comms[k / 2 % comms.size()]);
    if (HasFailure()) return;
  }
}

TEST_F(Operation, OnElementsOfAnySize) {
  Drawn drawn(13);
  for (const std::int32_t bytes : {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32, 48, 100, 1000, 4096, 65535, 65536})
    for (int k = 0; k < (bytes > 1000 ? 2 : 12); ++k) {
      const OperationCase c = drawn.next_of(bytes, k % 4 == 0 && bytes < 50 ? 150 : 20);
      SCOPED_TRACE(c.described() + ", bytes " + std::to_string(bytes));
      expect_carried_out(c, k % 2 == 0 ? MPI_COMM_WORLD : comms[static_cast<std::size_t>(drawn.below(10))]);
      if (HasFailure()) return;
    }
}

// Pieces larger than the buffers, both kinds of long edges, and more than one piece of everything.
OperationCase large_case(char trans, char uplo, char mirror, Index m, Index n) {
  OperationCase c{letters("ZC", trans, uplo, 'N', mirror), m, n, {}, {}, {1, 2}, {0.5, -1}};
  const bool transposed = trans == 'T' || trans == 'C';
  std::vector<int> all(static_cast<std::size_t>(size()));
  std::iota(all.begin(), all.end(), 0);
  c.a = {'Z', transposed ? n : m, transposed ? m : n, 0, 0, 1, size(), all, 13, 7, 0, 0};
  c.b = {'C', m, n, 0, 0, size(), 1, all, 5, 11, 0, 0};
  return c;
}

TEST_F(Operation, LargeMatrices) {
  for (const auto& [trans, uplo, mirror] :
       {std::array{'T', 'A', 'N'}, {'C', 'L', 'N'}, {'N', 'U', 'H'}, {'N', 'L', 'H'}, {'R', 'A', 'N'}})
    for (const auto& [m, n] : {std::pair<Index, Index>{900, 900}, {40, 9000}, {9000, 40}}) {
      if (mirror == 'H' && m != n) continue;
      const OperationCase c = large_case(trans, uplo, mirror, m, n);
      SCOPED_TRACE(c.described());
      expect_carried_out(c);
    }
  for (const MPI_Comm comm : comms) {
    expect_carried_out(large_case('C', 'A', 'N', 350, 250), comm);
    expect_carried_out(large_case('N', 'L', 'H', 350, 350), comm);
  }
}

// The other triangle is filled from the one that is given, in the same array.
TEST_F(Operation, CompletesInPlace) {
  const int rows = size() % 2 == 0 ? 2 : 1;
  std::vector<int> all(static_cast<std::size_t>(size()));
  std::iota(all.begin(), all.end(), 0);
  for (const char uplo : {'U', 'L'}) {
    OperationCase c{letters("ZZ", 'C', uplo, 'U', 'N'), 50, 50, {}, {}};
    c.a = c.b = {'Z', 50, 50, 0, 0, rows, size() / rows, all, 4, 3, 0, 0};
    const Planned planned(c);
    std::vector<std::byte> x = source_of(c);
    ASSERT_EQ(execute_job({planned.plan, x.data(), c.a.own().ld, x.data(), c.a.own().ld}), 0);
    const std::vector<std::byte> expected =
        c.a.part([&](Index i, Index j) { return c.in_region(i, j) ? c.from_a(i, j) : value_of(1, c.a.type, i, j); });
    EXPECT_EQ(x, expected);
  }
}

// A triangle on one layout is completed in its own array. The diagonal of a Hermitian matrix becomes real.
TEST_F(Operation, MirrorsInPlace) {
  const int rows = size() % 2 == 0 ? 2 : 1;
  std::vector<int> all(static_cast<std::size_t>(size()));
  std::iota(all.begin(), all.end(), 0);
  for (const MPI_Comm comm : comms)
    for (const char uplo : {'U', 'L'})
      for (const char mirror : {'S', 'H'}) {
        OperationCase c{letters("ZZ", 'N', uplo, 'N', mirror), 300, 300, {}, {}};
        c.a = c.b = {'Z', 307, 309, 3, 5, rows, size() / rows, all, 4, 3, 0, 0};
        const Planned planned(c, comm);
        std::vector<std::byte> x = source_of(c);
        ASSERT_EQ(execute_job({planned.plan, x.data(), c.a.own().ld, x.data(), c.a.own().ld}), 0);
        const std::vector<std::byte> expected = c.a.part([&](Index i, Index j) {
          const Index row = i - c.a.first_row, col = j - c.a.first_col;
          const bool inside = row >= 0 && row < c.m && col >= 0 && col < c.n;
          return inside ? c.from_a(row, col) : value_of(1, c.a.type, i, j);
        });
        EXPECT_TRUE(x == expected) << uplo << mirror;
      }
}

// Without a leading dimension, a local matrix has the rows up to the end of the submatrix, also where the last of them
// that moves has a lesser local index.
TEST_F(Operation, LeadingDimensionEndsWithTheSubmatrix) {
  const Index m = 8 * size();
  const LaterHalfFirst halves(size());
  const xredist_partition partition = halves.get();
  const Index list[] = {m, 1};
  for (const auto* rows : {static_cast<const xredist_partition*>(nullptr), &partition})
    for (const bool listed : {false, true})
      for (const char trans : {'N', 'T'}) {
        const xredist_layout b_layout{.nprow = size(), .npcol = 1, .mb = 4, .nb = 3, .rows = rows};
        xredist_layout a_layout = b_layout;
        xredist_operation operation{.m = 2, .n = 2, .ib = listed ? 1 : m - 1, .type = 'D', .trans = trans};
        if (trans == 'T') a_layout = {.nprow = 1, .npcol = size(), .mb = 3, .nb = 4, .cols = rows};
        (trans == 'T' ? operation.ja : operation.ia) = operation.ib;
        if (listed) (trans == 'T' ? operation.cols_a : operation.rows_a) = operation.rows_b = list;
        Part a(a_layout, trans == 'T' ? 2 : m, trans == 'T' ? m : 2), b(b_layout, m, 2), expected = b;
        const auto value = [m](Index i, Index j) { return static_cast<double>(i + m * j); };
        a.each([&](double& x, Index i, Index j) { x = trans == 'T' ? value(j, i) : value(i, j); });
        expected.each([&](double& x, Index i, Index j) {
          if (i == m - 1 || i == (listed ? 0 : m - 2)) x = value(i, j);
        });
        xredist_plan* plan = nullptr;
        ASSERT_EQ(create_plan(MPI_COMM_WORLD, a_layout, b_layout, operation, &plan), 0);
        xredist_plan_info info{};
        ASSERT_EQ(xredist_plan_query(plan, &info), 0);
        EXPECT_TRUE(info.rows_b == 0 || info.rows_b == b.ld) << info.rows_b;
        ASSERT_EQ(execute_job({.plan = plan, .a = a.data.data(), .b = b.data.data()}), 0);
        EXPECT_EQ(b.data, expected.data) << trans << (rows != nullptr) << listed;
        xredist_plan_destroy(plan);
      }
}

// 0 times what is in A or B is 0, also where that is no number.
TEST_F(Operation, ZeroScalarsReadNothing) {
  const xredist_layout grid{1, 1, 4, 4};
  xredist_plan* plan = nullptr;
  ASSERT_EQ(create_plan(MPI_COMM_WORLD, grid, grid, {.m = 1, .n = 1, .type = 'D'}, &plan), 0);
  const double nan = std::nan(""), one = 1, zero = 0;
  double x = nan, y = 3;
  ASSERT_EQ(execute_job({plan, &x, 1, &y, 1, &zero, &one}), 0);
  EXPECT_EQ(y, 3);
  x = 5;
  y = nan;
  ASSERT_EQ(execute_job({plan, &x, 1, &y, 1, &one, &zero}), 0);
  EXPECT_TRUE(rank() > 0 || y == 5);
  xredist_plan_destroy(plan);
}

}  // namespace
}  // namespace xredist::testing
