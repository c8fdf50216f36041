// SPDX-License-Identifier: BSD-3-Clause
// The C interface, called with arguments that a test writes in place.
#pragma once

#include <string>

#include "xredist/xredist.h"

namespace xredist::testing {

inline int create_plan(MPI_Comm comm, const xredist_layout& a, const xredist_layout& b,
                       const xredist_operation& operation, xredist_plan** plan) {
  return xredist_plan_create(comm, &a, &b, &operation, plan);
}

inline int execute_job(const xredist_job& job) { return xredist_execute(&job); }

inline int start_job(const xredist_job& job, xredist_request** request) { return xredist_start(1, &job, request); }

/// Returns the code and the sentence of xredist_error(), for instance "invalid: m is -1, must be at least 0"; "" for
/// XREDIST_SUCCESS.
inline std::string outcome(int code) {
  static constexpr const char* names[] = {"",        "no memory", "bad option", "disagreement", "peer failed",
                                          "invalid", "file"};
  return code == XREDIST_SUCCESS ? std::string() : std::string(names[code]) + ": " + xredist_error();
}

}  // namespace xredist::testing
