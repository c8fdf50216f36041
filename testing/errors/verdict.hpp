// SPDX-License-Identifier: BSD-3-Clause
// Many errors in one program. The library ends a program by Cblacs_abort; the programs of this folder define
// Cblacs_abort themselves and continue with the next error.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grid.hpp"
#include "ranks.hpp"

namespace xredist::testing {

/// Which of the processes that call end with an error. `one`: only process 1 can find the error, so only process 1
/// calls. `some`: the others return, because data moves before the error is found.
enum class Ending { all, one, some };

/// Runs `call` on the processes with `calls`, and expects that they end with an error. The process that speaks first
/// must speak at least 300 ms before all others, because it then ends them: `text` must be in its only line. If `text`
/// is empty, expects that all calls return and nothing is printed. Collective.
void expect_end(const std::string& text, Ending ending, bool calls, const std::function<void()>& call);

/// The arguments of a correct call: from a 2x1 grid to a 1x2 grid.
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

/// An error, described as a change of the correct call in a Setting. `text` is that of expect_end.
template <class Setting>
struct Case {
  std::function<void(Setting&)> change;
  const char* text;
  Ending ending = Ending::all;
};

/// Setting has the members of CallSetting, call(), and untouched(), which is true while the results are as before.
template <class Setting>
void expect_ends(const std::vector<Case<Setting>>& cases) {
  for (const auto& [change, text, ending] : cases) {
    SCOPED_TRACE(text);
    Setting setting;
    change(setting);
    const bool calls = setting.all.member() && (ending != Ending::one || rank() == 1);
    expect_end(text, ending, calls, [&] { setting.call(); });
    EXPECT_TRUE(ending == Ending::some || *text == '\0' || setting.untouched());
  }
}

}  // namespace xredist::testing
