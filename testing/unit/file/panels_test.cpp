// SPDX-License-Identifier: BSD-3-Clause
#include "file/panels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace xredist::files {
namespace {

constexpr Index MB = 1 << 20;

// A matrix of `ld` rows in a file, whose rows are contiguous, and a place of its submatrix.
FilePlace matrix(Index ld, Index bytes = 8, Index row = 0, Index col = 0) {
  return {128, 2, {ld, Index{1} << 40}, {row, col}, bytes};
}

std::vector<Extent> extents_of(const FilePlace& place, const Box& slab) {
  const Extents extents(place, slab);
  std::vector<Extent> all;
  for (Index k = 0; k < extents.count(); ++k) all.push_back(extents[k]);
  return all;
}

Index elements_of(const Panel& panel, const Box& box) {
  Index elements = 1;
  for (int k = 0; k < panel.dims; ++k) elements *= box[as_size(k)].length();
  return elements;
}

// A subarray of up to six axes, with limits.
struct Case {
  FilePlace place;
  Sizes shape{};
  PanelLimits limits{};
};

Case random_case(std::mt19937& random) {
  const auto up_to = [&](Index n) { return std::uniform_int_distribution<Index>(1, n)(random); };
  Case x{{128, static_cast<int>(up_to(6)), {}, {}, Index{1} << (up_to(5) - 1)}};
  Index rest = 6'000'000;  // elements
  for (std::size_t k = 0; k < as_size(x.place.dims); ++k) {
    x.shape[k] = up_to(up_to(3) == 1 ? rest : std::min(rest, Index{40}));
    rest = std::max(rest / x.shape[k], Index{1});
    x.place.first[k] = up_to(3) - 1;
    x.place.extents[k] = x.place.first[k] + x.shape[k] + up_to(3) - 1;
    x.limits.periods[k] = up_to(k == 0 ? 5'000 : 30) - 1;
  }
  x.limits.processes = up_to(9), x.limits.slab_bytes = MB / 2 * up_to(20);
  x.limits.stripe = up_to(3) == 1 ? 256 << 10 : 4096;
  return x;
}

// Every byte is in one slab of one panel, no slab is larger than its limit, and slabs are in the order of the file.
TEST(Panels, HaveEachElementOnce) {
  std::mt19937 random(3);
  int with_several_indices = 0;
  for (int k = 0; k < 2000; ++k) {
    const Case x = random_case(random);
    const Panels panels(x.place, x.shape, x.limits);
    ASSERT_GE(panels.writers(), 1);
    ASSERT_LE(panels.writers(), x.limits.processes);
    EXPECT_LE(panels.slab_elements() * x.place.bytes, x.limits.slab_bytes);
    Index elements = 0, end = 0;
    for (Index p = 0; p < panels.count(); ++p) {
      const Panel panel = panels[p];
      ASSERT_EQ(panel.bounds.front(), 0);
      ASSERT_EQ(panel.bounds[as_size(panel.cuts)], panel.bounds.back());
      ASSERT_EQ(panel.bounds.back(), panel.box[as_size(panel.cut)].length());
      ASSERT_LE(panel.slabs(), panels.writers());
      with_several_indices += panel.slabs() > panel.cuts ? 1 : 0;
      for (int axis = 0; axis < panel.cut; ++axis)
        ASSERT_EQ(panel.box[as_size(axis)], (Interval{0, x.shape[as_size(axis)]}));
      for (Index slab = 0; slab < panel.slabs(); ++slab) {
        const Box box = panel.slab(slab);
        const Index of_slab = elements_of(panel, box);
        ASSERT_GE(of_slab, 0);
        ASSERT_LE(of_slab, panels.slab_elements());
        if (of_slab == 0) continue;
        ASSERT_GE(x.place.byte_of(box), end);
        end = x.place.byte_of(box) + of_slab * x.place.bytes;
        elements += of_slab;
      }
      EXPECT_EQ(elements_of(panel, panel.slab(panel.slabs())), 0);
    }
    EXPECT_EQ(elements, files::elements_of({x.shape.data(), as_size(x.place.dims)}));
  }
  EXPECT_GT(with_several_indices, 0);
}

TEST(Panels, AreWholePeriods) {
  const Index rows = 10'000, cols = 5'000;  // columns of 80 KB
  const Panels panels(matrix(rows), {rows, cols}, {4, 8 * MB, {640, 256}, 4096});
  EXPECT_EQ(panels.writers(), 4);
  EXPECT_EQ(panels[0].box[1].length(), 256);  // of at most 4 * 104
  const Panel second = panels[1];
  for (Index k = 0; k <= max_writers; ++k) EXPECT_EQ(second.bounds[as_size(k)], std::min<Index>(64 * k, 256));
}

TEST(Panels, OfSmallFilesHaveFewWriters) {
  EXPECT_EQ(Panels(matrix(1000), {1000, 1000}, {64, 8 * MB, {}, 4096}).writers(), 1);
  EXPECT_EQ(Panels(matrix(1000), {1000, 2200}, {64, 8 * MB, {}, 4096}).writers(), 4);
  EXPECT_EQ(Panels(matrix(1000), {1000, 1'000'000}, {1000, 8 * MB, {}, 4096}).writers(), max_writers);
  EXPECT_EQ(Panels(matrix(1000), {1000, 0}, {64, 8 * MB, {}, 4096}).count(), 0);
}

// A slab has 4 MB or more, even if other writers get nothing of a short panel.
TEST(Panels, HaveLongSlabs) {
  const Panels panels(matrix(1'200'000), {1'200'000, 100}, {3, 8 * MB, {}, 4096});  // columns of 9.6 MB
  const Panel panel = panels[0];
  EXPECT_EQ(panel.cut, 0);
  EXPECT_EQ(panel.slab(0)[0], (Interval{0, MB / 2}));
  EXPECT_EQ(panel.slab(2)[0], (Interval{MB, 1'200'000}));
  EXPECT_EQ(elements_of(panel, panel.slab(3)), 0);
}

// Three writers share a column of 9.6 MB, or a plane of it, so 16 writers have a panel of five.
TEST(Panels, OfShortAxesHaveSeveralIndicesOfTheNextOnes) {
  for (const Sizes& shape : {Sizes{1'200'000, 100}, Sizes{1000, 1200, 100}, Sizes{1000, 1200, 5, 20}}) {
    const int dims = static_cast<int>(std::ranges::find(shape, 0) - shape.begin());
    const Panels panels({0, dims, shape, {}, 8}, shape, {16, 8 * MB, {}, 4096});
    EXPECT_EQ(panels.count(), 20);
    EXPECT_EQ(panels[0].cut, dims == 2 ? 0 : 1);
    EXPECT_EQ(panels[0].slabs(), 15);
    EXPECT_EQ(panels[0].slab(7)[as_size(panels[0].cut + 1)], (Interval{2, 3}));
  }
}

// Slabs begin at multiples of a stripe if rows are cut, otherwise at the column that ends there or just before.
TEST(Panels, BeginAtStripes) {
  const FilePlace tall = matrix(3'000'000), wide = matrix(1000);
  const PanelLimits limits{4, 8 * MB, {}, MB};
  const Panel of_rows = Panels(tall, {3'000'000, 2}, limits)[0];
  for (Index slab = 1; slab < 4; ++slab) EXPECT_EQ(tall.byte_of(of_rows.slab(slab)) % MB, 0);
  const Panel of_cols = Panels(wide, {1000, 4000}, limits)[0];
  for (Index slab = 1; slab < 4; ++slab) EXPECT_GE(wide.byte_of(of_cols.slab(slab)) % MB, MB - 8000) << slab;
}

TEST(Extents, AreContiguous) {
  const FilePlace whole = matrix(10), part = matrix(10, 8, 3, 2);
  const std::vector<Extent> one = extents_of(whole, {{{0, 10}, {2, 5}}});
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].offset, 128 + 160);
  EXPECT_EQ(one[0].bytes, 240);
  const std::vector<Extent> columns = extents_of(part, {{{0, 4}, {1, 3}}});
  ASSERT_EQ(columns.size(), 2U);
  EXPECT_EQ(columns[0].offset, 128 + 8 * (3 * 10 + 3));
  EXPECT_EQ(columns[1].offset, columns[0].offset + 80);
  EXPECT_EQ(columns[1].local, 32);
  EXPECT_EQ(columns[1].bytes, 32);
  EXPECT_EQ(extents_of(part, {{{1, 4}, {1, 2}}}).size(), 1U);  // a part of one column
  EXPECT_TRUE(extents_of(part, {{{0, 0}, {0, 3}}}).empty());
  EXPECT_TRUE(extents_of(part, {{{0, 3}, {2, 2}}}).empty());
}

// Planes 1 and 2 of a 5 x 4 x 3 array are contiguous, and two rows of each have an extent in each plane.
TEST(Extents, OfThreeAxes) {
  const FilePlace place{0, 3, {5, 4, 3}, {}, 1};
  EXPECT_EQ(extents_of(place, {{{0, 5}, {0, 4}, {1, 3}}}).size(), 1U);
  const std::vector<Extent> rows = extents_of(place, {{{0, 5}, {1, 3}, {1, 3}}});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].offset, 25);
  EXPECT_EQ(rows[1].offset, 45);
  EXPECT_EQ(rows[1].local, 10);
  const std::vector<Extent> pieces = extents_of(place, {{{1, 3}, {1, 3}, {1, 3}}});
  ASSERT_EQ(pieces.size(), 4U);
  EXPECT_EQ(pieces[3].offset, 1 + 2 * 5 + 2 * 20);
  EXPECT_EQ(pieces[3].local, 6);
  EXPECT_EQ(pieces[3].bytes, 2);
}

}  // namespace
}  // namespace xredist::files
