// SPDX-License-Identifier: BSD-3-Clause
// The arguments of a correct call: from a 2x1 grid to a 1x2 grid.
#pragma once

#include <cstdlib>
#include <memory>

#include "grid.hpp"
#include "ranks.hpp"

namespace xredist::testing {

struct CallSetting {
  Context context_a, context_b, all{row_major(1, 2)};
  std::unique_ptr<Context> three;
  xredist_int m = 10, n = 10, ia = 1, ja = 1, ib = 1, jb = 1, ctxt = all.handle();
  xredist_int desca[9] = {1, context_a.handle(), 10, 10, 2, 2, 0, 0, 10};
  xredist_int descb[9] = {1, context_b.handle(), 10, 10, 2, 2, 0, 0, 10};

  CallSetting() : CallSetting(row_major(2, 1), row_major(1, 2)) {}
  CallSetting(const GridShape& a, const GridShape& b) : context_a(a), context_b(b) {}

  /// Puts A on three processes: the context of the call lacks one of them.
  void leave_out_one() {
    three = std::make_unique<Context>(row_major(1, 3));
    desca[1] = three->handle();
  }
};

/// Sets an environment variable until the end of its life.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Environment() { unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
};

}  // namespace xredist::testing
