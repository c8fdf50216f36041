// SPDX-License-Identifier: BSD-3-Clause
// The routines of module xredist that take local arrays and scalars. Fortran passes an array as a C descriptor, so the
// library compares its element size, shape and strides with the plan before anything moves, and the compiler makes no
// copy. Descriptors differ between compilers: ISO_Fortran_binding.h belongs to the compiler that the library was built
// with, and CFI_VERSION identifies it.
#include <ISO_Fortran_binding.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "api/arguments.hpp"
#include "api/codes.hpp"
#include "api/plan.hpp"
#include "exchange/channels.hpp"
#include "scalapack/fortran.hpp"
#include "xredist/plans.h"

namespace xredist::core {

enum class Shape : std::int32_t { contiguous, columns, strided, unknown };

/// A local array. Module xredist declares the same struct as xredist_array.
struct FortranArray {
  void* address;
  Index element_bytes;
  Index elements;    ///< contiguous: number of elements, or `unknown_size`
  Index rows, cols;  ///< columns: shape of the section
  Index ld;          ///< columns: distance of two columns, in elements
  Shape shape;
  std::int32_t type;  ///< CFI_type_...
};
static_assert(std::is_trivially_copyable_v<FortranArray> && sizeof(FortranArray) == 56);

namespace {

constexpr Index unknown_size = -1;  // of an assumed-size array, and of an array element that stands for an array

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

FortranArray array_of(const CFI_cdesc_t& desc) {
  FortranArray array{desc.base_addr, static_cast<Index>(desc.elem_len), 0, 0, 0, 0, Shape::unknown, 0};
  if (desc.version != CFI_VERSION) return array;
  array.type = desc.type;
  if (desc.base_addr == nullptr || is_empty(desc) || is_contiguous(desc)) {
    array.shape = Shape::contiguous;
    array.elements = desc.base_addr == nullptr || is_empty(desc) ? 0 : elements_of(desc);
  } else if (has_columns(desc)) {
    array.shape = Shape::columns;
    array.rows = desc.dim[0].extent, array.cols = desc.dim[1].extent;
    array.ld = desc.dim[1].sm / array.element_bytes;
  } else {
    array.shape = Shape::strided;
  }
  return array;
}

// The part of a local array that a plan accesses on this process: rows x cols elements from the first element on.
struct Extent {
  Index bytes, rows = 0, cols = 0;
  Index ld;   // LLD_ of the array descriptor
  Type type;  // required type of the elements; `bits`: any type, because elements are copied bit by bit
};

bool computes(const xredist_plan& plan) {
  const Operation& operation = plan.parts->front().redistribution.operation;
  const auto [alpha, beta] = plan.scalars;
  return operation.a != operation.b || operation.conjugated || alpha != 1.0 || beta != 0.0;
}

Index local_end(const Axis& axis, Index process, Index n) { return local_count(axis, process, axis.first + n); }

Extent extent_of_a(const xredist_plan& plan) {
  const Redistribution& moved = plan.parts->front().redistribution;
  Extent extent{.bytes = moved.bytes_a(), .ld = plan.lda, .type = computes(plan) ? moved.operation.a : Type::bits};
  for (const Plan& part : *plan.parts) {
    if (!part.a.accessed) continue;
    const auto& [rows, cols] = part.redistribution.traffic;
    const Index local_cols = part.redistribution.operation.transposed ? local_end(rows.a, part.a.at->row, rows.n)
                                                                      : local_end(cols.a, part.a.at->col, cols.n);
    extent.rows = std::max(extent.rows, part.a.min_ld);
    extent.cols = std::max(extent.cols, local_cols);
  }
  return extent;
}

Extent extent_of_b(const xredist_plan& plan) {
  const Redistribution& moved = plan.parts->front().redistribution;
  Extent extent{.bytes = moved.bytes_b(), .ld = plan.ldb, .type = computes(plan) ? moved.operation.b : Type::bits};
  for (const Plan& part : *plan.parts) {
    if (!part.b.accessed) continue;
    const Overlap& cols = part.redistribution.traffic.cols;
    extent.rows = std::max(extent.rows, part.b.min_ld);
    extent.cols = std::max(extent.cols, local_end(cols.b, part.b.at->col, cols.n));
  }
  return extent;
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

const char* name_of(Type type) {
  const auto* found = std::ranges::find(fortran_types, type, &FortranType::type);
  return found == std::end(fortran_types) ? "of unknown type" : found->name;
}

// Returns the name of the intrinsic type `cfi` if it differs from `type`, or nullptr. Derived types are not checked.
const char* other_type(int cfi, Type type) {
  const auto* found = std::ranges::find(fortran_types, cfi, &FortranType::cfi);
  return type == Type::bits || found == std::end(fortran_types) || found->type == type ? nullptr : found->name;
}

std::string shape_of(Index rows, Index cols) { return std::to_string(rows) + " x " + std::to_string(cols); }

// Returns why the array does not fit the plan, or an empty text. Allocates only for an error.
std::string mismatch(const FortranArray& array, const Extent& needed) {
  if (needed.rows == 0) return {};
  if (array.address == nullptr) return "is NULL on a process that holds a part of it";
  if (array.element_bytes != needed.bytes)
    return "has elements of " + std::to_string(array.element_bytes) + " bytes, where the plan has elements of " +
           std::to_string(needed.bytes);
  if (const char* other = other_type(array.type, needed.type); other != nullptr)
    return std::string("is ") + other + ", where the operation of the plan has " + name_of(needed.type);
  if (array.shape == Shape::unknown) return "is described by a Fortran compiler that this library was not built with";
  if (array.shape == Shape::strided) return "is not contiguous, nor a section of contiguous columns";
  const auto but_plan_needs = [&] { return ", where the plan needs " + shape_of(needed.rows, needed.cols); };
  if (array.shape == Shape::columns) {
    if (array.rows >= needed.rows && array.cols >= needed.cols) return {};
    return "is a section of " + shape_of(array.rows, array.cols) + " elements" + but_plan_needs();
  }
  if (needed.ld < needed.rows) return "has the leading dimension " + std::to_string(needed.ld) + but_plan_needs();
  if (array.elements == unknown_size) return {};
  if (array.elements >= needed.rows && (array.elements - needed.rows) / needed.ld >= needed.cols - 1) return {};
  return "has " + std::to_string(array.elements) + " elements" + but_plan_needs() + " with the leading dimension " +
         std::to_string(needed.ld);
}

// The names of a routine and of its arrays in messages.
struct Names {
  const char* routine;
  int place_of_a;  // B follows
  bool numbered;   // A(i) instead of A
};
constexpr Names of_execute{"XREDIST_EXECUTE", 2, false}, of_start{"XREDIST_START", 2, false},
    of_batch{"XREDIST_START_BATCH", 3, true};

// Reports the first array that does not fit its plan, and returns whether there is one. Plans that are wrong are left
// to start_batch.
bool report_arrays(const Names& names, int count, const xredist_plan* const plans[], const FortranArray a[],
                   const FortranArray b[], xredist_int* info) noexcept {
  for (int i = 0; i < count; ++i) {
    if (plans[i] == nullptr || !plans[i]->usable()) return false;
    const std::string why_a = mismatch(a[i], extent_of_a(*plans[i]));
    const std::string why = why_a.empty() ? mismatch(b[i], extent_of_b(*plans[i])) : why_a;
    if (why.empty()) continue;
    const int place = why_a.empty() ? names.place_of_a + 1 : names.place_of_a;
    std::string name(1, why_a.empty() ? 'B' : 'A');
    if (names.numbered) name.append("(").append(std::to_string(i + 1)).append(")");
    report(names.routine, -place, {{-place, place, name.c_str(), why.c_str()}}, info);
    return true;
  }
  return false;
}

int start(int count, const xredist_plan* const plans[], const FortranArray a[], const FortranArray b[],
          xredist_request** request) {
  if (count < 1) return -1;
  for (int i = 0; i < count; ++i)
    if (plans[i] == nullptr || !plans[i]->usable() || &plans[i]->channel != &plans[0]->channel) return -2;
  return coded([&] {
    std::vector<const void*> from;
    std::vector<void*> to;
    std::vector<std::int64_t> lda, ldb;
    try {
      for (int i = 0; i < count; ++i) {
        from.push_back(a[i].address), to.push_back(b[i].address);
        lda.push_back(a[i].shape == Shape::columns ? a[i].ld : plans[i]->lda);
        ldb.push_back(b[i].shape == Shape::columns ? b[i].ld : plans[i]->ldb);
      }
    } catch (const std::bad_alloc&) {
      LibraryLock lock;
      withdraw_batch(count, plans);
      throw;
    }
    return start_batch({count, plans, from.data(), lda.data(), to.data(), ldb.data()}, request);
  });
}

constexpr const char* of_array = "is NULL on a process that holds a part of it";
constexpr Argument plan_argument{-2, 1, "PLAN", "is not a plan, or its context has been freed"};
constexpr Arguments of_one{plan_argument};
constexpr Arguments of_many{{-1, 1, "COUNT", "is less than 1"},
                            {-2, 2, "PLANS", "has an element that is not a plan, or plans of several contexts"},
                            {-3, 3, "A", of_array},
                            {-5, 4, "B", of_array}};

void set_scalars(xredist_plan* plan, Type type, const void* alpha, const void* beta, xredist_int* info) noexcept {
  const char* routine = "XREDIST_SET_SCALARS";
  const Type needed = plan == nullptr ? type : plan->parts->front().redistribution.operation.b;
  if (type == needed)
    return report(routine, xredist_set_scalars(plan, alpha, beta), {{-1, 1, "PLAN", "is not a plan"}}, info);
  const std::string why = std::string("is ") + name_of(type) + ", where B of the plan is " + name_of(needed);
  report(routine, -2, {{-2, 2, "ALPHA", why.c_str()}}, info);
}

}  // namespace
}  // namespace xredist::core

using namespace xredist::core;

extern "C" {

XREDIST_API void xredist_fortran_execute(xredist_plan* const* plan, const CFI_cdesc_t* a, const CFI_cdesc_t* b,
                                         xredist_int* info) {
  const FortranArray from = array_of(*a), to = array_of(*b);
  if (report_arrays(of_execute, 1, plan, &from, &to, info)) return;
  xredist_request* request = nullptr;
  const int error = start(1, plan, &from, &to, &request);
  report(of_execute.routine, error != 0 ? error : xredist_wait(&request), of_one, info);
}

XREDIST_API void xredist_fortran_start(xredist_plan* const* plan, const CFI_cdesc_t* a, const CFI_cdesc_t* b,
                                       xredist_request** request, xredist_int* info) {
  *request = nullptr;
  const FortranArray from = array_of(*a), to = array_of(*b);
  if (report_arrays(of_start, 1, plan, &from, &to, info)) return;
  report(of_start.routine, start(1, plan, &from, &to, request), of_one, info);
}

XREDIST_API FortranArray xredist_fortran_array(const CFI_cdesc_t* array) { return array_of(*array); }

XREDIST_API void xredist_fortran_start_batch(const xredist_int* count, xredist_plan* const* plans,
                                             const FortranArray* a, const FortranArray* b, xredist_request** request,
                                             xredist_int* info) {
  *request = nullptr;
  const int members = narrowed(*count);
  if (report_arrays(of_batch, members, plans, a, b, info)) return;
  report(of_batch.routine, start(members, plans, a, b, request), of_many, info);
}

XREDIST_API void xredist_fortran_start_batch_unchecked(const xredist_int* count, xredist_plan* const* plans,
                                                       const void* const* a, void* const* b, xredist_request** request,
                                                       xredist_int* info) {
  const int error = start_batch({narrowed(*count), plans, a, nullptr, b, nullptr}, request);
  report(of_batch.routine, error, of_many, info);
}

XREDIST_API void xredist_fortran_set_scalars_integer(xredist_plan* const* plan, const std::int32_t* alpha,
                                                     const std::int32_t* beta, xredist_int* info) {
  set_scalars(*plan, Type::integer, alpha, beta, info);
}

XREDIST_API void xredist_fortran_set_scalars_integer64(xredist_plan* const* plan, const std::int64_t* alpha,
                                                       const std::int64_t* beta, xredist_int* info) {
  set_scalars(*plan, Type::integer64, alpha, beta, info);
}

XREDIST_API void xredist_fortran_set_scalars_real(xredist_plan* const* plan, const float* alpha, const float* beta,
                                                  xredist_int* info) {
  set_scalars(*plan, Type::real, alpha, beta, info);
}

XREDIST_API void xredist_fortran_set_scalars_double(xredist_plan* const* plan, const double* alpha, const double* beta,
                                                    xredist_int* info) {
  set_scalars(*plan, Type::real64, alpha, beta, info);
}

XREDIST_API void xredist_fortran_set_scalars_complex(xredist_plan* const* plan, const void* alpha, const void* beta,
                                                     xredist_int* info) {
  set_scalars(*plan, Type::complex, alpha, beta, info);
}

XREDIST_API void xredist_fortran_set_scalars_double_complex(xredist_plan* const* plan, const void* alpha,
                                                            const void* beta, xredist_int* info) {
  set_scalars(*plan, Type::complex64, alpha, beta, info);
}

}  // extern "C"
