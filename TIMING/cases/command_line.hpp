// SPDX-License-Identifier: BSD-3-Clause
// What the command lines of all programs have in common; CLI11 reads them.
#pragma once

#undef exit  // a function of CLI11, but SimGrid's compiler makes a macro of it
#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

namespace cases {

/// False if help was asked for, which is then written to `out`. Throws std::invalid_argument with one line, which names
/// the argument that is wrong.
bool parsed(CLI::App& app, int argc, const char* const* argv, std::ostream& out);

/// A whole number, 1 at least.
inline CLI::Range positive() { return {1, std::numeric_limits<int>::max(), "POSITIVE"}; }

/// One or several values, separated by commas.
template <class Value>
CLI::Option* list(CLI::App& app, const std::string& name, std::vector<Value>& values, const std::string& what) {
  CLI::Option* const option = app.add_option(name, values, what)->delimiter(',')->type_name("X,...");
  return values.empty() ? option : option->capture_default_str();
}

/// "16M": a whole number with K, M or G.
inline CLI::Option* bytes(CLI::App& app, const std::string& name, std::uint64_t& value, const std::string& what) {
  return app.add_option(name, value, what)
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 60));
}

}  // namespace cases
