// SPDX-License-Identifier: BSD-3-Clause
// The routines of plans.h for Fortran, which module xredist declares. They call the functions for C. Without INFO, an
// error ends the program.
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <string>

#include "api/arguments.hpp"
#include "api/codes.hpp"
#include "api/plan.hpp"
#include "scalapack/call.hpp"
#include "xredist/plans.h"

namespace xredist::core {
namespace {

// An argument that may be wrong: the code that the function for C returns then, the number of the argument in Fortran,
// and the message.
struct Argument {
  int code, number;
  const char *name, *why;
};
using Arguments = std::initializer_list<Argument>;

constexpr const char* of_array = "is NULL on a process that holds a part of it";
constexpr Argument plan{-2, 1, "PLAN", "is not a plan, or its context has been freed"};
constexpr Arguments of_one{plan, {-3, 2, "A", of_array}, {-5, 3, "B", of_array}};
constexpr Arguments of_batch{{-1, 1, "COUNT", "is less than 1"},
                             {-2, 2, "PLANS", "has an element that is not a plan, or plans of several contexts"},
                             {-3, 3, "A", of_array},
                             {-5, 4, "B", of_array}};
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

// Returns the rank by which the message waits: processes of lower rank print an error first that they have seen as
// well.
int rank_of(int error) {
  if (error == XREDIST_PEER_FAILED) return std::numeric_limits<int>::max();
  return error == XREDIST_NO_MEMORY ? 0 : world_rank();
}

// Sets INFO for the code that a function for C has returned, or ends the program.
void report(const char* routine, int error, const Arguments& arguments, xredist_int* info) noexcept {
  int result = error;
  std::string text = text_of(error);
  for (const auto& [code, number, name, why] : arguments)
    if (error == code) {
      result = -number;
      text = "argument " + std::to_string(number) + " (" + name + ") " + why;
    }
  if (info != nullptr)
    *info = result;
  else if (result != 0)
    fail({.routine = routine, .form = Form::general, .m = 0, .n = 0, .a = {}, .b = {}, .whole_world = true},
         rank_of(error), {{}, text});
}

int start(int count, xredist_plan* const* plans, const void* const* a, void* const* b, xredist_request** request) {
  return start_batch({count, plans, a, nullptr, b, nullptr}, request);
}

int narrowed(xredist_int number) { return number == static_cast<int>(number) ? static_cast<int>(number) : 0; }

}  // namespace
}  // namespace xredist::core

using namespace xredist::core;

extern "C" {

void xredist_plan_from_descriptors_(const char* type, const char* uplo, const char* diag, const xredist_int* m,
                                    const xredist_int* n, const xredist_int* ia, const xredist_int* ja,
                                    const xredist_int* desca, const xredist_int* ib, const xredist_int* jb,
                                    const xredist_int* descb, const xredist_int* ctxt, xredist_plan** made,
                                    xredist_int* info) {
  xredist_plan_from_descriptors(*type, *uplo, *diag, *m, *n, *ia, *ja, desca, *ib, *jb, descb, *ctxt, made, info);
}

void xredist_plan_operation_from_descriptors_(const xredist_operation* operation, const xredist_int* m,
                                              const xredist_int* n, const xredist_int* ia, const xredist_int* ja,
                                              const xredist_int* desca, const xredist_int* ib, const xredist_int* jb,
                                              const xredist_int* descb, const xredist_int* ctxt, xredist_plan** made,
                                              xredist_int* info) {
  xredist_plan_operation_from_descriptors(operation, *m, *n, *ia, *ja, desca, *ib, *jb, descb, *ctxt, made, info);
}

void xredist_plan_cuts_from_descriptors_(const xredist_operation* operation, const xredist_int* m, const xredist_int* n,
                                         const xredist_int* ia, const xredist_int* ja, const xredist_int* desca,
                                         const xredist_cuts* rows_a, const xredist_cuts* cols_a, const xredist_int* ib,
                                         const xredist_int* jb, const xredist_int* descb, const xredist_cuts* rows_b,
                                         const xredist_cuts* cols_b, const xredist_int* ctxt, xredist_plan** made,
                                         xredist_int* info) {
  xredist_plan_cuts_from_descriptors(operation, *m, *n, *ia, *ja, desca, rows_a, cols_a, *ib, *jb, descb, rows_b,
                                     cols_b, *ctxt, made, info);
}

void xredist_set_scalars_(xredist_plan* const* handle, const void* alpha, const void* beta, xredist_int* info) {
  report("XREDIST_SET_SCALARS", xredist_set_scalars(*handle, alpha, beta), {{-1, 1, "PLAN", "is not a plan"}}, info);
}

void xredist_plan_destroy_(xredist_plan** handle) {
  xredist_plan_destroy(*handle);
  *handle = nullptr;
}

void xredist_set_context_option_(const xredist_int* ctxt, const char* name, const char* value, xredist_int* info,
                                 size_t name_length, size_t value_length) {
  const int error = coded([&] {
    return xredist_set_context_option(*ctxt, trimmed(name, name_length).c_str(), trimmed(value, value_length).c_str());
  });
  report("XREDIST_SET_CONTEXT_OPTION", error, of_option, info);
}

void xredist_execute_(xredist_plan* const* handle, const void* a, void* b, xredist_int* info) {
  xredist_request* request = nullptr;
  const int error = start(1, handle, &a, &b, &request);
  report("XREDIST_EXECUTE", error != 0 ? error : xredist_wait(&request), of_one, info);
}

void xredist_start_(xredist_plan* const* handle, const void* a, void* b, xredist_request** request, xredist_int* info) {
  report("XREDIST_START", start(1, handle, &a, &b, request), of_one, info);
}

void xredist_start_batch_(const xredist_int* count, xredist_plan* const* plans, const void* const* a, void* const* b,
                          xredist_request** request, xredist_int* info) {
  report("XREDIST_START_BATCH", start(narrowed(*count), plans, a, b, request), of_batch, info);
}

void xredist_test_(xredist_request** request, xredist_int* done, xredist_int* info) {
  int over = 0;
  const int error = xredist_test(request, &over);
  *done = over;
  report("XREDIST_TEST", error, {}, info);
}

void xredist_wait_(xredist_request** request, xredist_int* info) {
  report("XREDIST_WAIT", xredist_wait(request), {}, info);
}

void xredist_test_member_(xredist_request* const* request, const xredist_int* member, xredist_int* done,
                          xredist_int* info) {
  int over = 0;
  const int error = xredist_test_member(*request, narrowed(*member) - 1, &over);
  *done = over;
  report("XREDIST_TEST_MEMBER", error, of_member, info);
}

void xredist_wait_member_(xredist_request* const* request, const xredist_int* member, xredist_int* info) {
  report("XREDIST_WAIT_MEMBER", xredist_wait_member(*request, narrowed(*member) - 1), of_member, info);
}

}  // extern "C"
