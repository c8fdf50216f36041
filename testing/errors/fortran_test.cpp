// SPDX-License-Identifier: BSD-3-Clause
// Errors in calls of the Fortran modules without INFO.
#include <array>
#include <cstddef>
#include <string>

#include "verdict.hpp"

extern "C" void wrong_call_(const int* number, const int* calls, char* sentence, std::size_t length);

namespace xredist::testing {
namespace {

// Makes a call, or none, and returns its sentence.
std::string wrong_call(int number, int calls) {
  std::array<char, 120> text;
  wrong_call_(&number, &calls, text.data(), text.size());
  const std::string sentence(text.data(), text.size());
  return sentence.substr(0, sentence.find_last_not_of(' ') + 1);
}

TEST(Fortran, NamesTheRoutineAndTheWrongArgument) {
  int number = 1;
  for (std::string sentence; !(sentence = wrong_call(number, 0)).empty(); ++number) {
    SCOPED_TRACE(sentence);
    expect_end(sentence, Ending::all, true, [&] { wrong_call(number, 1); });
  }
  EXPECT_EQ(number, 14);
}

}  // namespace
}  // namespace xredist::testing
