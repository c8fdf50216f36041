// SPDX-License-Identifier: BSD-3-Clause
// C descriptors as compilers pass them: those of this gfortran, of gfortran before version 12, and of others.
#include "fortran/arrays.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <tuple>

namespace xredist::core {
namespace {

// gfortran 11 passes a complex number with its size as the kind: 4 + 256 * size.
constexpr int older_version = 0, complex_before_12 = 0x0804, double_complex_before_12 = 0x1004;

struct Described {
  CFI_CDESC_T(2) room{};
  const CFI_cdesc_t* get() const { return reinterpret_cast<const CFI_cdesc_t*>(&room); }
};

// Describes a contiguous array of `rank` dimensions of extent 3, at most two.
Described described(void* data, std::size_t bytes, int version, int type, CFI_rank_t rank) {
  Described result;
  auto& desc = reinterpret_cast<CFI_cdesc_t&>(result.room);
  desc.base_addr = data;
  desc.elem_len = bytes;
  desc.version = version;
  desc.rank = rank;
  desc.attribute = CFI_attribute_other;
  desc.type = static_cast<CFI_type_t>(type);
  auto distance = static_cast<CFI_index_t>(bytes);
  for (CFI_rank_t k = 0; k < rank; ++k, distance *= 3) desc.dim[k] = {0, 3, distance};
  return result;
}

TEST(Arrays, OfGfortran11HaveTheirTypes) {
  double data[18] = {};
  const std::tuple<int, std::size_t, Type> types[] = {
      {CFI_type_int32_t, 4, Type::integer},  {CFI_type_int64_t, 8, Type::integer64},
      {CFI_type_float, 4, Type::real},       {CFI_type_double, 8, Type::real64},
      {complex_before_12, 8, Type::complex}, {double_complex_before_12, 16, Type::complex64}};
  for (const auto& [cfi, bytes, type] : types) {
    const FortranArray array = array_of(described(data, bytes, older_version, cfi, 2).get());
    EXPECT_EQ(array.storage, Storage::contiguous);
    EXPECT_EQ(array.elements, 9);
    EXPECT_EQ(element_type(array), type);
    EXPECT_EQ(mismatch(array, {.bytes = static_cast<Index>(bytes), .rows = 3, .cols = 3, .ld = 3, .type = type}), "");
  }
}

TEST(Arrays, OfThisCompilerHaveTheirTypes) {
  std::complex<float> data[9] = {};
  const FortranArray array = array_of(described(data, 8, CFI_VERSION, CFI_type_float_Complex, 2).get());
  EXPECT_EQ(element_type(array), Type::complex);
}

TEST(Arrays, OfOtherCompilersAreRefused) {
  double data[9] = {};
  const FortranArray array = array_of(described(data, 8, 20180515, CFI_type_double, 2).get());
  EXPECT_EQ(array.storage, Storage::foreign);
  EXPECT_NE(mismatch(array, {.bytes = 8, .rows = 3, .cols = 3, .ld = 3, .type = Type::real64}), "");
}

TEST(Vectors, OfGfortran11MayBeEmpty) {
  int data[3] = {};
  Described vector = described(data, 4, older_version, CFI_type_int32_t, 1);
  EXPECT_EQ(size_of_vector(*vector.get()), 3);
  vector.room.dim[0].extent = -1;
  EXPECT_EQ(size_of_vector(*vector.get()), 0);
}

TEST(Scalars, OfGfortran11HaveTheirTypes) {
  std::complex<double> number{1, 2};
  const FortranScalar scalar = scalar_of(described(&number, 16, older_version, double_complex_before_12, 0).get());
  EXPECT_EQ(mismatch(scalar, Type::complex64), "");
  EXPECT_NE(mismatch(scalar, Type::complex), "");
}

}  // namespace
}  // namespace xredist::core
