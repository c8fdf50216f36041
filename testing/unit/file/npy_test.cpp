// SPDX-License-Identifier: BSD-3-Clause
#include "file/npy.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <utility>

#include "file/error.hpp"

namespace xredist::core {
namespace {

// Returns a file's beginning with this dictionary.
std::string with(std::string dictionary, char version = 1) {
  std::string header = "\x93NUMPY";
  header += {version, '\0', static_cast<char>(dictionary.size() % 256), static_cast<char>(dictionary.size() / 256)};
  if (version > 1) header += {'\0', '\0'};
  return header + dictionary;
}

std::string error_of(const std::string& header) {
  try {
    parse_npy_header(header);
  } catch (const FileError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Npy, IsReadAsWritten) {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{0, 0}, {1, 7}, {Index{1} << 40, 1}, {123'456, 789}})
    for (const bool fortran_order : {false, true}) {
      const std::string header = npy_header("<f8", fortran_order, rows, cols);
      EXPECT_EQ(header.size() % 64, 0U);
      EXPECT_EQ(header.back(), '\n');
      const NpyHeader read = parse_npy_header(header + "elements");
      EXPECT_EQ(read.descr, "<f8");
      EXPECT_EQ(read.fortran_order, fortran_order);
      EXPECT_EQ(read.rows, rows);
      EXPECT_EQ(read.cols, cols);
      EXPECT_EQ(read.bytes, std::ssize(header));
    }
}

// The header of NumPy 1.24, byte by byte.
TEST(Npy, IsThatOfNumpy) {
  std::string expected = "{'descr': '<f8', 'fortran_order': True, 'shape': (12345, 7), }";
  expected.resize(117, ' ');
  EXPECT_EQ(npy_header("<f8", true, 12'345, 7), with(expected + "\n"));
}

TEST(Npy, OfOtherWriters) {
  const NpyHeader spaced = parse_npy_header(with("  {\"shape\":( 3L ,4 ), 'fortran_order' : False,'descr':'|b1'}\n"));
  EXPECT_EQ(spaced.descr, "|b1");
  EXPECT_EQ(spaced.rows, 3);
  EXPECT_EQ(spaced.cols, 4);
  const NpyHeader vector = parse_npy_header(with("{'descr': '<i8', 'fortran_order': True, 'shape': (5,), }", 2));
  EXPECT_EQ(vector.rows, 5);
  EXPECT_EQ(vector.cols, 1);
  EXPECT_EQ(vector.bytes, 12 + 56);
  const NpyHeader scalar = parse_npy_header(with("{'descr': '<i8', 'fortran_order': False, 'shape': (), }", 3));
  EXPECT_EQ(scalar.rows, 1);
  EXPECT_EQ(scalar.cols, 1);
}

TEST(Npy, ThatIsWrongIsRefused) {
  const std::string good = "{'descr': '<f8', 'fortran_order': True, 'shape': (3, 4), }";
  EXPECT_EQ(error_of(with(good)), "no error");
  EXPECT_EQ(error_of(""), "is not a file of NumPy");
  EXPECT_EQ(error_of("PK\3\4 a zip file of several arrays"), "is not a file of NumPy");
  for (const std::string& wrong :
       {with(good, 4), with(good, 0), std::string("\x93NUMPY\x01"), with(good).substr(0, 40), with(""), with("{"),
        with("{'descr': '<f8', 'fortran_order': True}"), with("{'descr': [('x', '<f8')], 'shape': (3, 4)}"),
        with("{'descr': '<f8', 'fortran_order': 1, 'shape': (3, 4)}"), with("{'descr': '<f8"),
        with("{'descr': '<f8', 'fortran_order': True, 'shape': (-3, 4)}"),
        with("{'descr': '<f8', 'fortran_order': True, 'shape': (3 4)}"),
        with("{'descr': '<f8', 'fortran_order': True, 'shape': (99999999999999999999, 4)}"),
        with("{'descr': '<f8', 'fortran_order': True, 'shape': (1099511627776, 1099511627776)}"), with("{'other': 3}")})
    EXPECT_NE(error_of(wrong).find("its header is not one of NumPy: "), std::string::npos) << wrong;
  EXPECT_EQ(error_of(with("{'descr': '<f8', 'fortran_order': True, 'shape': (3, 4, 5)}")),
            "has an array with 3 dimensions, must have at most 2");
}

TEST(FileElement, OfEachDescription) {
  for (const auto& [descr, type, bytes] : {std::tuple<const char*, Type, Index>{"<i4", Type::integer, 4},
                                           {"<i8", Type::integer64, 8},
                                           {"<f4", Type::real, 4},
                                           {"<f8", Type::real64, 8},
                                           {"=f8", Type::real64, 8},
                                           {"<c8", Type::complex, 8},
                                           {"<c16", Type::complex64, 16},
                                           {">f8", Type::bits, 8},
                                           {"<u2", Type::bits, 2},
                                           {"|b1", Type::bits, 1},
                                           {"<U3", Type::bits, 12},
                                           {"<M8[ns]", Type::bits, 8},
                                           {"|V24", Type::bits, 24}}) {
    const auto element = element_of(descr);
    ASSERT_TRUE(element.has_value()) << descr;
    EXPECT_EQ(element->type, type) << descr;
    EXPECT_EQ(element->bytes, bytes) << descr;
  }
  for (const char* wrong : {"", "<", "|O", "<f", "<f8x", "<f8[ns]", "<M8['", "<f0", "<f99999999999999999999"})
    EXPECT_FALSE(element_of(wrong).has_value()) << wrong;
  EXPECT_EQ(descr_of(Type::complex64, 0), "<c16");
  EXPECT_EQ(descr_of(Type::bits, 24), "|V24");
}

}  // namespace
}  // namespace xredist::core
