// SPDX-License-Identifier: BSD-3-Clause
// Failures of the C interface. Functions of the library throw; only functions that a program can call turn exceptions
// into the codes of xredist.h and the sentences of xredist_error().
#pragma once

#include <array>
#include <exception>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "xredist/xredist.h"

namespace xredist::core {

/// A code and its sentence. Needs no memory, so that every failure can be reported and sent to other processes.
struct Failure : std::exception {
  Failure(int of_failure, std::string_view text) noexcept : code(of_failure) {
    text.copy(sentence.data(), sentence.size() - 1);
  }
  const char* what() const noexcept override { return sentence.data(); }

  int code;
  std::array<char, 512> sentence{};
};

/// The failure that an argument is invalid.
struct InvalidArgument : Failure {
  explicit InvalidArgument(std::string_view text) noexcept : Failure(XREDIST_INVALID_ARGUMENT, text) {}
};

/// Throws the failure of a function of the C interface that has just returned `code`, unless it has succeeded.
inline void demand_success(int code) {
  if (code != XREDIST_SUCCESS) throw Failure(code, xredist_error());
}

/// Returns the failure that the exception under way stands for. No other function converts exceptions.
Failure current_failure() noexcept;

/// The value of a computation, or its failure.
template <class Value>
class Attempt {
 public:
  Attempt(Value value) : outcome_(std::move(value)) {}
  Attempt(const Failure& failure) noexcept : outcome_(failure) {}

  /// Returns the failure, or nullptr.
  const Failure* failure() const { return std::get_if<Failure>(&outcome_); }
  /// Returns the value, or throws the failure.
  Value value() && {
    if (const Failure* failed = failure()) throw *failed;
    return std::get<Value>(std::move(outcome_));
  }
  /// Returns the value, or nullptr.
  Value* get() { return std::get_if<Value>(&outcome_); }
  const Value* get() const { return std::get_if<Value>(&outcome_); }

 private:
  std::variant<Value, Failure> outcome_;
};

/// Returns the value of `compute` on this process, or its failure. The value of a function of type void is `true`.
template <class Compute>
auto attempt(Compute compute) noexcept {
  using Value = decltype(compute());
  if constexpr (std::is_void_v<Value>) {
    return attempt([&] { return compute(), true; });
  } else {
    try {
      return Attempt<Value>(compute());
    } catch (...) {
      return Attempt<Value>(current_failure());
    }
  }
}

/// Keeps the sentence of a failure for xredist_error(), and returns its code; XREDIST_SUCCESS without a failure.
int code_of(const Failure* failure) noexcept;

/// Runs the body of a function that a program calls, and returns its code.
template <class Body>
int coded(Body body) noexcept {
  return code_of(attempt(body).failure());
}

}  // namespace xredist::core
