// SPDX-License-Identifier: BSD-3-Clause
// Kalns & Ni 1995, lemma by lemma, against the elements themselves.
#include "mapping/kalns_ni.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "mapping/assignment.hpp"

namespace xredist::core {
namespace {

// hits : elements.
struct HitRatio {
  Index hits, elements;
};

HitRatio ratio(Index b0, Index c0, Index places, Index columns_hit, Index elements) {
  return {(b0 + c0 * places - 1) / (c0 * places) * c0 * places * columns_hit, elements};
}

// MaxHitRatio, which no map exceeds: ceil(b / cp) cp : n in one dimension (lemma 1). In m dimensions it is the product
// (lemma 6).
HitRatio max_hit_ratio(Index b, Index c, Index p) { return ratio(b, c, p, 1, b * p); }

// From p0 x p1 to one dimension (lemma 7): ceil(b0 / c0 p0 p1) c0 p0 p1 b1 : n0 n1.
HitRatio max_hit_ratio_in_vector(Index b0, Index c0, Index p0, Index p1, Index b1) {
  return ratio(b0, c0, p0 * p1, b1, b0 * p0 * b1 * p1);
}

// From one dimension to p0 x p1 (lemma 10): ceil(b0 / c0 p0) c0 p0 p1 b1 : n0 n1.
HitRatio max_hit_ratio_in_grid(Index b0, Index c0, Index p0, Index p1, Index b1) {
  return ratio(b0, c0, p0, p1 * b1, b0 * p0 * p1 * b1 * p1);
}

using Places = std::vector<Index>;  // of lpid i

Places natural(Index p) {
  Places places(static_cast<std::size_t>(p));
  std::iota(places.begin(), places.end(), Index{0});
  return places;
}

Places by_formula(Index z, Index p) {
  Places places;
  for (Index i = 0; i < p; ++i) places.push_back(place_holder(i, z, p));
  return places;
}

// Elements of p b that stay where lpid i has block i of BLOCK(b) and place places[i] of CYCLIC(c).
Index hits(Index b, Index c, const Places& places) {
  const auto p = static_cast<Index>(places.size());
  Index count = 0;
  for (Index e = 0; e < b * p; ++e)
    if (places[static_cast<std::size_t>(e / b)] == e / c % p) ++count;
  return count;
}

void expect_permutation(const Places& places) {
  Places sorted = places;
  std::ranges::sort(sorted);
  EXPECT_EQ(sorted, natural(static_cast<Index>(places.size())));
}

// All permutations of p places, each with what is asked of it.
void for_all_maps(Index p, const std::function<void(const Places&)>& ask) {
  Places places = natural(p);
  do ask(places);
  while (std::ranges::next_permutation(places).found);
}

TEST(KalnsNi, Lemma1NoMapExceedsMaxHitRatio) {
  for (Index p = 1; p <= 6; ++p)
    for (Index z = 1; z <= 2 * p + 1; ++z)
      for (const Index c : {1, 3}) {
        Index most = 0;
        for_all_maps(p, [&](const Places& places) { most = std::max(most, hits(z * c, c, places)); });
        EXPECT_EQ(most, max_hit_ratio(z * c, c, p).hits) << p << " " << z << " " << c;
        EXPECT_EQ(max_hit_ratio(z * c, c, p).elements, p * z * c);
      }
}

// Footnote to lemma 1: where p divides z every map is the best.
TEST(KalnsNi, Lemma1AnyMapWhereThePlacesFillTheBlock) {
  for (const Index z : {4, 8, 12})
    for_all_maps(4, [&](const Places& places) { EXPECT_EQ(hits(z, 1, places), 4 * z / 4); });
}

TEST(KalnsNi, Lemma2OneToOneWhereCoprime) {
  for (Index p = 1; p <= 60; ++p)
    for (Index z = 1; z <= 130; ++z) {
      if (std::gcd(z, p) != 1) continue;
      std::set<Index> seen;
      for (Index i = 0; i < p; ++i) {
        EXPECT_EQ(place_holder(i, z, p), i * z % p);
        EXPECT_TRUE(seen.insert(place_holder(i, z, p)).second);
      }
    }
}

TEST(KalnsNi, Lemma3WhoSharesAPlace) {
  for (Index p = 1; p <= 60; ++p)
    for (Index z = 1; z <= 130; ++z) {
      const Index k = std::gcd(z, p);
      for (Index i = 0; i < p / k; ++i)
        for (Index j = 0; j < k; ++j) {
          EXPECT_EQ((i + j * (p / k)) * z % p, i * z % p);
          EXPECT_EQ(place_holder(i + j * (p / k), z, p), i * z % p + j);  // with the correction
        }
      expect_permutation(by_formula(z, p));
    }
}

TEST(KalnsNi, Lemma4ReachesMaxHitRatioWhereCoprime) {
  for (Index p = 1; p <= 24; ++p)
    for (Index z = 1; z <= 3 * p; ++z) {
      if (std::gcd(z, p) != 1) continue;
      for (const Index c : {1, 2, 5}) EXPECT_EQ(hits(z * c, c, by_formula(z, p)), max_hit_ratio(z * c, c, p).hits);
    }
}

TEST(KalnsNi, Lemma5ReachesItInAnyOrderOfThoseWhoShareAPlace) {
  for (const Index p : {4, 6, 8})
    for (Index z = 1; z <= 2 * p; ++z) {
      const Index k = std::gcd(z, p), most = max_hit_ratio(2 * z, 2, p).hits;
      Index maps = 0, factorial = 1, expected = 1;
      for (Index j = 2; j <= k; ++j) factorial *= j;
      for (Index i = 0; i < p / k; ++i) expected *= factorial;
      for_all_maps(p, [&](const Places& places) {
        for (Index i = 0; i < p; ++i)
          if (const Index beyond = places[static_cast<std::size_t>(i)] - i * z % p; beyond < 0 || beyond >= k) return;
        ++maps;
        ASSERT_EQ(hits(2 * z, 2, places), most);
      });
      EXPECT_EQ(maps, expected);
    }
}

TEST(KalnsNi, Theorem1) {
  for (Index p = 1; p <= 40; ++p)
    for (Index z = 1; z <= 90; ++z) EXPECT_EQ(hits(z * 2, 2, by_formula(z, p)), max_hit_ratio(z * 2, 2, p).hits);
}

// ---- two dimensions, by the volumes of the product

Layout grid(Index p0, Index b0, Index p1, Index b1) { return {{b0, p0, 0, 0}, {b1, p1, 0, 0}}; }

Available everybody(Index p) {
  Available all{std::vector<int>(static_cast<std::size_t>(p)), static_cast<int>(p)};
  std::iota(all.at_a.begin(), all.at_a.end(), 0);
  return all;
}

// Hits of their map and of the row-major one.
struct Hits {
  Index theirs, row_major, most;
};
Hits hits(const Layout& a, const Layout& b, Index m, Index n) {
  const Volumes volumes(a, b, m, n);
  const Available all = everybody(volumes.a_positions());
  const auto map = kalns_ni(a, b, m, n);
  if (!map) return {-1, -1, -1};
  const auto whole = [](double x) { return static_cast<Index>(x); };
  return {whole(retained_elements(volumes, all, *map)), whole(retained_elements(volumes, all, row_major(b))),
          whole(max_retained(volumes, all))};
}

TEST(KalnsNi, Lemma6TheProductOfTheAxes) {
  for (Index p0 = 1; p0 <= 5; ++p0)
    for (Index p1 = 1; p1 <= 5; ++p1)
      for (Index z0 = 1; z0 <= 7; ++z0)
        for (Index z1 = 1; z1 <= 7; ++z1) {
          const Layout block = grid(p0, 2 * z0, p1, 3 * z1), cyclic = grid(p0, 2, p1, 3);
          const HitRatio rows = max_hit_ratio(2 * z0, 2, p0), cols = max_hit_ratio(3 * z1, 3, p1);
          const Index m = rows.elements, n = cols.elements;
          for (const Hits& h : {hits(block, cyclic, m, n), hits(cyclic, block, m, n)}) {
            EXPECT_EQ(h.theirs, rows.hits * cols.hits);
            EXPECT_EQ(h.theirs, h.most);
          }
        }
}

TEST(KalnsNi, Lemmata7To9TwoDimensionsToOne) {
  for (Index p0 = 1; p0 <= 6; ++p0)
    for (Index p1 = 1; p1 <= 4; ++p1)
      for (Index z = p1; z <= 3 * p0 * p1; z += p1)
        for (const Index c1 : {1, 5}) {  // columns: it does not matter whether they are BLOCK
          const Index b0 = 2 * z, b1 = 5;
          const HitRatio most = max_hit_ratio_in_vector(b0, 2, p0, p1, b1);
          EXPECT_EQ(most.elements, b0 * p0 * b1 * p1);
          const Layout from = grid(p0, b0, p1, c1), to = grid(p0 * p1, 2, 1, 77);
          EXPECT_EQ(hits(from, to, b0 * p0, b1 * p1).theirs, most.hits) << p0 << "x" << p1 << " z " << z;
          EXPECT_EQ(hits(from, to, b0 * p0, b1 * p1).most, most.hits);
          EXPECT_EQ(hits(to, from, b0 * p0, b1 * p1).theirs, most.hits);
          std::set<Index> seen;
          for (Index r = 0; r < p0; ++r)
            for (Index s = 0; s < p1; ++s) {
              const Index k = std::gcd(z / p1, p0), q = place_holder_in_vector({r, s}, z, p0, p1),
                          h = r * z % (p0 * p1);
              EXPECT_TRUE(q >= h && q < h + p1 * k && seen.insert(q).second);
            }
        }
}

TEST(KalnsNi, Lemmata10To12OneDimensionToTwo) {
  for (Index p0 = 1; p0 <= 6; ++p0)
    for (Index p1 = 1; p1 <= 4; ++p1)
      for (Index z = 1; z <= 3 * p0; ++z) {
        const Index b0 = 2 * z, b1 = 6;
        const HitRatio most = max_hit_ratio_in_grid(b0, 2, p0, p1, b1);
        EXPECT_EQ(most.elements, b0 * p0 * p1 * b1 * p1);
        const Layout from = grid(p0 * p1, b0, 1, 9), to = grid(p0, 2, p1, 3);
        EXPECT_EQ(hits(from, to, b0 * p0 * p1, b1 * p1).theirs, most.hits) << p0 << "x" << p1 << " z " << z;
        EXPECT_EQ(hits(from, to, b0 * p0 * p1, b1 * p1).most, most.hits);
        EXPECT_EQ(hits(to, from, b0 * p0 * p1, b1 * p1).theirs, most.hits);
      }
}

// ---- their figures

TEST(KalnsNi, Figure5) {
  EXPECT_EQ(hits(2, 1, natural(8)), 2);
  const Places places = by_formula(2, 8);
  EXPECT_EQ(hits(2, 1, places), 8);
  Places lpid_at(8);
  for (Index i = 0; i < 8; ++i) lpid_at[static_cast<std::size_t>(places[static_cast<std::size_t>(i)])] = i;
  EXPECT_EQ(lpid_at, (Places{0, 4, 1, 5, 2, 6, 3, 7}));
}

// (a) p = 4, one-to-one, here with z = 3. (b) lpids 0 and 3 to q0, 2 and 5 to q2, 1 and 4 to q4;
// 2! 2! 2! = 8 maps, where the paper counts six.
TEST(KalnsNi, Figure6) {
  EXPECT_EQ(by_formula(3, 4), (Places{0, 3, 2, 1}));
  const Index z = 4, p = 6;
  Places plain;
  for (Index i = 0; i < p; ++i) plain.push_back(i * z % p);
  EXPECT_EQ(plain, (Places{0, 4, 2, 0, 4, 2}));
  EXPECT_EQ(by_formula(z, p), (Places{0, 4, 2, 1, 5, 3}));
  EXPECT_EQ(hits(z, 1, by_formula(z, p)), 6);
}

// (BLOCK_3, BLOCK_4) -> (CYCLIC_3(3), CYCLIC_4(2)): 1 : 12 becomes 1 : 4.
TEST(KalnsNi, Figure10) {
  const Hits h = hits(grid(3, 6, 4, 4), grid(3, 3, 4, 2), 18, 16);
  EXPECT_EQ(12 * h.row_major, 18 * 16);
  EXPECT_EQ(4 * h.theirs, 18 * 16);
}

// (BLOCK_3, BLOCK_2) -> (CYCLIC_6(2), *), a 24 x 16 matrix: 1 : 4.
TEST(KalnsNi, Figure11) {
  const Hits h = hits(grid(3, 8, 2, 8), grid(6, 2, 1, 16), 24, 16);
  EXPECT_EQ(4 * h.theirs, 24 * 16);
  EXPECT_EQ(h.theirs, h.most);
}

// (BLOCK_4, BLOCK_3) -> (CYCLIC_12(1), *): the places that the figure names.
TEST(KalnsNi, Figure12) {
  EXPECT_EQ(place_holder_in_vector({0, 0}, 6, 4, 3), 0);
  EXPECT_EQ(place_holder_in_vector({0, 2}, 6, 4, 3), 2);
  EXPECT_EQ(place_holder_in_vector({2, 0}, 6, 4, 3), 3);
  EXPECT_EQ(place_holder_in_vector({2, 1}, 6, 4, 3), 4);
  EXPECT_EQ(place_holder_in_vector({1, 0}, 6, 4, 3), 6);
  const Hits h = hits(grid(4, 6, 3, 4), grid(12, 1, 1, 12), 24, 12);
  EXPECT_EQ(h.theirs, max_hit_ratio_in_vector(6, 1, 4, 3, 4).hits);
  EXPECT_EQ(h.theirs, h.most);
}

// (BLOCK_6, *) -> (CYCLIC_3(2), BLOCK_2), a 24 x 24 matrix: ceil(4 / 6) 6 : 24 = 1 : 4.
TEST(KalnsNi, Figure13) {
  const Hits h = hits(grid(6, 4, 1, 24), grid(3, 2, 2, 12), 24, 24);
  EXPECT_EQ(4 * h.theirs, 24 * 24);
  EXPECT_EQ(h.theirs, h.most);
}

// (BLOCK_12, *) -> (CYCLIC_4, BLOCK_3): lpids 0 and 2 could change places.
TEST(KalnsNi, Figure14) {
  EXPECT_EQ(place_holder_in_grid(0, 2, 4), (Coord{0, 0}));
  EXPECT_EQ(place_holder_in_grid(2, 2, 4), (Coord{1, 0}));
  EXPECT_EQ(place_holder_in_grid(5, 2, 4), (Coord{2, 1}));
}

// ---- which redistributions their lemmas are about

TEST(KalnsNi, AnySourceProcess) {
  for (Index first_a = 0; first_a < 6; ++first_a)
    for (Index first_b = 0; first_b < 6; ++first_b) {
      const Layout block{{8, 6, first_a, 0}, {5, 1, 0, 0}}, cyclic{{2, 6, first_b, 0}, {5, 1, 0, 0}};
      EXPECT_EQ(hits(block, cyclic, 48, 7).theirs, 7 * max_hit_ratio(8, 2, 6).hits);
      EXPECT_EQ(hits(cyclic, block, 48, 7).theirs, 7 * max_hit_ratio(8, 2, 6).hits);
      const Layout on_grid{{2, 3, first_b % 3, 0}, {3, 2, first_b % 2, 0}};
      EXPECT_EQ(hits(block, on_grid, 48, 12).theirs, max_hit_ratio_in_grid(8, 2, 3, 2, 6).hits);
    }
}

TEST(KalnsNi, RowsAndColumnsExchanged) {
  const Layout row{{9, 1, 0, 0}, {4, 6, 0, 0}}, on_grid{{12, 2, 0, 0}, {2, 3, 0, 0}};
  const Hits h = hits(row, on_grid, 24, 24);
  EXPECT_EQ(4 * h.theirs, 24 * 24);
  EXPECT_EQ(hits(on_grid, row, 24, 24).theirs, h.theirs);
}

TEST(KalnsNi, OthersAreNot) {
  EXPECT_FALSE(kalns_ni(grid(4, 6, 1, 1), grid(4, 4, 1, 1), 24, 5));   // c does not divide b
  EXPECT_FALSE(kalns_ni(grid(4, 6, 1, 1), grid(4, 2, 1, 1), 23, 5));   // unequal parts
  EXPECT_FALSE(kalns_ni(grid(4, 6, 1, 1), grid(3, 2, 1, 1), 24, 5));   // another number of processes
  EXPECT_FALSE(kalns_ni(grid(2, 6, 4, 6), grid(4, 2, 2, 2), 12, 24));  // two to two dimensions, another shape
  EXPECT_FALSE(kalns_ni({{6, 4, 0, 1}, {1, 1, 0, 0}}, grid(4, 2, 1, 1), 24, 5));  // not from the first element
  // p1 does not divide z: h(1, s) = 5, h(2, s) = 4.
  EXPECT_FALSE(kalns_ni(grid(3, 10, 2, 4), grid(6, 2, 1, 8), 30, 8));
}

}  // namespace
}  // namespace xredist::core
