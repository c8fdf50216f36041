// SPDX-License-Identifier: BSD-3-Clause
// XREDIST_PLAN_CREATE of module xredist, whose optional arguments are pointers that may be NULL.
#include "scalapack/plans.hpp"

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "api/errors.hpp"
#include "api/plan.hpp"
#include "fortran/info.hpp"
#include "fortran/layout.hpp"
#include "scalapack/move.hpp"

namespace xredist::core {
namespace {

// The optional arguments that both forms of the routine have, in the order of the Fortran interface.
struct Keywords {
  const char* type;
  const xredist_int *ia, *ja, *ib, *jb;
  const char *type_b, *trans, *uplo, *diag, *mirror;
  const xredist_int* bytes;
  const CFI_cdesc_t *rows_a, *cols_a, *rows_b, *cols_b, *owners_rows_a, *owners_cols_a, *owners_rows_b, *owners_cols_b;
};

// Returns an index, by default 1. In Fortran, an index that is passed as 0 is an error.
std::int64_t index_of(const char* name, const xredist_int* index, MaybeError& error) {
  if (index != nullptr && *index == 0) keep_first(error, std::string(name) + " is 0, must be at least 1");
  return index == nullptr ? 1 : *index;
}

xredist_operation operation_of(xredist_int m, xredist_int n, const Keywords& keywords, MaybeError& error) {
  const auto letter = [](const char* given) { return given == nullptr ? '\0' : *given; };
  return {.m = m,
          .n = n,
          .ia = index_of("ia", keywords.ia, error),
          .ja = index_of("ja", keywords.ja, error),
          .ib = index_of("ib", keywords.ib, error),
          .jb = index_of("jb", keywords.jb, error),
          .type = letter(keywords.type),
          .type_b = letter(keywords.type_b),
          .trans = letter(keywords.trans),
          .uplo = letter(keywords.uplo),
          .diag = letter(keywords.diag),
          .mirror = letter(keywords.mirror),
          .bytes = keywords.bytes == nullptr ? 0 : *keywords.bytes};
}

struct OwnedPartitions {
  OwnedPartitions(const Keywords& keywords, MaybeError& error)
      : rows_a(keywords.rows_a, keywords.owners_rows_a, "rows_a", error),
        cols_a(keywords.cols_a, keywords.owners_cols_a, "cols_a", error),
        rows_b(keywords.rows_b, keywords.owners_rows_b, "rows_b", error),
        cols_b(keywords.cols_b, keywords.owners_cols_b, "cols_b", error) {}
  OwnedPartition rows_a, cols_a, rows_b, cols_b;
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
  Keywords {                                                                                                       \
    type, ia, ja, ib, jb, type_b, trans, uplo, diag, mirror, bytes, rows_a, cols_a, rows_b, cols_b, owners_rows_a, \
        owners_cols_a, owners_rows_b, owners_cols_b                                                                \
  }

extern "C" {

XREDIST_API void xredist_fortran_plan_create_blacs(xredist_plan** plan, const xredist_int* ctxt, const xredist_int* m,
                                                   const xredist_int* n, const xredist_int* desca,
                                                   const xredist_int* descb, XREDIST_KEYWORDS, xredist_int* info) {
  int code = 0;
  const int failed = coded([&] {
    *plan = nullptr;
    const Keywords keywords = XREDIST_PASSED_KEYWORDS;
    MaybeError error;
    const OwnedPartitions owned(keywords, error);
    const xredist_partitions partitions{owned.rows_a.get(), owned.cols_a.get(), owned.rows_b.get(), owned.cols_b.get()};
    const xredist_operation operation = operation_of(*m, *n, keywords, error);
    code = create_plan_on_context(*ctxt, desca, descb, &operation, partitions, error, plan);
  });
  set_info(routine, failed != 0 ? failed : code, info, true);
}

XREDIST_API void xredist_fortran_plan_create_comm(xredist_plan** plan, const xredist_int* comm, const xredist_int* m,
                                                  const xredist_int* n, const FortranLayout* a, const FortranLayout* b,
                                                  XREDIST_KEYWORDS, const CFI_cdesc_t* ranks_a,
                                                  const CFI_cdesc_t* ranks_b, xredist_int* info) {
  int code = 0;
  const int failed = coded([&] {
    *plan = nullptr;
    const Keywords keywords = XREDIST_PASSED_KEYWORDS;
    MaybeError error;
    const OwnedPartitions owned(keywords, error);
    const std::vector<int> of_a = integers_of<int>(ranks_a), of_b = integers_of<int>(ranks_b);
    const xredist_layout layout_a = layout_from(*a, of_a, "ranks_a", owned.rows_a, owned.cols_a, error);
    const xredist_layout layout_b = layout_from(*b, of_b, "ranks_b", owned.rows_b, owned.cols_b, error);
    const xredist_operation operation = operation_of(*m, *n, keywords, error);
    create_plan_on_communicator(communicator_from(*comm), &layout_a, &layout_b, &operation, fortran_integer, error,
                                plan);
  });
  set_info(routine, failed != 0 ? failed : code, info, true);
}

}  // extern "C"
