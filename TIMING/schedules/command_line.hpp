// SPDX-License-Identifier: BSD-3-Clause
// Command lines, which CLI11 parses, and the notation of cases: "2x4/64x64:16/3".
#pragma once

#undef exit  // SimGrid's compiler defines a macro with the name of this member of CLI::App
#include <CLI/CLI.hpp>
#include <array>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "schedules/case.hpp"

namespace cases {

/// Parses the command line. Returns false if the user asked for help, after writing the help to `out`. Throws
/// std::invalid_argument with one line that names the wrong argument.
bool parsed(CLI::App& app, int argc, const char* const* argv, std::ostream& out);

/// Accepts whole numbers from 1.
inline CLI::Range positive() { return {1, std::numeric_limits<int>::max(), "POSITIVE"}; }

/// Adds an option with one or several values, separated by commas.
template <class Value>
CLI::Option* list(CLI::App& app, const std::string& name, std::vector<Value>& values, const std::string& help) {
  CLI::Option* const option = app.add_option(name, values, help)->delimiter(',')->type_name("X,...");
  return values.empty() ? option : option->capture_default_str();
}

constexpr Index max_int = std::numeric_limits<int>::max();  ///< of grids and blocks, as in ScaLAPACK
constexpr Index max_elements = Index{1} << 60;              ///< along one dimension

/// Adds an option with numbers from `min` to `max` that a letter joins: "4x8", or "1,1 5,3" for four numbers.
template <class... Number>
CLI::Option* joined(CLI::App& app, const std::string& name, char joint, Index min, Index max, const std::string& help,
                    Number&... values) {
  const auto set = [&values...](const std::array<Index, sizeof...(values)>& all) {
    std::size_t k = 0;
    ((values = static_cast<Number>(all[k++])), ...);
  };
  return app.add_option_function<std::array<Index, sizeof...(values)>>(name, set, help)
      ->delimiter(joint)
      ->check(CLI::Range(min, max));
}

/// The limits of an option with a number for each dimension.
struct SidesLimits {
  Index max;         ///< of each number; the minimum is 1
  std::size_t dims;  ///< number of dimensions; 0: 1 to max_dims
};
constexpr std::size_t max_dims = 15;  ///< as XREDIST_MAX_DIMS

/// Adds an option with a number for each dimension, which x joins: "4x8x2".
CLI::Option* sides(CLI::App& app, const std::string& name, SidesLimits limits, const std::string& help,
                   std::vector<Index>& values);

/// Reads A and B, "2x4/64x64:16/3", without a size; "16/3" is short for 16x1/3x1. CLI11 calls this function.
bool lexical_cast(const std::string& text, Case& c);

}  // namespace cases
