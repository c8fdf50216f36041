// SPDX-License-Identifier: BSD-3-Clause
// InvalidArgument and CodedError, and the conversion of all exceptions to the codes of xredist.h and the sentences of
// xredist_error(). No other code converts exceptions.
#pragma once

#include <array>
#include <exception>
#include <stdexcept>
#include <string_view>

#include "xredist/xredist.h"

namespace xredist::core {

/// An argument of the C interface is invalid. what() is the sentence for the user.
struct InvalidArgument : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// The code and the sentence of an error that has occurred already: in a function of the C interface that the library
/// has called, or on another process. Needs no memory, so that no process has another error instead.
struct CodedError : std::exception {
  CodedError(int of_error, std::string_view sentence) noexcept : code(of_error) {
    sentence.copy(text.data(), text.size() - 1);
  }
  const char* what() const noexcept override { return text.data(); }

  int code;
  std::array<char, 512> text{};
};

/// Keeps a sentence for xredist_error(). Returns the code.
int failure(xredist_code code, std::string_view sentence) noexcept;

/// Returns the code of the exception that is being handled, and keeps its text.
int failure_of_exception() noexcept;

/// Calls `body`. Returns XREDIST_SUCCESS, or the code of the exception that `body` throws.
template <class Body>
int coded(Body body) noexcept {
  try {
    body();
    return XREDIST_SUCCESS;
  } catch (...) {
    return failure_of_exception();
  }
}

}  // namespace xredist::core
