// SPDX-License-Identifier: BSD-3-Clause
// Kalns & Ni 1995, lemma by lemma, against the elements themselves; and the figures.
#include "papers/kalns_ni.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "mapping/relabel.hpp"

namespace papers {
namespace {

using namespace xredist::core;

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

// Hits of the paper's map, of the row-major one and of the library's; -1 if the paper has no map.
struct Hits {
  Index theirs, row_major, most, library;
};
Hits hits(const Layout& a, const Layout& b, Index m, Index n) {
  const Volumes volumes(a, b, m, n);
  const Available all = everybody(volumes.a_positions());
  const MapOrReason found = kalns_ni(a, b, m, n);
  const auto* map = std::get_if<std::vector<int>>(&found);
  if (map == nullptr) return {-1, -1, -1, -1};
  const auto whole = [](double x) { return static_cast<Index>(x); };
  return {whole(retained_elements(volumes, all, *map)),
          whole(retained_elements(volumes, all, row_major(b.rows.procs * b.cols.procs))),
          whole(max_retained(volumes, all)), whole(retained_elements(volumes, all, relabel(a, b, m, n, all).map))};
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
            EXPECT_EQ(h.theirs, h.library);
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

TEST(KalnsNi, Figure4And5) {
  EXPECT_EQ(hits(2, 1, natural(8)), 2);  // of 16 elements: choice 1
  const Places places = by_formula(2, 8);
  EXPECT_EQ(hits(2, 1, places), 8);
  Places lpid_at(8);
  for (Index i = 0; i < 8; ++i) lpid_at[static_cast<std::size_t>(places[static_cast<std::size_t>(i)])] = i;
  EXPECT_EQ(lpid_at, (Places{0, 4, 1, 5, 2, 6, 3, 7}));  // choice 2
  // Section 5.2: the neighbours of lpid i are in the places beside its own.
  const auto beside = [&](std::size_t i, Index distance) {
    return lpid_at[static_cast<std::size_t>(places[i] + distance)];
  };
  EXPECT_EQ((Places{beside(3, -1), beside(3, 1)}), (Places{6, 7}));
  EXPECT_EQ((Places{beside(4, -1), beside(4, 1)}), (Places{0, 1}));
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
  Index maps = 0;
  for_all_maps(p, [&](const Places& places) {
    for (Index i = 0; i < p; ++i)
      if (places[static_cast<std::size_t>(i)] / 2 != plain[static_cast<std::size_t>(i)] / 2) return;
    ++maps;
    ASSERT_EQ(hits(z, 1, places), 6);
  });
  EXPECT_EQ(maps, 8);
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
  const Layout line = grid(12, 2, 1, 12), to = grid(4, 1, 3, 4);
  std::vector<int> map = std::get<std::vector<int>>(kalns_ni(line, to, 24, 12));
  const Volumes volumes(line, to, 24, 12);
  const double theirs = retained_elements(volumes, everybody(12), map);
  std::swap(*std::ranges::find(map, 0), *std::ranges::find(map, 2));
  EXPECT_EQ(retained_elements(volumes, everybody(12), map), theirs);
  EXPECT_EQ(place_holder_in_grid(0, 2, 4), (Coord{0, 0}));
  EXPECT_EQ(place_holder_in_grid(2, 2, 4), (Coord{1, 0}));
  EXPECT_EQ(place_holder_in_grid(5, 2, 4), (Coord{2, 1}));
}

// Lpids 0 1 2 3 become 0 2 1 3: p = 4, z = 2.
TEST(KalnsNi, Figure15) { EXPECT_EQ(by_formula(2, 4), (Places{0, 2, 1, 3})); }

// Lemmas 8, 9 and figure 12: the p1 k lpids that h maps to one place may take their places in any order. The paper says
// k = gcd(z, p0), which differs where p0 and p1 have a common factor.
TEST(KalnsNi, Lemma9CountsByZOverP1) {
  std::set<Index> values;
  for (Index r = 0; r < 4; ++r) values.insert(r * 2 % 8);
  EXPECT_EQ(values.size(), 4u);  // p0 / gcd(z / p1, p0), not p0 / gcd(z, p0) = 2
}

TEST(KalnsNi, Lemmas8And9AnyOrderOfThoseThatShareAPlace) {
  for (const auto& [p0, p1] : {std::pair<Index, Index>{2, 2}, {3, 2}, {2, 3}})
    for (Index z = p1; z <= 2 * p0 * p1; z += p1) {
      const Index p = p0 * p1, k = std::gcd(z / p1, p0), b0 = z;
      const Layout from = grid(p0, b0, p1, 1), to = grid(p, 1, 1, p1);
      const Volumes volumes(from, to, b0 * p0, p1);
      Index maps = 0;
      for_all_maps(p, [&](const Places& places) {
        for (Index i = 0; i < p; ++i)
          if (const Index beyond = places[static_cast<std::size_t>(i)] - i / p1 * z % p; beyond < 0 || beyond >= p1 * k)
            return;
        std::vector<int> map(static_cast<std::size_t>(p));
        for (Index i = 0; i < p; ++i)
          map[static_cast<std::size_t>(places[static_cast<std::size_t>(i)])] = static_cast<int>(i);
        ++maps;
        ASSERT_EQ(retained_elements(volumes, everybody(p), map), max_hit_ratio_in_vector(b0, 1, p0, p1, 1).hits);
      });
      Index in_place = 1, expected = 1;
      for (Index j = 2; j <= p1 * k; ++j) in_place *= j;
      for (Index j = 0; j < p0 / k; ++j) expected *= in_place;
      EXPECT_EQ(maps, expected) << p0 << "x" << p1 << " z " << z;
    }
}

// Equation 2 in three dimensions: the product of the axes (lemma 6, theorem 2), by the elements of one process.
TEST(KalnsNi, Equation2InThreeDimensions) {
  const std::vector<Index> p{3, 4, 2}, z{2, 6, 3};
  std::set<std::vector<Index>> seen;
  for (Index i = 0; i < 24; ++i) {
    const std::vector<Index> process{i / 8, i / 2 % 4, i % 2}, place = place_holders(process, z, p);
    Index kept = 1, most = 1;
    for (std::size_t d = 0; d < 3; ++d) {
      EXPECT_EQ(place[d], place_holder(process[d], z[d], p[d]));
      Index same = 0;  // blocks of the process in dimension d whose place it has
      for (Index e = process[d] * z[d]; e < (process[d] + 1) * z[d]; ++e) same += e % p[d] == place[d];
      kept *= same;
      most *= (z[d] + p[d] - 1) / p[d];
    }
    EXPECT_EQ(kept, most);
    EXPECT_TRUE(seen.insert(place).second);
  }
}

// Figures 17 to 19: (BLOCK, *) -> (CYCLIC(b/2), *) on 8 processes, then (BLOCK, BLOCK) -> (CYCLIC(c), CYCLIC(c)) with
// b/6 on 4 x 3 and b/8 on 6 x 4. The paper's "c was maintained at one-sixth and one-eighth of the respective block
// sizes in the row and column dimensions" must mean this: with b/6 and b/8 on the 6 x 4 grid every map keeps as much.
TEST(KalnsNi, Figures17To19) {
  const Hits figure17 = hits(grid(8, 8, 1, 64), grid(8, 4, 1, 64), 64, 64);
  EXPECT_EQ(8 * figure17.row_major, 64 * 64);
  EXPECT_EQ(2 * figure17.theirs, 64 * 64);
  const Hits figure18 = hits(grid(4, 12, 3, 12), grid(4, 2, 3, 2), 48, 36);
  EXPECT_EQ(12 * figure18.row_major, 48 * 36);
  EXPECT_EQ(9 * figure18.theirs, 48 * 36);
  const Hits figure19 = hits(grid(6, 16, 4, 16), grid(6, 2, 4, 2), 96, 64);
  EXPECT_EQ(24 * figure19.row_major, 96 * 64);
  EXPECT_EQ(16 * figure19.theirs, 96 * 64);
  const Hits other = hits(grid(6, 24, 4, 24), grid(6, 4, 4, 3), 144, 96);
  EXPECT_EQ(other.theirs, other.row_major);
  for (const Hits& h : {figure17, figure18, figure19, other}) EXPECT_EQ(h.library, h.theirs);
}

// Beyond the Hungarian method, too, the library keeps as much as the formulas.
TEST(KalnsNi, TheLibraryKeepsAsMuchOnThousandsOfProcesses) {
  for (const Index p : {2048, 4096, 8192})
    for (const Index z : {2, 3, 7, 24, 100}) {
      const Hits h = hits(grid(p, z, 1, 1), grid(p, 1, 1, 1), p * z, 1);
      EXPECT_EQ(h.theirs, p);
      EXPECT_EQ(h.library, h.theirs) << p << " processes, z " << z;
    }
  for (const Index p1 : {32, 64, 128}) {
    const Hits to_grid = hits(grid(64 * p1, 48, 1, p1), grid(64, 4, p1, 1), 64 * p1 * 48, p1);
    EXPECT_EQ(to_grid.library, to_grid.theirs) << "64 x " << p1;
    const Hits from_grid = hits(grid(64, 3 * p1, p1, 1), grid(64 * p1, 1, 1, p1), 64 * 3 * p1, p1);
    EXPECT_EQ(from_grid.library, from_grid.theirs) << "64 x " << p1;
    const Hits same = hits(grid(64, 9, p1, 10), grid(64, 3, p1, 2), 64 * 9, p1 * 10);
    EXPECT_EQ(same.library, same.theirs) << "64 x " << p1;
  }
}

// ---- which redistributions the lemmas are about

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

std::string reason(const Layout& a, const Layout& b, Index m, Index n) {
  const MapOrReason found = kalns_ni(a, b, m, n);
  const auto* text = std::get_if<std::string>(&found);
  return text == nullptr ? "" : *text;
}

TEST(KalnsNi, OthersHaveAReason) {
  const std::string rows = "rows are not BLOCK(b) on one side and CYCLIC(c) on the other with n = p b and c dividing b";
  EXPECT_EQ(reason(grid(4, 6, 1, 1), grid(4, 4, 1, 1), 24, 5), rows);              // c does not divide b
  EXPECT_EQ(reason(grid(4, 6, 1, 1), grid(4, 2, 1, 1), 23, 5), rows);              // unequal parts
  EXPECT_EQ(reason({{6, 4, 0, 1}, {1, 1, 0, 0}}, grid(4, 2, 1, 1), 24, 5), rows);  // not from the first element
  EXPECT_EQ(reason(grid(4, 6, 1, 1), grid(3, 2, 1, 1), 24, 5), "the grids have different numbers of processes");
  EXPECT_EQ(reason(grid(2, 6, 6, 6), grid(4, 2, 3, 2), 12, 36), "both grids have two dimensions, and different shapes");
  // The paper does not say that equation 3 needs p1 | z. Here h(1, s) = 5, h(2, s) = 4.
  EXPECT_EQ(reason(grid(3, 10, 2, 4), grid(6, 2, 1, 8), 30, 8), "z = 5 is not a multiple of p1 = 2");
}

}  // namespace
}  // namespace papers
