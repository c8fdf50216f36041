// SPDX-License-Identifier: BSD-3-Clause
// The routines of module xredist without arrays. Each calls the C function of its name. Without INFO, an error ends the
// program.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <string_view>

#include "api/arguments.hpp"
#include "api/failure.hpp"
#include "api/plan_calls.hpp"
#include "fortran/info.hpp"
#include "scalapack/context_plans.hpp"
#include "scalapack/routine.hpp"
#include "xredist/blacs.h"
#include "xredist/gridmap.h"

// Last, because other headers remove its macro XREDIST_API.
#include "xredist/begin.h"

namespace xredist::core {
namespace {

// Returns the rank that tells `fail` when this process prints: a process that has the error alone prints at once.
int speaking_rank(int code, bool everywhere) {
  if (code == XREDIST_PEER_FAILED) return std::numeric_limits<int>::max();
  return code == XREDIST_NO_MEMORY && !everywhere ? 0 : world_rank();
}

}  // namespace

void set_info(const char* routine, int code, xredist_int* info, bool everywhere) noexcept {
  if (info != nullptr) {
    *info = code;
  } else if (code != 0) {
    end_program(routine, {}, speaking_rank(code, everywhere), xredist_error());
  }
}

}  // namespace xredist::core

using namespace xredist::core;

extern "C" {

XREDIST_API void xredist_error_text_(char* text, std::size_t length) {
  const std::string_view error = xredist_error();
  const std::size_t copied = std::min(length, error.size());
  std::fill(std::copy_n(error.data(), copied, text), text + length, ' ');
}

XREDIST_API void xredist_plan_destroy_(xredist_plan** plan) {
  xredist_plan_destroy(*plan);
  *plan = nullptr;
}

XREDIST_API void xredist_plan_query_(xredist_plan* const* plan, xredist_plan_info* details, xredist_int* info) {
  set_info("XREDIST_PLAN_QUERY", xredist_plan_query(*plan, details), info);
}

XREDIST_API void xredist_set_option_(const xredist_int* ctxt, const char* name, const char* value, xredist_int* info,
                                     std::size_t name_length, std::size_t value_length) {
  const int code = coded(
      [&] { set_option_on_context(*ctxt, trimmed(name, name_length).c_str(), trimmed(value, value_length).c_str()); });
  set_info("XREDIST_SET_OPTION", code, info);
}

XREDIST_API void xredist_set_option_comm_(const xredist_int* comm, const char* name, const char* value,
                                          xredist_int* info, std::size_t name_length, std::size_t value_length) {
  const int code = coded([&] {
    set_option_on(communicator_from(*comm), trimmed(name, name_length).c_str(), trimmed(value, value_length).c_str());
  });
  set_info("XREDIST_SET_OPTION_COMM", code, info);
}

// The map is complete on all processes, or all have the same error.
XREDIST_API void xredist_gridmap_(const xredist_int* m, const xredist_int* n, const xredist_int* ia,
                                  const xredist_int* ja, const xredist_int* desca, const xredist_int* ib,
                                  const xredist_int* jb, const xredist_int* mb, const xredist_int* nb,
                                  const xredist_int* rsrc, const xredist_int* csrc, const xredist_int* nprow,
                                  const xredist_int* npcol, const xredist_int* ctxt, xredist_int* usermap,
                                  const xredist_int* ldumap, double* kept, xredist_int* info) {
  const int code = xredist_gridmap(*m, *n, *ia, *ja, desca, *ib, *jb, *mb, *nb, *rsrc, *csrc, *nprow, *npcol, *ctxt,
                                   usermap, *ldumap, kept);
  set_info("XREDIST_GRIDMAP", code, info, true);
}

XREDIST_API void xredist_test_(xredist_request** request, xredist_int* done, xredist_int* info) {
  int over = 0;
  const int code = xredist_test(request, &over);
  *done = over;
  set_info("XREDIST_TEST", code, info);
}

XREDIST_API void xredist_wait_(xredist_request** request, xredist_int* info) {
  set_info("XREDIST_WAIT", xredist_wait(request), info);
}

// Fortran counts members from 1.
XREDIST_API void xredist_test_member_(xredist_request* const* request, const xredist_int* member, xredist_int* done,
                                      xredist_int* info) {
  int over = 0;
  const int code = coded([&] {
    demand_member(*request, *member, 1);
    over = test_member(*request, static_cast<int>(*member - 1)) ? 1 : 0;
  });
  *done = over;
  set_info("XREDIST_TEST_MEMBER", code, info);
}

XREDIST_API void xredist_wait_member_(xredist_request* const* request, const xredist_int* member, xredist_int* info) {
  const int code = coded([&] {
    demand_member(*request, *member, 1);
    wait_for_member(*request, static_cast<int>(*member - 1));
  });
  set_info("XREDIST_WAIT_MEMBER", code, info);
}

}  // extern "C"
