// SPDX-License-Identifier: BSD-3-Clause
// The notation of cases, and properties of cases.
#include <gtest/gtest.h>

#include "schedules/command_line.hpp"

namespace cases {
namespace {

Case case_of(const std::string& text) {
  Case c;
  EXPECT_TRUE(lexical_cast(text, c)) << text;
  return c;
}

TEST(Notation, GridsAndBlocks) {
  const Case c = case_of("2x4/64x32:16/3");
  EXPECT_EQ(c.a, (Matrix{.nprow = 2, .npcol = 4, .mb = 64, .nb = 32}));
  EXPECT_EQ(c.b, (Matrix{.nprow = 16, .mb = 3}));
  EXPECT_EQ(case_of("16x1/3x1:1/5x2").a, c.b);
}

TEST(Notation, Invalid) {
  for (const char* const text : {"", "5", "2/3", "2/3:", "2/3:2/x", "2/3:2/5x", "0/3:2/5", "2/3:2/-5", "2/3:2/ 5",
                                 "2/3:2/5 ", "2/3:2/5,", "2x2x2/3:2/5", "99999999999/3:2/5", "2/3;2/5"}) {
    Case c;
    EXPECT_FALSE(lexical_cast(std::string(text), c)) << text;
  }
}

TEST(Notation, Pairs) {
  const auto reads = [](const char* text, Index min) {
    CLI::App app;
    Index first = 0;
    int second = 0;
    joined(app, "--pair", 'x', min, max_int, "", first, second);
    const char* const arguments[] = {"program", "--pair", text};
    try {
      app.parse(3, arguments);
    } catch (const CLI::ParseError&) {
      return false;
    }
    EXPECT_EQ(first, min == 0 ? 0 : 4);
    EXPECT_EQ(second, 8);
    return true;
  };
  EXPECT_TRUE(reads("4x8", 1));
  EXPECT_TRUE(reads("0x8", 0));
  for (const char* const text : {"4", "4x", "x8", "4,8", "4x8x2", "0x8", "4x2147483648"})
    EXPECT_FALSE(reads(text, 1)) << text;
}

TEST(Case, WholePeriods) {
  const Case c = of_about(case_of("2x2/3x5:2x2/5x3"), 1 << 17);
  EXPECT_EQ(c.m, 360);
  EXPECT_EQ(c.n, 360);
  EXPECT_EQ(c.a.M, 360);
  EXPECT_EQ(of_about(case_of("2/3:2/5"), 1).m, 30);
  EXPECT_EQ(square_of(case_of("2/3:2/5"), 10'000).b.N, 100);
}

// CYCLIC(1) to CYCLIC(2) on two processes, one period: of 0 1 2 3 each process sends one element and keeps one.
TEST(Case, PortElements) {
  Case c = case_of("2/1:2/2");
  c.m = 4;
  c.n = 1;
  EXPECT_EQ(port_elements(c, {0, 1}), 1);
  EXPECT_EQ(messages_of(c), 2);
  c.b.first = 2;  // other processes: both elements of each travel
  EXPECT_EQ(port_elements(c, {0, 1, 2, 3}), 2);
  EXPECT_EQ(messages_of(c), 4);
  c.b.first = 0;
  c.b.ranks = {1, 0};
  EXPECT_EQ(port_elements(c, {0, 1}), 1);
}

// Each of four processes has one element, and process 0 receives all: elements of other nodes pass the port of its
// node.
TEST(Case, PortElementsOfNodes) {
  for (const std::string notation : {"4/1:1/1", "1/1:4/1"}) {
    Case c = case_of(notation);
    c.m = 4;
    c.n = 1;
    EXPECT_EQ(port_elements(c, {0, 1, 2, 3}), 3);
    EXPECT_EQ(port_elements(c, {0, 0, 2, 2}), 2);
    EXPECT_EQ(port_elements(c, {0, 1, 0, 0}), 1);
    EXPECT_EQ(port_elements(c, {0, 1, 1, 0}), 2);
    EXPECT_EQ(port_elements(c, {0, 0, 0, 0}), 3);  // as if each process were a node
  }
}

TEST(Case, Coordinates) {
  Matrix x{.nprow = 2, .npcol = 3, .first = 1};
  EXPECT_EQ(coord_of(x, 6), (xredist::core::Coord{1, 2}));
  EXPECT_FALSE(coord_of(x, 0));
  x.ranks = {5, 4, 3, 2, 1, 0};
  EXPECT_EQ(coord_of(x, 0), (xredist::core::Coord{1, 2}));
}

}  // namespace
}  // namespace cases
