// SPDX-License-Identifier: BSD-3-Clause
// B := beta B + alpha op(A) by unpacking and by copying, against the same arithmetic on elements that a plain copy,
// which packer_test.cpp tests, has moved.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstring>
#include <vector>

#include "copy/packer.hpp"
#include "random_call.hpp"

namespace xredist::core {
namespace {

using testing::Call;
using testing::Cutting;
using testing::slow_build;

template <class T>
constexpr bool is_complex = false;
template <class T>
constexpr bool is_complex<std::complex<T>> = true;

template <class T>
Type type_of() {
  using enum Type;
  if constexpr (is_complex<T>) return sizeof(T) == 8 ? complex : complex64;
  return sizeof(T) == 4 ? real : real64;
}

// The local array of a process.
template <class T>
struct Part {
  Index ld;
  std::vector<T> elements;

  Part(const Layout& layout, const Call& call, Coord at, Index spare)
      : ld(testing::held_by(layout.rows, at.row, call.m).count + spare),
        elements(as_size(ld * testing::held_by(layout.cols, at.col, call.n).count)) {}
  ConstArray source() const { return {reinterpret_cast<const std::byte*>(elements.data()), ld}; }
  Array target() { return {reinterpret_cast<std::byte*>(elements.data()), ld}; }
};

template <class T>
T drawn(testing::Random& random) {
  const auto value = [&] { return static_cast<double>(random.below(2001) - 1000) / 7; };
  if constexpr (is_complex<T>) {
    const double real = value();
    return {static_cast<T::value_type>(real), static_cast<T::value_type>(value())};
  } else {
    return static_cast<T>(value());
  }
}

// Multiplies without the extra steps of std::complex for infinities.
template <class T>
T product(const T& x, const T& y) {
  if constexpr (is_complex<T>)
    return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
  else
    return x * y;
}

template <class T>
T updated(const Scalars& scalars, const T& a, const T& b) {
  const auto times = [](std::complex<double> factor, const T& x) {
    if (factor == 0.0) return T();
    if constexpr (is_complex<T>)
      return factor == 1.0 ? x : product(static_cast<T>(factor), x);
    else
      return factor == 1.0 ? x : product(static_cast<T>(factor.real()), x);
  };
  const T y = times(scalars.alpha, a);
  return scalars.beta == 0.0 ? y : y + times(scalars.beta, b);
}

template <class To, class From>
To converted(const From& x) {
  return static_cast<To>(x);
}

struct Case {
  Call call;
  Cutting cut;
  Scalars scalars;
  bool conjugated;
  Index threads;
  testing::RunsBy by;
};

template <class T, class U>
bool same(const Part<T>& x, const Part<U>& y) {
  return std::memcmp(x.elements.data(), y.elements.data(), x.elements.size() * sizeof(T)) == 0;
}

// Updates all chunks of a message by unpacking and by copying. Returns the number of updated elements.
template <class From, class To>
Index check(const Case& c, testing::Random& random) {
  const auto& [call, cut, scalars, conjugated, threads, by] = c;
  SCOPED_TRACE(described(call) + "\n" + described(cut));
  const auto redistribution = [&](Index bytes, const Operation& operation) {
    return redistribution_of(call.a, call.b, call.m, call.n, call.region, bytes, operation);
  };
  const Redistribution plain = redistribution(sizeof(To), {});
  const Redistribution r = redistribution(0, {type_of<From>(), type_of<To>(), false, conjugated});
  const RunTables tables = testing::tables_of(r, cut.p, cut.q, by);
  const auto for_chunks = [&](const Redistribution& moved, auto visit) {
    Chunks chunks(moved, cut.p, cut.q, cut.rows, cut.cols, cut.limit, &tables, by == testing::RunsBy::sender, true);
    while (const auto chunk = chunks.next()) visit(*chunk);
  };

  const Index spare = random.below(3);
  Part<From> a(call.a, call, cut.p, spare);
  Part<To> op_a(call.a, call, cut.p, spare), b(call.b, call, cut.q, random.below(3)), moved = b, mask = b;
  std::ranges::generate(a.elements, [&] { return drawn<From>(random); });
  std::ranges::generate(b.elements, [&] { return drawn<To>(random); });
  std::ranges::transform(a.elements, op_a.elements.begin(), [&](const From& x) {
    if constexpr (is_complex<To>)
      if (conjugated) return std::conj(converted<To>(x));
    return converted<To>(x);
  });
  Part<To> ones = op_a, unpacked = b, copied = b, expected = b;
  std::ranges::fill(ones.elements, To(1));
  Packer packer(threads, 1);
  for_chunks(plain, [&](const Chunk& chunk) {
    packer.copy(plain, chunk, op_a.source(), moved.target());
    packer.copy(plain, chunk, ones.source(), mask.target());
  });
  for (std::size_t k = 0; k < b.elements.size(); ++k)
    if (mask.elements[k] == To(1)) expected.elements[k] = updated(scalars, moved.elements[k], b.elements[k]);

  for_chunks(r, [&](const Chunk& chunk) {
    std::vector<std::byte> buffer(as_size(chunk.rows.count * chunk.cols.count * r.bytes));
    const Index bytes = packer.pack(r, chunk, a.source(), buffer.data());
    EXPECT_EQ(packer.bytes_of(r, chunk), bytes);
    const Part<To> before = unpacked;
    EXPECT_EQ(packer.unpack(r, chunk, buffer.data(), bytes - 1, unpacked.target(), scalars), -1);
    EXPECT_TRUE(same(unpacked, before)) << "changed although bytes were missing";
    EXPECT_EQ(packer.unpack(r, chunk, buffer.data(), bytes, unpacked.target(), scalars), bytes);
    packer.copy(r, chunk, a.source(), copied.target(), scalars);
  });
  EXPECT_TRUE(same(unpacked, expected));
  EXPECT_TRUE(same(copied, expected));
  return std::ranges::count(mask.elements, To(1));
}

// Checks several pairs of types.
Index check_types(const Case& c, testing::Random& random) {
  using C = std::complex<float>;
  using Z = std::complex<double>;
  return check<float, float>(c, random) + check<double, double>(c, random) + check<C, C>(c, random) +
         check<Z, Z>(c, random) + check<float, double>(c, random) + check<double, float>(c, random) +
         check<Z, C>(c, random);
}

Case random_case(testing::Random& random, const Call& call, bool small_chunks) {
  constexpr std::complex<double> factors[] = {0, 1, -0.75, {1.7, 0.3}};
  Cutting cut = testing::random_cutting(random, call);
  if (!small_chunks) cut.limit = 1'000'000;
  const Scalars scalars{factors[random.below(4)], factors[random.below(4)]};
  return {call, cut, scalars, random.below(4) == 0, 1 + random.below(8) / 6, testing::all_runs_by[random.below(3)]};
}

TEST(Update, OfRandomChunks) {
  testing::Random random(81);
  Index moved = 0;
  for (int trial = 0; trial < (slow_build ? 40 : 300) && !HasFailure(); ++trial)
    moved += check_types(random_case(random, testing::random_call(random, 3, 400, 40), trial % 2 == 0), random);
  EXPECT_GT(moved, 0);
}

// Rows have many periods, with several long runs in each.
TEST(Update, OfRepeatedRuns) {
  testing::Random random(82);
  Index moved = 0;
  for (int trial = 0; trial < (slow_build ? 10 : 60) && !HasFailure(); ++trial) {
    const auto rows = [&] { return Axis{8 * (1 + random.below(6)), 1 + random.below(2), 0, random.below(20)}; };
    const Call call{
        {rows(), {2, 1, 0, 0}}, {rows(), {3, 1, 0, 0}}, 3000 + random.below(50), 1 + random.below(6), {}, 8};
    moved += check_types(random_case(random, call, false), random);
  }
  EXPECT_GT(moved, 0);
}

}  // namespace
}  // namespace xredist::core
