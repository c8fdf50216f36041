// SPDX-License-Identifier: BSD-3-Clause
// Local arrays and scalars of Fortran programs, which the compiler passes as C descriptors. Descriptors differ between
// compilers: ISO_Fortran_binding.h belongs to the compiler that the library was built with, and CFI_VERSION identifies
// it. Those of gfortran before version 12 are known, too.
#pragma once

#include <ISO_Fortran_binding.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>

#include "copy/operation.hpp"
#include "layout/index.hpp"
#include "layout/sentence.hpp"

namespace xredist::core {

/// `foreign`: described by a Fortran compiler that the library was not built with.
enum class Storage : std::int32_t { contiguous, columns, strided, foreign };

/// A local array. Module xredist declares the same struct as local_array.
struct FortranArray {
  void* address;
  Index element_bytes;
  Index elements;    ///< contiguous: number of elements, or `unknown_size`
  Index rows, cols;  ///< columns: shape of the section
  Index ld;          ///< columns: distance of two columns, in elements
  Storage storage;
  std::int32_t type;            ///< CFI_type_...
  std::int64_t rank;            ///< number of dimensions, of which the next members have as many entries
  Index extents[CFI_MAX_RANK];  ///< of an assumed-size array, the last one is negative
  Index steps[CFI_MAX_RANK];    ///< distance of elements along each dimension, in bytes
};
static_assert(std::is_trivially_copyable_v<FortranArray> && sizeof(FortranArray) == 304);

/// The size of an assumed-size array, and of an array element that stands for an array.
inline constexpr Index unknown_size = -1;

/// A factor of a job: an integer, real or complex number. Module xredist declares the same struct as scalar.
struct FortranScalar {
  std::int32_t type;     ///< CFI_type_...
  std::int32_t present;  ///< 0 or 1
  unsigned char value[16];
};

/// The part of a local array that a plan accesses on this process: rows x cols elements from the first element on.
struct AccessedPart {
  Index bytes, rows = 0, cols = 0;
  Index ld;   ///< LLD_ of the array descriptor
  Type type;  ///< required type of the elements; `bits`: any type, because elements are copied bit by bit
};

/// Returns whether the library knows the form of the descriptor. All functions below accept any descriptor.
bool is_readable(const CFI_cdesc_t& desc);
/// Returns the number of elements of an array of rank 1. gfortran before version 12 passes -1 for an empty array.
inline CFI_index_t size_of_vector(const CFI_cdesc_t& array) { return std::max<CFI_index_t>(array.dim[0].extent, 0); }
/// Returns the array; with the address nullptr, an argument that is absent or an array that is not allocated.
FortranArray array_of(const CFI_cdesc_t* passed);
/// Returns the scalar. nullptr: an argument that is absent.
FortranScalar scalar_of(const CFI_cdesc_t* passed);

/// Returns the type of an array's elements; Type::bits if no operation has the type.
Type element_type(const FortranArray& array);

/// Returns NumPy's description of an array's elements, "<i2"; an empty text for types that NumPy does not have.
/// Logicals of more than one byte are integers there.
std::string descr_of(const FortranArray& array);

/// Returns whether the elements of an array that a plan accesses are those of the plan. `bytes`, `type`: as in
/// AccessedPart.
bool has_elements(const FortranArray& array, Index bytes, Type type);
/// Returns why they are not.
Text mismatch_of_elements(const FortranArray& array, Index bytes, Type type);
/// Returns why the array does not fit the plan, or an empty text. Allocates only for an error.
Text mismatch(const FortranArray& array, const AccessedPart& needed);
/// Returns why a factor is not a number of B's type, or an empty text.
Text mismatch(const FortranScalar& scalar, Type needed);

}  // namespace xredist::core
