// SPDX-License-Identifier: BSD-3-Clause
#include "file/panels.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace xredist::files {
namespace {

constexpr Index MB = 1 << 20;

// Every element is in one slab of one panel, no slab is larger than its limit, and panels are in the order of the file.
TEST(Panels, HaveEachElementOnce) {
  std::mt19937 random(3);
  const auto up_to = [&](Index n) { return std::uniform_int_distribution<Index>(1, n)(random); };
  for (int k = 0; k < 500; ++k) {
    const Index bytes = Index{1} << (up_to(5) - 1), rows = up_to(k % 2 == 0 ? 3'000'000 : 3'000), cols = up_to(40);
    const FilePlace place{128, rows + up_to(3) - 1, 0, 0, bytes};
    const PanelLimits limits{up_to(9), MB / 2 * up_to(20), up_to(5'000) - 1, up_to(30) - 1,
                             k % 3 == 0 ? 256 << 10 : 4096};
    const Panels panels(place, rows, cols, limits);
    ASSERT_GE(panels.writers(), 1);
    ASSERT_LE(panels.writers(), limits.processes);
    EXPECT_LE(panels.slab_elements() * bytes, limits.slab_bytes);
    Index row = 0, col = 0;
    for (Index p = 0; p < panels.count(); ++p) {
      const Panel panel = panels[p];
      ASSERT_EQ(panel.rows.begin, row);
      ASSERT_EQ(panel.cols.begin, col);
      EXPECT_EQ(panel.bounds.front(), 0);
      EXPECT_EQ(panel.bounds[as_size(panels.writers())], panel.bounds.back());
      EXPECT_EQ(panel.bounds.back(), panel.cuts_rows ? panel.rows.length() : panel.cols.length());
      for (Index slab = 0; slab < panels.writers(); ++slab) {
        const Index elements = panel.slab_rows(slab).length() * panel.slab_cols(slab).length();
        ASSERT_GE(elements, 0);
        ASSERT_LE(elements, panels.slab_elements());
      }
      if (!panel.cuts_rows) {
        ASSERT_EQ(panel.rows.end, rows);
      }
      row = panel.rows.end == rows ? 0 : panel.rows.end;
      if (row == 0) col = panel.cols.end;
    }
    EXPECT_EQ(row, 0);
    EXPECT_EQ(col, cols);
  }
}

TEST(Panels, AreWholePeriods) {
  const Index rows = 10'000, cols = 5'000;  // columns of 80 KB
  const Panels panels({128, rows, 0, 0, 8}, rows, cols, {4, 8 * MB, 640, 256, 4096});
  EXPECT_EQ(panels.writers(), 4);
  EXPECT_EQ(panels[0].cols.length(), 256);  // of at most 4 * 104
  const Panel second = panels[1];
  for (Index k = 0; k <= max_writers; ++k) EXPECT_EQ(second.bounds[as_size(k)], std::min<Index>(64 * k, 256));
}

TEST(Panels, OfSmallFilesHaveFewWriters) {
  EXPECT_EQ(Panels({128, 1000, 0, 0, 8}, 1000, 1000, {64, 8 * MB, 0, 0, 4096}).writers(), 1);
  EXPECT_EQ(Panels({128, 1000, 0, 0, 8}, 1000, 2200, {64, 8 * MB, 0, 0, 4096}).writers(), 4);
  EXPECT_EQ(Panels({128, 1000, 0, 0, 8}, 1000, 1'000'000, {1000, 8 * MB, 0, 0, 4096}).writers(), max_writers);
  EXPECT_EQ(Panels({128, 1000, 0, 0, 8}, 1000, 0, {64, 8 * MB, 0, 0, 4096}).count(), 0);
}

// A slab has 4 MB or more, even if other writers get nothing of a short panel.
TEST(Panels, HaveLongSlabs) {
  const Panels panels({128, 1'200'000, 0, 0, 8}, 1'200'000, 100, {16, 8 * MB, 0, 0, 4096});  // columns of 9.6 MB
  const Panel panel = panels[0];
  EXPECT_TRUE(panel.cuts_rows);
  EXPECT_EQ(panel.slab_rows(0), (Interval{0, MB / 2}));
  EXPECT_EQ(panel.slab_rows(2), (Interval{MB, 1'200'000}));
  EXPECT_EQ(panel.slab_rows(3).length(), 0);
}

// Slabs begin at multiples of a stripe if rows are cut, otherwise at the column that ends there or just before.
TEST(Panels, BeginAtStripes) {
  const FilePlace tall{128, 3'000'000, 0, 0, 8}, wide{128, 1000, 0, 0, 8};
  const PanelLimits limits{4, 8 * MB, 0, 0, MB};
  const Panel of_rows = Panels(tall, 3'000'000, 2, limits)[0];
  for (Index slab = 1; slab < 4; ++slab) EXPECT_EQ(tall.byte_of(of_rows.slab_rows(slab).begin, 0) % MB, 0);
  const Panel of_cols = Panels(wide, 1000, 4000, limits)[0];
  for (Index slab = 1; slab < 4; ++slab)
    EXPECT_GE(wide.byte_of(0, of_cols.slab_cols(slab).begin) % MB, MB - 8000) << slab;
}

TEST(Extents, AreContiguous) {
  const FilePlace whole{128, 10, 0, 0, 8}, part{128, 10, 3, 2, 8};
  const std::vector<Extent> one = extents_of(whole, {0, 10}, {2, 5});
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].offset, 128 + 160);
  EXPECT_EQ(one[0].bytes, 240);
  const std::vector<Extent> columns = extents_of(part, {0, 4}, {1, 3});
  ASSERT_EQ(columns.size(), 2U);
  EXPECT_EQ(columns[0].offset, 128 + 8 * (3 * 10 + 3));
  EXPECT_EQ(columns[1].offset, columns[0].offset + 80);
  EXPECT_EQ(columns[1].local, 32);
  EXPECT_EQ(columns[1].bytes, 32);
  EXPECT_TRUE(extents_of(part, {0, 0}, {0, 3}).empty());
  EXPECT_TRUE(extents_of(part, {0, 3}, {2, 2}).empty());
}

}  // namespace
}  // namespace xredist::files
