// SPDX-License-Identifier: BSD-3-Clause
// The check of B finds every wrong element of each element type.
#include <gtest/gtest.h>

#include <cstring>

#include "drivers/matrices.hpp"

namespace cases {
namespace {

// A 4 x 3 submatrix from A(2,1) on to B(3,2) on; this process holds rows 1, 2, 4, 5, 7 and columns 2, 3, 5 of B.
const Case rectangle{.m = 4, .n = 3, .a = {9, 9, 0, 0, 2, 1, 1, 1, 9, 9}, .b = {8, 7, 0, 0, 3, 2, 1, 1, 8, 7}};

Case upper() {
  Case c = rectangle;
  c.trapezoid = true;
  return c;
}

Local part(std::vector<Index> rows, std::vector<Index> cols, int bytes) {
  Local x{};
  x.ld = static_cast<Index>(rows.size());
  x.rows = std::move(rows);
  x.cols = std::move(cols);
  x.data = std::make_unique<std::byte[]>(static_cast<std::size_t>(x.elements() * bytes));
  return x;
}

struct Matrices {
  const Element& e;
  Local a, b;

  explicit Matrices(char letter)
      : e(element_of(letter)),
        a(part({-1, 0, 1, 2, 3, 4}, {0, 1, 2, 3}, e.bytes)),
        b(part({-2, -1, 1, 2, 4}, {0, 1, 3}, e.bytes)) {
    e.fill_a(rectangle.a, a);
    e.blank_b(b);
  }
  std::byte* of_b(std::size_t i, std::size_t j) { return b.at(j, e.bytes) + i * static_cast<std::size_t>(e.bytes); }
  void move(std::size_t i, std::size_t j) {  // local in B; A's rows begin one before the submatrix
    const auto row = static_cast<std::size_t>(b.rows[i] + 1), col = static_cast<std::size_t>(b.cols[j]);
    std::memcpy(of_b(i, j), a.at(col, e.bytes) + row * static_cast<std::size_t>(e.bytes),
                static_cast<std::size_t>(e.bytes));
  }
};

class Check : public ::testing::TestWithParam<char> {};

TEST_P(Check, EveryElementIsCompared) {
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (int byte = 0; byte < element_of(GetParam()).bytes; ++byte) {
        Matrices x(GetParam());
        for (const std::size_t k : {2u, 3u})
          for (const std::size_t l : {0u, 1u}) x.move(k, l);
        x.of_b(i, j)[byte] ^= std::byte{0x15};
        EXPECT_EQ(x.e.check(rectangle, x.b).count, 1) << i << ' ' << j << ' ' << byte;
      }
}

TEST_P(Check, AnotherElementOfA) {
  Matrices x(GetParam());
  for (const std::size_t i : {2u, 3u})
    for (const std::size_t j : {0u, 1u}) x.move(i, j);
  std::memcpy(x.of_b(2, 0), x.of_b(3, 1), static_cast<std::size_t>(x.e.bytes));
  EXPECT_EQ(x.e.check(rectangle, x.b).count, 1);
}

// The upper trapezoid of 4 x 3 has the elements with i - j <= 1: of (1,0), (2,0), (1,1) and (2,1) all but (2,0).
TEST_P(Check, Trapezoid) {
  Matrices x(GetParam());
  x.move(2, 0);
  for (const std::size_t i : {2u, 3u}) x.move(i, 1);
  EXPECT_EQ(x.e.check(upper(), x.b).count, 0);
  x.move(3, 0);
  EXPECT_EQ(x.e.check(upper(), x.b).count, 1);
}

INSTANTIATE_TEST_SUITE_P(Types, Check, ::testing::Values('i', 's', 'd', 'c', 'z'));

}  // namespace
}  // namespace cases
