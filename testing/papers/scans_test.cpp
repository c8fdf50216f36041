// SPDX-License-Identifier: BSD-3-Clause
// Prylli & Tourancheau 1996: four strategies find the same elements, in as many looks as the propositions say.
#include "papers/scans.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/random.hpp"

namespace papers {
namespace {

using xredist::core::Axis;

struct Vector {
  Index r, p_count, s, q_count, n, first_a = 0, first_b = 0, source_a = 0, source_b = 0;

  Overlap overlap() const { return {Axis(r, p_count, source_a, first_a), Axis(s, q_count, source_b, first_b), n}; }
  Index period() const { return std::lcm(r * p_count, s * q_count); }
};

std::vector<Vector> random_vectors(int count) {
  xredist::testing::Random random(7);
  const auto from = [&](Index least, Index most) { return least + random.below(most - least + 1); };
  std::vector<Vector> all;
  for (int k = 0; k < count; ++k) {
    Vector x{from(1, 7), from(2, 6), from(1, 7), from(2, 6), from(0, 300), from(0, 40), from(0, 40)};
    x.source_a = from(0, x.p_count - 1);
    x.source_b = from(0, x.q_count - 1);
    all.push_back(x);
  }
  return all;
}

// Calls ask(overlap, p, q) for all pairs of processes.
template <class Ask>
void for_pairs(const Vector& x, Ask ask) {
  const Overlap o = x.overlap();
  for (Index p = 0; p < x.p_count; ++p)
    for (Index q = 0; q < x.q_count; ++q) ask(o, p, q);
}

TEST(Scans, AllFourFindTheSameElements) {
  for (const Vector& x : random_vectors(200))
    for_pairs(x, [&](const Overlap& o, Index p, Index q) {
      const std::vector<Index> expected = elements_of(scan_indices(o, p, q), o.n);
      for (Index k = 0; k < o.n; ++k)
        ASSERT_EQ(std::ranges::binary_search(expected, k), owner(o.a, k) == p && owner(o.b, k) == q);
      for (const auto& strategy : {scan_blocks, scan_period, scan_pairs}) {
        const Scan scan = strategy(o, p, q);
        ASSERT_EQ(elements_of(scan, o.n), expected);
        ASSERT_EQ(count_of(scan, o.n), std::ssize(expected));
      }
    });
}

// The library's own strategy for planning finds the same numbers of elements.
TEST(Scans, AsManyAsThePartnersOfTheLibrary) {
  for (const Vector& x : random_vectors(200)) {
    const Overlap o = x.overlap();
    for (Index p = 0; p < x.p_count; ++p) {
      std::vector<Index> expected(static_cast<std::size_t>(x.q_count), 0);
      if (o.n > 0)
        for (const auto& [q, length] : partners(o, p)) expected[static_cast<std::size_t>(q)] = length;
      for (Index q = 0; q < x.q_count; ++q)
        ASSERT_EQ(count_of(scan_period(o, p, q), o.n), expected[static_cast<std::size_t>(q)]);
    }
  }
}

TEST(Scans, Proposition1LooksAtEveryIndex) {
  EXPECT_EQ(scan_indices(Vector{3, 4, 5, 4, 4000}.overlap(), 1, 2).visited, 4000);
}

// M / rP + M / r'P' blocks; those at either end are rounded up.
TEST(Scans, Proposition2LooksAtTheBlocksOfBoth) {
  const Scan exact = scan_blocks(Vector{3, 4, 5, 4, 60 * 50}.overlap(), 1, 2);
  EXPECT_LE(exact.visited, 60 * 50 / 12 + 60 * 50 / 20);
  EXPECT_GE(exact.visited, 60 * 50 / 12 + 60 * 50 / 20 - 2);
  for (const Vector& x : random_vectors(200))
    for_pairs(x, [&](const Overlap& o, Index p, Index q) {
      const auto blocks = [&](Index cycle) { return (o.n + cycle - 1) / cycle + 1; };
      ASSERT_LE(scan_blocks(o, p, q).visited, blocks(x.r * x.p_count) + blocks(x.s * x.q_count));
    });
}

// Lemma of section 4.1: C(a, m) and C(a', m') share the elements C(b, lcm(m, m')), or nothing. Blocks of one element.
TEST(Scans, LemmaOneElementAPeriodOrNone) {
  for (Index m = 2; m <= 12; ++m)
    for (Index other = 2; other <= 12; ++other)
      for_pairs({1, m, 1, other, 4 * std::lcm(m, other)}, [&](const Overlap& o, Index p, Index q) {
        const Index expected = (p - q) % std::gcd(m, other) == 0 ? 1 : 0;
        ASSERT_EQ(count_of(scan_indices(o, p, q), o.n), 4 * expected);
        ASSERT_EQ(std::ssize(scan_pairs(o, p, q).intervals), expected);
      });
}

// Propositions 3 and 5: at most r r' elements a period. The paper says "less than" in proposition 3, but as many are
// reached: 2 blocks of 2 and 3 of 3, whose cycles of 4 and 9 have no common factor.
TEST(Scans, Propositions3And5AtMostOneElementForAPairOfIndices) {
  for (Vector x : random_vectors(200)) {
    x.n = 2 * x.period();
    for_pairs(x, [&](const Overlap& o, Index p, Index q) {
      const Scan scan = scan_pairs(o, p, q);
      ASSERT_EQ(scan.visited, x.r * x.s);
      ASSERT_LE(count_of(scan, scan.period), x.r * x.s);
    });
  }
  for_pairs({2, 2, 3, 3, 36},
            [](const Overlap& o, Index p, Index q) { ASSERT_EQ(count_of(scan_pairs(o, p, q), 36), 6); });
}

TEST(Scans, Proposition4PeriodOfTheIntersection) {
  for (Vector x : random_vectors(100)) {
    x.n = 3 * x.period();
    for_pairs(x, [&](const Overlap& o, Index p, Index q) {
      ASSERT_EQ(scan_period(o, p, q).period, x.period());
      const std::vector<Index> all = elements_of(scan_indices(o, p, q), o.n);
      const Index a_period = std::ssize(all) / 3;
      ASSERT_EQ(std::ssize(all), 3 * a_period);
      for (Index k = 0; k < 2 * a_period; ++k)
        ASSERT_EQ(all[static_cast<std::size_t>(k + a_period)], all[static_cast<std::size_t>(k)] + x.period());
    });
  }
}

// Propositions 6 and 7: b / rP + b / r'P' blocks, for b = min(M, lcm(rP, r'P')). The paper says max, which would not
// stop at the end of a short vector.
TEST(Scans, Propositions6And7StopAtThePeriod) {
  const Index period = Vector{3, 4, 5, 4, 0}.period();
  const auto visited = [](Index n) { return scan_period(Vector{3, 4, 5, 4, n}.overlap(), 1, 2).visited; };
  EXPECT_EQ(period, 60);
  EXPECT_EQ(visited(60), visited(4000));
  EXPECT_EQ(visited(60), visited(4'000'000));
  EXPECT_LE(visited(60), 60 / 12 + 60 / 20);
  EXPECT_LE(visited(20), 3);  // the end of the vector is nearer
  for (const Vector& x : random_vectors(200))
    for_pairs(x, [&](const Overlap& o, Index p, Index q) {
      const Index b = std::min(o.n, x.period());
      const auto blocks = [&](Index cycle) { return (b + cycle - 1) / cycle + 1; };
      const Scan scan = scan_period(o, p, q);
      ASSERT_LE(scan.visited, blocks(x.r * x.p_count) + blocks(x.s * x.q_count));
      ASSERT_LE(scan.visited, scan_blocks(o, p, q).visited);
    });
}

}  // namespace
}  // namespace papers
