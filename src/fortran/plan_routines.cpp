// SPDX-License-Identifier: BSD-3-Clause
// XREDIST_PLAN_CREATE of module xredist, whose optional arguments are pointers that may be NULL.
#include <mpi.h>

#include <cstdint>
#include <string>
#include <utility>

#include "api/failure.hpp"
#include "api/plan_handle.hpp"
#include "fortran/info.hpp"
#include "fortran/owned_layout.hpp"
#include "scalapack/context_plans.hpp"
#include "scalapack/matrix_arguments.hpp"

// Last, because other headers remove its macro XREDIST_API.
#include "xredist/begin.h"

namespace xredist::core {
namespace {

// The optional arguments that both forms of the routine have, in the order of the Fortran interface.
struct PlanKeywords {
  const char* type;
  const xredist_int *ia, *ja, *ib, *jb;
  const char *type_b, *trans, *uplo, *diag, *mirror;
  const xredist_int* bytes;
  const CFI_cdesc_t *rows_a, *cols_a, *rows_b, *cols_b, *owners_rows_a, *owners_cols_a, *owners_rows_b, *owners_cols_b;
};

// Returns an index, by default 1. In Fortran, an index that is passed as 0 is an error.
std::int64_t index_of(const char* name, const xredist_int* index) {
  if (index != nullptr && *index == 0) throw InvalidArgument(std::string(name) + " is 0, must be at least 1");
  return index == nullptr ? 1 : *index;
}

xredist_operation operation_of(xredist_int m, xredist_int n, const PlanKeywords& keywords) {
  return {.m = m,
          .n = n,
          .ia = index_of("ia", keywords.ia),
          .ja = index_of("ja", keywords.ja),
          .ib = index_of("ib", keywords.ib),
          .jb = index_of("jb", keywords.jb),
          .type = letter_of(keywords.type),
          .type_b = letter_of(keywords.type_b),
          .trans = letter_of(keywords.trans),
          .uplo = letter_of(keywords.uplo),
          .diag = letter_of(keywords.diag),
          .mirror = letter_of(keywords.mirror),
          .bytes = keywords.bytes == nullptr ? 0 : *keywords.bytes};
}

struct OwnedPartitions {
  explicit OwnedPartitions(const PlanKeywords& keywords)
      : rows_a(keywords.rows_a, keywords.owners_rows_a, "rows_a"),
        cols_a(keywords.cols_a, keywords.owners_cols_a, "cols_a"),
        rows_b(keywords.rows_b, keywords.owners_rows_b, "rows_b"),
        cols_b(keywords.cols_b, keywords.owners_cols_b, "cols_b") {}
  OwnedPartition rows_a, cols_a, rows_b, cols_b;
};

// The arguments of a plan on a context.
struct PlanOnContext {
  OwnedPartitions partitions;
  xredist_operation operation;

  xredist_partitions get() const {
    return {partitions.rows_a.get(), partitions.cols_a.get(), partitions.rows_b.get(), partitions.cols_b.get()};
  }
};

// The arguments of a plan on a communicator.
struct PlanOnCommunicator {
  OwnedLayout a, b;
  xredist_operation operation;
};

constexpr const char* routine = "XREDIST_PLAN_CREATE";

}  // namespace
}  // namespace xredist::core

using namespace xredist::core;

#define XREDIST_KEYWORDS                                                                                        \
  const char *type, XREDIST_KEYWORDS_ONLY, const xredist_int *ia, const xredist_int *ja, const xredist_int *ib, \
      const xredist_int *jb, const char *type_b, const char *trans, const char *uplo, const char *diag,         \
      const char *mirror, const xredist_int *bytes, const CFI_cdesc_t *rows_a, const CFI_cdesc_t *cols_a,       \
      const CFI_cdesc_t *rows_b, const CFI_cdesc_t *cols_b, const CFI_cdesc_t *owners_rows_a,                   \
      const CFI_cdesc_t *owners_cols_a, const CFI_cdesc_t *owners_rows_b, const CFI_cdesc_t *owners_cols_b
#define XREDIST_PASSED_KEYWORDS                                                                                    \
  PlanKeywords {                                                                                                   \
    type, ia, ja, ib, jb, type_b, trans, uplo, diag, mirror, bytes, rows_a, cols_a, rows_b, cols_b, owners_rows_a, \
        owners_cols_a, owners_rows_b, owners_cols_b                                                                \
  }

extern "C" {

XREDIST_API void xredist_fortran_plan_create_blacs(xredist_plan** plan, const xredist_int* ctxt, const xredist_int* m,
                                                   const xredist_int* n, const xredist_int* desca,
                                                   const xredist_int* descb, XREDIST_KEYWORDS, xredist_int* info) {
  const int code = coded_in_fortran([&] {
    const PlanKeywords keywords = XREDIST_PASSED_KEYWORDS;
    auto arguments = attempt([&] { return PlanOnContext{OwnedPartitions(keywords), operation_of(*m, *n, keywords)}; });
    const PlanOnContext* const passed = arguments.get();
    create_plan_on_context(*ctxt, desca, descb, passed != nullptr ? &passed->operation : nullptr,
                           passed != nullptr ? passed->get() : xredist_partitions{}, arguments.failure(), plan);
  });
  set_info(routine, code, info, true);
}

XREDIST_API void xredist_fortran_plan_create_comm(xredist_plan** plan, const xredist_int* comm, const xredist_int* m,
                                                  const xredist_int* n, const FortranLayout* a, const FortranLayout* b,
                                                  XREDIST_KEYWORDS, const CFI_cdesc_t* ranks_a,
                                                  const CFI_cdesc_t* ranks_b, xredist_int* info) {
  const int code = coded_in_fortran([&] {
    const PlanKeywords keywords = XREDIST_PASSED_KEYWORDS;
    auto arguments = attempt([&] {
      OwnedPartitions owned(keywords);
      return PlanOnCommunicator{{*a, ranks_a, "ranks_a", std::move(owned.rows_a), std::move(owned.cols_a)},
                                {*b, ranks_b, "ranks_b", std::move(owned.rows_b), std::move(owned.cols_b)},
                                operation_of(*m, *n, keywords)};
    });
    const PlanOnCommunicator* const passed = arguments.get();
    const xredist_layout layout_a = passed != nullptr ? passed->a.get() : xredist_layout{};
    const xredist_layout layout_b = passed != nullptr ? passed->b.get() : xredist_layout{};
    create_plan(communicator_from(*comm), &layout_a, &layout_b, passed != nullptr ? &passed->operation : nullptr,
                fortran_integer, arguments.failure(), plan);
  });
  set_info(routine, code, info, true);
}

}  // extern "C"
