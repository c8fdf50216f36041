// SPDX-License-Identifier: BSD-3-Clause
#include "settings/decimals.hpp"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <string>

namespace xredist::core {
namespace {

std::string printed(const char* format, int precision, double x) {
  char text[400];
  std::snprintf(text, sizeof text, format, precision, x);
  return text;
}

// The locale of C is "C" in this program, unless a library changes it.
TEST(Decimals, AreThoseOfPrintf) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  std::setlocale(LC_ALL, "C");
  std::mt19937_64 random(1);
  for (int k = 0; k < 10'000; ++k) {
    const double mantissa = std::uniform_real_distribution<>(-10, 10)(random);
    const double x = std::ldexp(mantissa, std::uniform_int_distribution<>(-60, 60)(random));
    const int precision = k % 10;
    EXPECT_EQ(with_decimals(x, precision), printed("%.*f", precision, x));
    EXPECT_EQ(with_digits(x, precision), printed("%.*g", precision, x));
  }
  for (const double x : {0.0, -0.0, 0.5, 1e300, std::numeric_limits<double>::max(),
                         std::numeric_limits<double>::infinity(), std::numeric_limits<double>::denorm_min()}) {
    EXPECT_EQ(with_decimals(x, 6), printed("%.*f", 6, x));
    EXPECT_EQ(with_digits(x, 3), printed("%.*g", 3, x));
  }
  std::setlocale(LC_ALL, before.c_str());
}

// Another locale, if one is set, has no influence.
TEST(Decimals, HaveAPoint) {
  EXPECT_EQ(with_decimals(1234567.25, 1), "1234567.2");
  EXPECT_EQ(with_digits(1234567.25, 9), "1234567.25");
  EXPECT_EQ(number_of("1234567.25"), 1234567.25);
  EXPECT_EQ(number_of("1e-7"), 1e-7);
  for (const char* other : {"", " 1", "1 ", "1,5", "1.234.567", "0x1p3", "1e", "a"})
    EXPECT_EQ(number_of(other), std::nullopt) << other;
}

}  // namespace
}  // namespace xredist::core
