// SPDX-License-Identifier: BSD-3-Clause
// The routines of module xredist that take local arrays and scalars. Fortran passes an array as a C descriptor, so the
// library compares its element size, shape and strides with the plan before anything moves, and the compiler makes no
// copy. Descriptors differ between compilers: ISO_Fortran_binding.h belongs to the compiler that the library was built
// with, and CFI_VERSION identifies it.
#include <ISO_Fortran_binding.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "api/arguments.hpp"
#include "api/errors.hpp"
#include "api/plan.hpp"
#include "exchange/channels.hpp"
#include "scalapack/fortran.hpp"

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

// An argument that is absent, or an array that is not allocated, has the address nullptr.
FortranArray array_of(const CFI_cdesc_t* passed) {
  if (passed == nullptr) return {nullptr, 0, 0, 0, 0, 0, Shape::contiguous, 0};
  const CFI_cdesc_t& desc = *passed;
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

// A factor of a job: an integer, real or complex number.
struct FortranScalar {
  std::int32_t type;     ///< CFI_type_...
  std::int32_t present;  ///< 0 or 1
  unsigned char value[16];
};

}  // namespace

/// A job. Module xredist declares the same struct as xredist_job.
struct FortranJob {
  const xredist_plan* plan;
  FortranArray a, b;
  FortranScalar alpha, beta;
};
static_assert(std::is_trivially_copyable_v<FortranJob> && sizeof(FortranJob) == 8 + 2 * 56 + 2 * 24);

namespace {

FortranScalar scalar_of(const CFI_cdesc_t* scalar) {
  FortranScalar result{};
  if (scalar == nullptr) return result;
  result = {.type = scalar->version == CFI_VERSION && scalar->rank == 0 ? scalar->type : CFI_type_other,
            .present = 1,
            .value = {}};
  std::memcpy(result.value, scalar->base_addr, std::min(scalar->elem_len, sizeof result.value));
  return result;
}

FortranJob job_of(const xredist_plan* plan, const CFI_cdesc_t* a, const CFI_cdesc_t* b, const CFI_cdesc_t* alpha,
                  const CFI_cdesc_t* beta) {
  return {plan, array_of(a), array_of(b), scalar_of(alpha), scalar_of(beta)};
}

// Returns whether a job depends on the types of the elements, and not only on their size.
bool computes(const FortranJob& job) {
  const Operation& operation = job.plan->parts->front().redistribution.operation;
  return operation.a != operation.b || operation.conjugated || job.alpha.present != 0 || job.beta.present != 0;
}

// `bytes`: of a unit of the plan. `type`: of the elements.
Extent extent_of(const FortranJob& job, LocalPart Plan::*side, Index bytes, Index ld, Type type) {
  const xredist_plan& plan = *job.plan;
  Extent extent{.bytes = bytes * plan.units, .ld = ld, .type = computes(job) ? type : Type::bits};
  for (const Plan& part : *plan.parts) {
    const LocalPart& local = part.*side;
    if (!local.accessed) continue;
    extent.rows = std::max(extent.rows, local.rows.end / plan.units);
    extent.cols = std::max(extent.cols, local.cols.end);
  }
  return extent;
}

Extent extent_of_a(const FortranJob& job) {
  const Redistribution& moved = job.plan->parts->front().redistribution;
  return extent_of(job, &Plan::a, moved.bytes_a(), job.plan->lda, moved.operation.a);
}

Extent extent_of_b(const FortranJob& job) {
  const Redistribution& moved = job.plan->parts->front().redistribution;
  return extent_of(job, &Plan::b, moved.bytes_b(), job.plan->ldb, moved.operation.b);
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

// Returns why a factor is not a number of B's type, or an empty text.
std::string mismatch(const FortranScalar& scalar, Type needed) {
  if (scalar.present == 0) return {};
  if (needed == Type::bits) return ": the plan has no type";
  const auto* found = std::ranges::find(fortran_types, scalar.type, &FortranType::cfi);
  if (found == std::end(fortran_types)) return std::string(" is not a scalar of type ") + name_of(needed);
  if (found->type == needed) return {};
  return std::string(" is ") + found->name + ", where B of the plan is " + name_of(needed);
}

// Throws InvalidArgument if an argument of a job does not fit its plan. `member`: "jobs(3): " in a batch.
void demand_fit(const FortranJob& job, const std::string& member) {
  const auto demand = [&](const char* name, const std::string& reason) {
    if (!reason.empty()) throw InvalidArgument(member + name + reason);
  };
  if (job.plan == nullptr) demand("plan", " is not a plan");
  if (!job.plan->usable()) demand("plan", ": its context or communicator has been freed");
  const auto spaced = [](const std::string& reason) { return reason.empty() ? reason : " " + reason; };
  demand("a", spaced(mismatch(job.a, extent_of_a(job))));
  demand("b", spaced(mismatch(job.b, extent_of_b(job))));
  demand("alpha", mismatch(job.alpha, type_of_b(*job.plan)));
  demand("beta", mismatch(job.beta, type_of_b(*job.plan)));
}

xredist_job plain(const FortranJob& job) {
  return {.plan = job.plan,
          .a = job.a.address,
          .lda = job.a.shape == Shape::columns ? job.a.ld : 0,
          .b = job.b.address,
          .ldb = job.b.shape == Shape::columns ? job.b.ld : 0,
          .alpha = job.alpha.present != 0 ? job.alpha.value : nullptr,
          .beta = job.beta.present != 0 ? job.beta.value : nullptr};
}

void start(std::span<const FortranJob> jobs, xredist_request** request) {
  *request = nullptr;
  if (jobs.empty()) throw InvalidArgument("jobs is empty");
  for (std::size_t i = 0; i < jobs.size(); ++i)
    demand_fit(jobs[i], jobs.size() == 1 ? std::string() : "jobs(" + std::to_string(i + 1) + "): ");
  if (jobs.size() == 1) {
    const xredist_job job = plain(jobs[0]);
    return start_batch({&job, 1}, request);
  }
  std::vector<xredist_job> plain_jobs;
  try {
    plain_jobs.resize(jobs.size());
  } catch (const std::bad_alloc&) {
    LibraryLock lock;
    withdraw_batch(jobs.size(), [&](std::size_t i) -> const xredist_plan& { return *jobs[i].plan; });
    throw;
  }
  std::ranges::transform(jobs, plain_jobs.begin(), plain);
  start_batch(plain_jobs, request);
}

}  // namespace
}  // namespace xredist::core

