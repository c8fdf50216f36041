// SPDX-License-Identifier: BSD-3-Clause
// XREDIST_PLAN_CREATE of module xredist for matrices, whose optional arguments are pointers that may be NULL.
#include <mpi.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/failure.hpp"
#include "api/matrix_operation.hpp"
#include "api/plan_calls.hpp"
#include "fortran/info.hpp"
#include "fortran/owned_layout.hpp"
#include "scalapack/context_plans.hpp"
#include "scalapack/matrix_arguments.hpp"

// Last, because other headers remove its macro XREDIST_API.
#include "xredist/begin.h"

// The arguments that both forms of the routine have, in the order of the Fortran interface.
#define XREDIST_KEYWORDS                                                                                        \
  const char *type, XREDIST_KEYWORDS_ONLY, const xredist_int *ia, const xredist_int *ja, const xredist_int *ib, \
      const xredist_int *jb, const char *type_b, const char *trans, const char *uplo, const char *diag,         \
      const char *mirror, const xredist_int *bytes, const CFI_cdesc_t *rows_a, const CFI_cdesc_t *cols_a,       \
      const CFI_cdesc_t *rows_b, const CFI_cdesc_t *cols_b, const CFI_cdesc_t *owners_rows_a,                   \
      const CFI_cdesc_t *owners_cols_a, const CFI_cdesc_t *owners_rows_b, const CFI_cdesc_t *owners_cols_b,     \
      const CFI_cdesc_t *places_rows_a, const CFI_cdesc_t *places_cols_a, const CFI_cdesc_t *places_rows_b,     \
      const CFI_cdesc_t *places_cols_b, const CFI_cdesc_t *list_rows_a, const CFI_cdesc_t *list_cols_a,         \
      const CFI_cdesc_t *list_rows_b, const CFI_cdesc_t *list_cols_b
#define XREDIST_PASSED_KEYWORDS                                                                                \
  type, nullptr, ia, ja, ib, jb, type_b, trans, uplo, diag, mirror, bytes, rows_a, cols_a, rows_b, cols_b,     \
      owners_rows_a, owners_cols_a, owners_rows_b, owners_cols_b, places_rows_a, places_cols_a, places_rows_b, \
      places_cols_b, list_rows_a, list_cols_a, list_rows_b, list_cols_b

namespace xredist::core {
namespace {

// Returns an index, by default 1. In Fortran, an index that is passed as 0 is an error.
std::int64_t index_of(const char* name, const xredist_int* index) {
  if (index != nullptr && *index == 0) throw InvalidArgument(Text() << name << " is 0, must be at least 1");
  return index == nullptr ? 1 : *index;
}

// The lists of a plan. Throws InvalidArgument if one has another number of elements than rows or columns move.
struct OwnedLists {
  std::vector<std::int64_t> rows_a, cols_a, rows_b, cols_b;

  OwnedLists(const xredist_operation& operation, const CFI_cdesc_t* list_rows_a, const CFI_cdesc_t* list_cols_a,
             const CFI_cdesc_t* list_rows_b, const CFI_cdesc_t* list_cols_b) {
    const auto [of_rows, of_cols] = count_in_a(with_defaults(operation));
    rows_a = list_of("list_rows_a", list_rows_a, of_rows);
    cols_a = list_of("list_cols_a", list_cols_a, of_cols);
    rows_b = list_of("list_rows_b", list_rows_b, operation.m);
    cols_b = list_of("list_cols_b", list_cols_b, operation.n);
  }
  // Sets the lists of an operation, which refer to this object.
  void tell(xredist_operation& operation) const {
    operation.rows_a = entries_of(rows_a), operation.cols_a = entries_of(cols_a);
    operation.rows_b = entries_of(rows_b), operation.cols_b = entries_of(cols_b);
  }

