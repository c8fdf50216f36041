// SPDX-License-Identifier: BSD-3-Clause
// Many errors in one program. The library ends a program by Cblacs_abort; programs of this folder define Cblacs_abort
// themselves and continue with the next error.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "ranks.hpp"

namespace xredist::testing {

/// Which processes end with an error: all that call, or at least one.
enum class Ending { all, some };

/// Runs `call` on the processes where `calls` is true, and expects that they end with an error. The process that speaks
/// first must speak at least 300 ms before all others, because it then ends them: `text` must be in its only line. If
/// `text` is empty, expects that all calls return without a line. Collective.
void expect_end(const std::string& text, Ending ending, bool calls, const std::function<void()>& call);

/// Sets the environment variable of "NAME=VALUE" until the end of its life; does nothing for nullptr.
class Environment {
 public:
  explicit Environment(const char* assignment);
  ~Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  std::string name_;
};

/// An error, described as a change of the correct call in a Setting.
template <class Setting>
struct Case {
  const char* name;
  std::function<void(Setting&)> change;
  const char* text;                   ///< of expect_end
  bool alone = false;                 ///< only process 1 can find the error, so only process 1 calls
  bool late = false;                  ///< data moves before some of the processes find the error
  const char* environment = nullptr;  ///< "NAME=VALUE"
};

/// Setting has the members `all` (the context of the call), call() and untouched().
template <class Setting>
void expect_ends(const std::vector<Case<Setting>>& cases) {
  for (const Case<Setting>& one : cases) {
    SCOPED_TRACE(one.name);
    const Environment environment(one.environment);
    Setting setting;
    one.change(setting);
    expect_end(one.text, one.late ? Ending::some : Ending::all, setting.all.member() && (!one.alone || rank() == 1),
               [&] { setting.call(); });
    EXPECT_TRUE(one.late || *one.text == '\0' || setting.untouched());
  }
}

}  // namespace xredist::testing