using namespace xredist::core;

extern "C" {

XREDIST_API void xredist_fortran_execute(xredist_plan* const* plan, const CFI_cdesc_t* a, const CFI_cdesc_t* b,
                                         XREDIST_KEYWORDS_ONLY, const CFI_cdesc_t* alpha, const CFI_cdesc_t* beta,
                                         xredist_int* info) {
  xredist_request* request = nullptr;
  const int code = coded([&] {
    const FortranJob job = job_of(*plan, a, b, alpha, beta);
    start({&job, 1}, &request);
  });
  report("XREDIST_EXECUTE", code != 0 ? code : xredist_wait(&request), info);
}

XREDIST_API void xredist_fortran_start(xredist_plan* const* plan, const CFI_cdesc_t* a, const CFI_cdesc_t* b,
                                       xredist_request** request, XREDIST_KEYWORDS_ONLY, const CFI_cdesc_t* alpha,
                                       const CFI_cdesc_t* beta, xredist_int* info) {
  const int code = coded([&] {
    const FortranJob job = job_of(*plan, a, b, alpha, beta);
    start({&job, 1}, request);
  });
  report("XREDIST_START", code, info);
}

XREDIST_API FortranJob xredist_fortran_job(xredist_plan* const* plan, const CFI_cdesc_t* a, const CFI_cdesc_t* b,
                                           const CFI_cdesc_t* alpha, const CFI_cdesc_t* beta) {
  return job_of(*plan, a, b, alpha, beta);
}

XREDIST_API void xredist_fortran_start_jobs(const CFI_cdesc_t* jobs, xredist_request** request, xredist_int* info) {
  const std::span all(static_cast<const FortranJob*>(jobs->base_addr), static_cast<std::size_t>(jobs->dim[0].extent));
  report("XREDIST_START", coded([&] { start(all, request); }), info);
}

}  // extern "C"