 private:
  static std::vector<std::int64_t> list_of(const char* name, const CFI_cdesc_t* array, std::int64_t count) {
    std::vector<std::int64_t> list = integers_of<std::int64_t>(array);
    if (array != nullptr && count >= 0 && std::ssize(list) != count)
      throw InvalidArgument(Text() << name << " has " << list.size() << " elements, must have " << count);
    return list;
  }
  static const std::int64_t* entries_of(const std::vector<std::int64_t>& list) {
    return list.empty() ? nullptr : list.data();
  }
};

// Makes a plan: on a context for array descriptors, on a communicator for layouts.
void create(xredist_plan** plan, xredist_int place, xredist_int m, xredist_int n, const xredist_int* desca,
            const xredist_int* descb, const FortranLayout* a, const FortranLayout* b, XREDIST_KEYWORDS,
            const CFI_cdesc_t* ranks_a, const CFI_cdesc_t* ranks_b) {
  const bool on_context = a == nullptr;
  xredist_operation operation{.m = m, .n = n};
  std::optional<OwnedLayout> owned_a, owned_b;
  std::optional<OwnedLists> lists;
  const auto made = attempt([&] {
    OwnedPartition of_rows_a(rows_a, owners_rows_a, places_rows_a, "rows_a"),
        of_cols_a(cols_a, owners_cols_a, places_cols_a, "cols_a"),
        of_rows_b(rows_b, owners_rows_b, places_rows_b, "rows_b"),
        of_cols_b(cols_b, owners_cols_b, places_cols_b, "cols_b");
    constexpr FortranLayout none{};
    owned_a.emplace(on_context ? none : *a, ranks_a, "ranks_a", std::move(of_rows_a), std::move(of_cols_a));
    owned_b.emplace(on_context ? none : *b, ranks_b, "ranks_b", std::move(of_rows_b), std::move(of_cols_b));
    operation.ia = index_of("ia", ia), operation.ja = index_of("ja", ja);
    operation.ib = index_of("ib", ib), operation.jb = index_of("jb", jb);
    operation.type = letter_of(type), operation.type_b = letter_of(type_b);
    operation.trans = letter_of(trans), operation.uplo = letter_of(uplo);
    operation.diag = letter_of(diag), operation.mirror = letter_of(mirror);
    operation.bytes = bytes == nullptr ? 0 : *bytes;
    lists.emplace(operation, list_rows_a, list_cols_a, list_rows_b, list_cols_b);
    lists->tell(operation);
  });
  const xredist_layout layout_a = owned_a ? owned_a->get() : xredist_layout{};
  const xredist_layout layout_b = owned_b ? owned_b->get() : xredist_layout{};
  if (on_context)
    create_plan_on_context(place, desca, descb, &operation,
                           {layout_a.rows, layout_a.cols, layout_b.rows, layout_b.cols}, made.failure(), plan);
  else
    create_plan(communicator_from(place), &layout_a, &layout_b, &operation, fortran_integer, made.failure(), plan);
}

constexpr const char* routine = "XREDIST_PLAN_CREATE";

}  // namespace
}  // namespace xredist::core

using namespace xredist::core;

extern "C" {

XREDIST_API void xredist_fortran_plan_create_blacs(xredist_plan** plan, const xredist_int* ctxt, const xredist_int* m,
                                                   const xredist_int* n, const xredist_int* desca,
                                                   const xredist_int* descb, XREDIST_KEYWORDS, xredist_int* info) {
  const int code = coded_in_fortran(
      [&] { create(plan, *ctxt, *m, *n, desca, descb, nullptr, nullptr, XREDIST_PASSED_KEYWORDS, nullptr, nullptr); });
  set_info(routine, code, info, true);
}

XREDIST_API void xredist_fortran_plan_create_comm(xredist_plan** plan, const xredist_int* comm, const xredist_int* m,
                                                  const xredist_int* n, const FortranLayout* a, const FortranLayout* b,
                                                  XREDIST_KEYWORDS, const CFI_cdesc_t* ranks_a,
                                                  const CFI_cdesc_t* ranks_b, xredist_int* info) {
  const int code = coded_in_fortran(
      [&] { create(plan, *comm, *m, *n, nullptr, nullptr, a, b, XREDIST_PASSED_KEYWORDS, ranks_a, ranks_b); });
  set_info(routine, code, info, true);
}

}  // extern "C"
