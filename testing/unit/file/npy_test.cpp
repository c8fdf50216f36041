// SPDX-License-Identifier: BSD-3-Clause
#include "file/npy.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "file/error.hpp"

namespace xredist::files {
namespace {

using Shape = std::vector<Index>;

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
  for (const Shape& shape :
       {Shape{}, {5}, {0, 0}, {1, 7}, {Index{1} << 40, 1}, {123'456, 789}, {3, 4, 5}, Shape(15, 7)})
    for (const bool fortran_order : {false, true}) {
      const std::string header = npy_header("<f8", fortran_order, shape);
      EXPECT_EQ(header.size() % 64, 0U);
      EXPECT_EQ(header.back(), '\n');
      const NpyHeader read = parse_npy_header(header + "elements");
      EXPECT_EQ(read.descr, "<f8");
      EXPECT_EQ(read.fortran_order, fortran_order);
      EXPECT_EQ(read.shape, shape);
      EXPECT_EQ(read.bytes, std::ssize(header));
    }
}

// The header of NumPy 1.24, byte by byte.
TEST(Npy, IsThatOfNumpy) {
  std::string expected = "{'descr': '<f8', 'fortran_order': True, 'shape': (12345, 7), }";
  expected.resize(117, ' ');
  EXPECT_EQ(npy_header("<f8", true, Shape{12'345, 7}), with(expected + "\n"));
  for (const auto& [shape, text] : {std::pair<Shape, std::string>{{}, "()"}, {{3}, "(3,)"}, {{3, 4, 5}, "(3, 4, 5)"}}) {
    expected = "{'descr': '<f8', 'fortran_order': False, 'shape': " + text + ", }";
    expected.resize(117, ' ');
    EXPECT_EQ(npy_header("<f8", false, shape), with(expected + "\n"));
  }
}

TEST(Npy, OfOtherWriters) {
  const NpyHeader spaced = parse_npy_header(with("  {\"shape\":( 3L ,4 ), 'fortran_order' : False,'descr':'|b1'}\n"));
  EXPECT_EQ(spaced.descr, "|b1");
  EXPECT_EQ(spaced.shape, (Shape{3, 4}));
  const NpyHeader vector = parse_npy_header(with("{'descr': '<i8', 'fortran_order': True, 'shape': (5,), }", 2));
  EXPECT_EQ(vector.shape, Shape{5});
  EXPECT_EQ(vector.bytes, 12 + 56);
  const NpyHeader scalar = parse_npy_header(with("{'descr': '<i8', 'fortran_order': False, 'shape': (), }", 3));
  EXPECT_EQ(scalar.shape, Shape{});
}

TEST(Npy, ThatIsWrongIsRefused) {
  const std::string good = "{'descr': '<f8', 'fortran_order': True, 'shape': (3, 4), }";
  EXPECT_EQ(error_of(with(good)), "no error");
  EXPECT_EQ(error_of(""), "is not a file of NumPy");
  EXPECT_EQ(error_of("PK\3\4 a zip file of several arrays"), "is not a file of NumPy");
  for (const std::string& wrong :
       {with(good, 4), with(good, 0), std::string("\x93NUMPY\x01"), with(good).substr(0, 40), with(""), with("{"),
        with("{'descr': '<f8', 'fortran_order': True}"), with("{'descr': ('x', '<f8'), 'shape': (3, 4)}"),
        with("{'descr': '<f8', 'fortran_order': 1, 'shape': (3, 4)}"), with("{'descr': '<f8"),
        with("{'descr': '<f8', 'fortran_order': True, 'shape': (-3, 4)}"),
        with("{'descr': '<f8', 'fortran_order': True, 'shape': (3 4)}"),
        with("{'descr': '<f8', 'fortran_order': True, 'shape': (99999999999999999999, 4)}"),
        with("{'descr': '<f8', 'fortran_order': True, 'shape': (1099511627776, 1099511627776)}"), with("{'other': 3}")})
    EXPECT_NE(error_of(wrong).find("its header is not one of NumPy: "), std::string::npos) << wrong;
  const std::string ones = "1, 1, 1, 1, 1, ";
  EXPECT_EQ(error_of(with("{'descr': '<f8', 'fortran_order': True, 'shape': (" + ones + ones + ones + "1)}")),
            "has an array with 16 dimensions, must have at most 15");
}

TEST(Npy, OfStructuresIsRefusedForThese) {
  for (const char* const descr : {"[('x', '<f8'), ('y', '<i4')]", "[('x', '<f8', (3,))]", " [('a', [('b', '|u1')])]"})
    EXPECT_EQ(error_of(with("{'descr': " + std::string(descr) + ", 'fortran_order': False, 'shape': (3, 4), }")),
              "its elements are structures, which cannot be read");
}

// NumPy refuses these headers.
TEST(Npy, ThatIsNoLiteralOfADictionaryIsRefused) {
  const std::string begin = "{'descr': '<f8', 'fortran_order': True, 'shape': ", good = begin + "(3, 4)}";
  const auto sentence = [](const std::string& reason) { return "its header is not one of NumPy: " + reason; };
  for (const auto& [wrong, reason] :
       {std::pair<std::string, std::string>{good + " x", "'x' follows the dictionary"},
        {good + ",", "',' follows the dictionary"},
        {good + "\n}", "'}' follows the dictionary"},
        {good + '\0', "it has a control character, or one beyond ASCII"},
        {good + "\xa0", "it has a control character, or one beyond ASCII"},
        {"\n " + good, "'{' is missing"},
        {"x" + good, "'{' is missing"},
        {good.substr(0, good.size() - 1) + ",,}", "a string is missing"},
        {begin + "(12)}", "shape is not a tuple of sizes up to 2^40"},
        {begin + "12}", "shape is not a tuple of sizes up to 2^40"},
        {begin + "[3, 4]}", "shape is not a tuple of sizes up to 2^40"},
        {begin + "(03, 4)}", "shape is not a tuple of sizes up to 2^40"},
        {begin + "(-0, 4)}", "shape is not a tuple of sizes up to 2^40"},
        {begin + "(3, 4,,)}", "shape is not a tuple of sizes up to 2^40"},
        {begin + "(3LL, 4)}", "shape is not a tuple of sizes up to 2^40"},
        {begin + "(3\nL, 4)}", "shape is not a tuple of sizes up to 2^40"},
        {"{'descr': '<f8\n', 'shape': (3, 4)}", "a string has no end"},
        {"{'descr': '<f\\x38', 'shape': (3, 4)}", "a string has an escape, which cannot be read"},
        {good + std::string(9'990, ' '),
         "it has more than 10,000 bytes, which NumPy does "
         "not read"}})
    EXPECT_EQ(error_of(with(wrong)), sentence(reason)) << wrong;
  std::string minor = with(good);
  minor[7] = 1;
  EXPECT_EQ(error_of(minor), sentence("its version is 1.1, must be 1.0, 2.0 or 3.0"));
  EXPECT_EQ(error_of(with(begin + "(3L, 4)}", 3)), sentence("shape is not a tuple of sizes up to 2^40"));
  EXPECT_EQ(error_of(with(good + "\n  ", 3)), sentence("its last line has no end"));
}

TEST(Npy, MayHaveCommentsAndLines) {
  const std::string good = "{'descr': '<f8',\n#'\n\f'fortran_order': True, 'shape': (3#)\n, 4)\n  }";
  for (const std::string& text : {good, "\n" + good, " \t" + good, good + "#x", good + "  \n \n # x\n"})
    for (const char version : {'\1', '\2', '\3'}) EXPECT_EQ(error_of(with(text, version)), "no error") << text;
  EXPECT_EQ(error_of(with(good + "\n  ", 2)), "no error");
}

TEST(FileElement, OfEachDescription) {
  for (const auto& [descr, letter, bytes] : {std::tuple<const char*, char, Index>{"<i4", 'I', 4},
                                             {"<i8", '\0', 8},
                                             {"<f4", 'S', 4},
                                             {"<f8", 'D', 8},
                                             {"=f8", 'D', 8},
                                             {"<c8", 'C', 8},
                                             {"<c16", 'Z', 16},
                                             {">f8", '\0', 8},
                                             {"<u2", '\0', 2},
                                             {"|b1", '\0', 1},
                                             {"<U3", '\0', 12},
                                             {"<M8[ns]", '\0', 8},
                                             {"m8[2147483647as]", '\0', 8},
                                             {"|f8", 'D', 8},
                                             {"f8", 'D', 8},
                                             {"?", '\0', 1},
                                             {">i1", '\0', 1},
                                             {"|V24", '\0', 24}}) {
    const auto element = element_of(descr);
    ASSERT_TRUE(element.has_value()) << descr;
    EXPECT_EQ(element->letter, letter) << descr;
    EXPECT_EQ(element->bytes, bytes) << descr;
  }
  for (const char* wrong : {"",
                            "<",
                            "|O",
                            "<f",
                            "<f8x",
                            "<f8[ns]",
                            "<M8['",
                            "<f0",
                            "<f99999999999999999999",
                            "<f08",
                            "<f3",
                            "<i16",
                            "<b2",
                            "<c4",
                            "?1",
                            "<|f8",
                            "f8,f8",
                            "2f8",
                            "M4",
                            "M8[]",
                            "M8[0s]",
                            "M8[2147483648s]",
                            "M8[B]",
                            "M8[s]x",
                            "S0"})
    EXPECT_FALSE(element_of(wrong).has_value()) << wrong;
  for (const auto& [one, other] :
       {std::pair{"=f8", "<f8"}, {"|f8", "<f8"}, {"?", "|b1"}, {">i1", "|i1"}, {"<S3", "|S3"}, {"M8", "<M8"}})
    EXPECT_TRUE(describe_same_elements(one, other)) << one;
  for (const auto& [one, other] :
       {std::pair{">f8", "<f8"}, {"<i8", "<f8"}, {"|b1", "|i1"}, {">U1", "<U1"}, {"<M8[s]", "<M8[ms]"}, {"<f4", "<f8"}})
    EXPECT_FALSE(describe_same_elements(one, other)) << one;
  for (const auto& [descr, full] :
       {std::pair{"i1", "|i1"}, {"f8", "<f8"}, {">U2", ">U2"}, {"S3", "|S3"}, {"?", "|b1"}, {"=m8[2s]", "<m8[2s]"}})
    EXPECT_EQ(full_descr(descr), full);
  EXPECT_EQ(descr_of('Z', 0), "<c16");
  EXPECT_EQ(descr_of('\0', 24), "|V24");
}

}  // namespace
}  // namespace xredist::files
