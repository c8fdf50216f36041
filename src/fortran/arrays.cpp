// SPDX-License-Identifier: BSD-3-Clause
#include "fortran/arrays.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "file/npy.hpp"

namespace xredist::core {
namespace {

bool is_contiguous(const CFI_cdesc_t& desc) {
  auto stride = static_cast<CFI_index_t>(desc.elem_len);
  for (int k = 0; k < desc.rank; ++k) {
    if (desc.dim[k].extent != 1 && desc.dim[k].sm != stride) return false;
    stride *= desc.dim[k].extent;
  }
  return true;
}

bool is_empty(const CFI_cdesc_t& desc) {
  return std::any_of(desc.dim, desc.dim + desc.rank, [](const CFI_dim_t& dim) { return dim.extent == 0; });
}

// Returns the number of elements of a contiguous array.
Index elements_of(const CFI_cdesc_t& desc) {
  if (desc.rank == 0) return unknown_size;
  Index elements = 1;
  for (int k = 0; k < desc.rank; ++k) {
    if (desc.dim[k].extent < 0) return unknown_size;
    elements *= desc.dim[k].extent;
  }
  return elements;
}

// Returns whether the array has two dimensions and contiguous columns, with gaps of whole elements between columns.
bool has_columns(const CFI_cdesc_t& desc) {
  if (desc.rank != 2 || desc.elem_len == 0) return false;
  const auto bytes = static_cast<CFI_index_t>(desc.elem_len);
  const CFI_dim_t &rows = desc.dim[0], &cols = desc.dim[1];
  return (rows.extent == 1 || rows.sm == bytes) && cols.sm >= rows.extent * bytes && cols.sm % bytes == 0;
}

struct FortranType {
  Type type;
  int cfi;
  const char* name;
};
constexpr FortranType fortran_types[] = {{Type::integer, CFI_type_int32_t, "INTEGER of 4 bytes"},
                                         {Type::integer64, CFI_type_int64_t, "INTEGER of 8 bytes"},
                                         {Type::real, CFI_type_float, "REAL"},
                                         {Type::real64, CFI_type_double, "DOUBLE PRECISION"},
                                         {Type::complex, CFI_type_float_Complex, "COMPLEX"},
                                         {Type::complex64, CFI_type_double_Complex, "DOUBLE COMPLEX"}};

// gfortran before version 12 passes descriptors of version 0, in which the kind of a complex number is its size.
constexpr int version_before_12 = 0;
struct ComplexType {
  int before_12, cfi;
};
constexpr ComplexType complex_types[] = {{0x0804, CFI_type_float_Complex}, {0x1004, CFI_type_double_Complex}};

int type_in(const CFI_cdesc_t& desc) {
  if (desc.version != version_before_12) return desc.type;
  const auto* found = std::ranges::find(complex_types, desc.type, &ComplexType::before_12);
  return found == std::end(complex_types) ? desc.type : found->cfi;
}

const char* name_of(Type type) {
  const auto* found = std::ranges::find(fortran_types, type, &FortranType::type);
  return found == std::end(fortran_types) ? "of unknown type" : found->name;
}

// Returns the name of the type `cfi` if it differs from `type`, or nullptr. Derived types are not checked.
const char* other_type(int cfi, Type type) {
  if (type == Type::bits || cfi == CFI_type_struct || cfi == CFI_type_other) return nullptr;
  const auto* found = std::ranges::find(fortran_types, cfi, &FortranType::cfi);
  if (found == std::end(fortran_types)) return "of another type";
  return found->type == type ? nullptr : found->name;
}

// Returns NumPy's letter for the type of an array's elements; '\0' if it has none. Reals of 16 bytes may be of two
// kinds, which gfortran does not tell apart in an array that is passed on.
char numpy_kind(const FortranArray& array) {
  constexpr std::pair<int, char> kinds[] = {
      {CFI_type_int8_t, 'i'},        {CFI_type_int16_t, 'i'},        {CFI_type_int32_t, 'i'},
      {CFI_type_int64_t, 'i'},       {CFI_type_float, 'f'},          {CFI_type_double, 'f'},
      {CFI_type_float_Complex, 'c'}, {CFI_type_double_Complex, 'c'}, {CFI_type_char, 'S'}};
#ifdef CFI_type_Logical  // of gfortran, whose CFI_type_Bool is no expression of C++
  if (array.type > 0 && (array.type & CFI_type_mask) == CFI_type_Logical) return array.element_bytes == 1 ? 'b' : 'i';
#else
  if (array.type == CFI_type_Bool) return 'b';
#endif
  const auto* const found = std::ranges::find(kinds, array.type, &std::pair<int, char>::first);
  return found == std::end(kinds) || array.type < 0 ? '\0' : found->second;
}

Text shape_of(Index rows, Index cols) { return Text() << rows << " x " << cols; }

}  // namespace

bool is_readable(const CFI_cdesc_t& desc) { return desc.version == CFI_VERSION || desc.version == version_before_12; }

FortranArray array_of(const CFI_cdesc_t* passed) {
  FortranArray array;  // no entries of dimensions that the array lacks
  array.address = nullptr;
  array.element_bytes = array.elements = array.rows = array.cols = array.ld = array.rank = 0;
  array.storage = Storage::contiguous;
  array.type = 0;
  if (passed == nullptr) return array;
  const CFI_cdesc_t& desc = *passed;
  array.address = desc.base_addr;
  array.element_bytes = static_cast<Index>(desc.elem_len);
  array.storage = Storage::foreign;
  if (!is_readable(desc)) return array;
  array.type = type_in(desc);
  for (; array.rank < desc.rank; ++array.rank) {
    array.extents[array.rank] = desc.dim[array.rank].extent;
    array.steps[array.rank] = desc.dim[array.rank].sm;
  }
  if (desc.base_addr == nullptr || is_empty(desc) || is_contiguous(desc)) {
    array.storage = Storage::contiguous;
    array.elements = desc.base_addr == nullptr || is_empty(desc) ? 0 : elements_of(desc);
  } else if (has_columns(desc)) {
    array.storage = Storage::columns;
    array.rows = desc.dim[0].extent, array.cols = desc.dim[1].extent;
    array.ld = desc.dim[1].sm / array.element_bytes;
  } else {
    array.storage = Storage::strided;
  }
  return array;
}

FortranScalar scalar_of(const CFI_cdesc_t* passed) {
  FortranScalar result{};
  if (passed == nullptr) return result;
  result = {
      .type = is_readable(*passed) && passed->rank == 0 ? type_in(*passed) : CFI_type_other, .present = 1, .value = {}};
  std::memcpy(result.value, passed->base_addr, std::min(passed->elem_len, sizeof result.value));
  return result;
}

Type element_type(const FortranArray& array) {
  const auto* found = std::ranges::find(fortran_types, array.type, &FortranType::cfi);
  return found == std::end(fortran_types) ? Type::bits : found->type;
}

std::string descr_of(const FortranArray& array) {
  const char kind = numpy_kind(array);
  if (kind == '\0') return {};
  const std::string descr = std::string(1, kind).append(std::to_string(array.element_bytes));
  if (!files::element_of(descr)) return {};  // NumPy has no integers of 16 bytes
  return files::full_descr(descr);
}

bool has_elements(const FortranArray& array, Index bytes, Type type) {
  return array.address != nullptr && array.element_bytes == bytes && array.storage != Storage::foreign &&
         other_type(array.type, type) == nullptr;
}

Text mismatch_of_elements(const FortranArray& array, Index bytes, Type type) {
  if (array.address == nullptr) return "is NULL on a process that holds a part of it";
  if (array.element_bytes != bytes)
    return Text() << "has elements of " << array.element_bytes << " bytes, where the plan has elements of " << bytes;
  if (array.storage == Storage::foreign)
    return "is described by a Fortran compiler that this library was not built with";
  if (const char* other = other_type(array.type, type); other != nullptr)
    return Text() << "is " << other << ", where the operation of the plan has " << name_of(type);
  return {};
}

Text mismatch(const FortranArray& array, const AccessedPart& needed) {
  if (needed.rows == 0) return {};
  if (!has_elements(array, needed.bytes, needed.type)) return mismatch_of_elements(array, needed.bytes, needed.type);
  if (array.storage == Storage::strided) return "is not contiguous, nor a section of contiguous columns";
  const auto but_plan_needs = [&] { return Text() << ", where the plan needs " << shape_of(needed.rows, needed.cols); };
  if (array.storage == Storage::columns) {
    if (array.rows >= needed.rows && array.cols >= needed.cols) return {};
    return Text() << "is a section of " << shape_of(array.rows, array.cols) << " elements" << but_plan_needs();
  }
  if (needed.ld < needed.rows) return Text() << "has the leading dimension " << needed.ld << but_plan_needs();
  if (array.elements == unknown_size) return {};
  if (array.elements >= needed.rows && (array.elements - needed.rows) / needed.ld >= needed.cols - 1) return {};
  return Text() << "has " << array.elements << " elements" << but_plan_needs() << " with the leading dimension "
                << needed.ld;
}

Text mismatch(const FortranScalar& scalar, Type needed) {
  if (scalar.present == 0) return {};
  if (needed == Type::bits) return ": the plan has no type";
  const auto* found = std::ranges::find(fortran_types, scalar.type, &FortranType::cfi);
  if (found == std::end(fortran_types)) return Text() << " is not a scalar of type " << name_of(needed);
  if (found->type == needed) return {};
  return Text() << " is " << found->name << ", where B of the plan is " << name_of(needed);
}

}  // namespace xredist::core
