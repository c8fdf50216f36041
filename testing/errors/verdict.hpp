// SPDX-License-Identifier: BSD-3-Clause
// Many errors in one program. The library ends a program by Cblacs_abort; the programs of this folder define
// Cblacs_abort themselves and continue with the next error.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "setting.hpp"

namespace xredist::testing {

/// Which of the processes that call end with an error. `one`: only process 1 can find the error, so only process 1
/// calls. `some`: the others return, because data moves before the error is found.
enum class Ending { all, one, some };

/// Runs `call` on the processes with `calls`, and expects that they end with an error. The process that speaks first
/// must speak at least 300 ms before all others, because it then ends them: `text` must be in its only line. If `text`
/// is empty, expects that all calls return and nothing is printed. Collective.
void expect_end(const std::string& text, Ending ending, bool calls, const std::function<void()>& call);

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
