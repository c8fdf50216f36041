// SPDX-License-Identifier: BSD-3-Clause
// Tables of invalid calls: a change of a correct call, and the sentence of xredist_error().
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace xredist::testing {

/// `sentence` is empty if the changed call is correct.
template <class Call>
struct Row {
  std::function<void(Call&)> change;
  std::string sentence;
};

/// Changes a new Call for each row. Expects that `outcome` returns the sentence, with its code.
template <class Call>
void expect_rows(const std::vector<Row<Call>>& rows, std::string (Call::*outcome)() const) {
  for (const auto& [change, sentence] : rows) {
    Call call;
    change(call);
    EXPECT_EQ((call.*outcome)(), sentence.empty() ? "" : "invalid: " + sentence);
  }
}

}  // namespace xredist::testing
