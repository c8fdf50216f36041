// SPDX-License-Identifier: BSD-3-Clause
// The routines of module xredist, except those that take arrays or scalars (fortran_arrays.cpp). Each calls the C
// function of its name; without INFO, an error ends the program.
#include "scalapack/fortran.hpp"

#include <cstddef>
#include <limits>
#include <string>

#include "api/arguments.hpp"
#include "api/codes.hpp"
#include "scalapack/call.hpp"
#include "xredist/plans.h"

namespace xredist::core {
namespace {

constexpr Arguments of_member{{-2, 2, "MEMBER", "is not the number of a member of the batch"}};
constexpr Arguments of_option{{-1, 1, "CTXT", "is not a context with this process"},
                              {-2, 2, "NAME", "is not the name of an option"},
                              {-3, 3, "VALUE", "is not a value of this option"}};

const char* text_of(int error) {
  switch (error) {
    case XREDIST_NO_MEMORY: return "out of memory";
    case XREDIST_BAD_OPTION: return "a variable XREDIST_... in the environment has an invalid value";
    case XREDIST_DISAGREEMENT: return "processes pass different arguments";
    default: return "another process lacks memory";
  }
}

// What other processes have seen as well they print first.
int rank_of(int error) {
  if (error == XREDIST_PEER_FAILED) return std::numeric_limits<int>::max();
  return error == XREDIST_NO_MEMORY ? 0 : world_rank();
}

}  // namespace

void report(const char* routine, int error, const Arguments& arguments, xredist_int* info) noexcept {
  int result = error;
  std::string text = text_of(error);
  for (const auto& [returned, place, name, why] : arguments)
    if (error == returned) {
      result = -place;
      text = "argument " + std::to_string(place) + " (" + name + ") " + why;
    }
  if (info != nullptr)
    *info = result;
  else if (result != 0)
    fail({.routine = routine, .form = Form::general, .m = 0, .n = 0, .a = {}, .b = {}, .whole_world = true},
         rank_of(error), {{}, text});
}

}  // namespace xredist::core

using namespace xredist::core;

extern "C" {

XREDIST_API void xredist_plan_from_descriptors_(const char* type, const char* uplo, const char* diag,
                                                const xredist_int* m, const xredist_int* n, const xredist_int* ia,
                                                const xredist_int* ja, const xredist_int* desca, const xredist_int* ib,
                                                const xredist_int* jb, const xredist_int* descb,
                                                const xredist_int* ctxt, xredist_plan** its, xredist_int* info) {
  xredist_plan_from_descriptors(*type, *uplo, *diag, *m, *n, *ia, *ja, desca, *ib, *jb, descb, *ctxt, its, info);
}

XREDIST_API void xredist_plan_operation_from_descriptors_(const xredist_operation* operation, const xredist_int* m,
                                                          const xredist_int* n, const xredist_int* ia,
                                                          const xredist_int* ja, const xredist_int* desca,
                                                          const xredist_int* ib, const xredist_int* jb,
                                                          const xredist_int* descb, const xredist_int* ctxt,
                                                          xredist_plan** its, xredist_int* info) {
  xredist_plan_operation_from_descriptors(operation, *m, *n, *ia, *ja, desca, *ib, *jb, descb, *ctxt, its, info);
}

XREDIST_API void xredist_plan_partition_from_descriptors_(
    const xredist_operation* operation, const xredist_int* m, const xredist_int* n, const xredist_int* ia,
    const xredist_int* ja, const xredist_int* desca, const xredist_partition* rows_a, const xredist_partition* cols_a,
    const xredist_int* ib, const xredist_int* jb, const xredist_int* descb, const xredist_partition* rows_b,
    const xredist_partition* cols_b, const xredist_int* ctxt, xredist_plan** its, xredist_int* info) {
  xredist_plan_partition_from_descriptors(operation, *m, *n, *ia, *ja, desca, rows_a, cols_a, *ib, *jb, descb, rows_b,
                                          cols_b, *ctxt, its, info);
}

XREDIST_API void xredist_plan_destroy_(xredist_plan** its) {
  xredist_plan_destroy(*its);
  *its = nullptr;
}

XREDIST_API void xredist_set_context_option_(const xredist_int* ctxt, const char* name, const char* value,
                                             xredist_int* info, size_t name_length, size_t value_length) {
  const int error = coded([&] {
    return xredist_set_context_option(*ctxt, trimmed(name, name_length).c_str(), trimmed(value, value_length).c_str());
  });
  report("XREDIST_SET_CONTEXT_OPTION", error, of_option, info);
}

XREDIST_API void xredist_test_(xredist_request** request, xredist_int* done, xredist_int* info) {
  int over = 0;
  const int error = xredist_test(request, &over);
  *done = over;
  report("XREDIST_TEST", error, {}, info);
}

XREDIST_API void xredist_wait_(xredist_request** request, xredist_int* info) {
  report("XREDIST_WAIT", xredist_wait(request), {}, info);
}

XREDIST_API void xredist_test_member_(xredist_request* const* request, const xredist_int* member, xredist_int* done,
                                      xredist_int* info) {
  int over = 0;
  const int error = xredist_test_member(*request, narrowed(*member) - 1, &over);
  *done = over;
  report("XREDIST_TEST_MEMBER", error, of_member, info);
}

XREDIST_API void xredist_wait_member_(xredist_request* const* request, const xredist_int* member, xredist_int* info) {
  report("XREDIST_WAIT_MEMBER", xredist_wait_member(*request, narrowed(*member) - 1), of_member, info);
}

}  // extern "C"
