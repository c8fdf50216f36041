// SPDX-License-Identifier: BSD-3-Clause
// Command lines, which CLI11 parses, and the notation of cases: "4x8", "1,1", "2x4/64x64:16/3".
#pragma once

#undef exit  // SimGrid's compiler defines a macro with the name of this member of CLI::App
#include <CLI/CLI.hpp>
#include <cstdint>
#include <istream>
#include <limits>
#include <ostream>
#include <sstream>
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

/// Adds an option with a number of bytes, "16M": a whole number with K, M or G.
inline CLI::Option* bytes(CLI::App& app, const std::string& name, std::uint64_t& value, const std::string& help) {
  return app.add_option(name, value, help)
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 60));
}

constexpr Index max_int = std::numeric_limits<int>::max();  ///< of grids and blocks, as in ScaLAPACK
constexpr Index max_elements = Index{1} << 60;              ///< along one dimension

/// Reads a whole number; `in` fails unless the number is in [min, max].
Index whole(std::istream& in, Index min, Index max);

/// Extracts the letter if it comes next. Returns whether it did.
bool takes(std::istream& in, char letter);

/// Two numbers in [min, max], joined by a letter.
template <char joint, Index min, Index max>
struct Pair {
  Index row = min, col = min;

  friend std::istream& operator>>(std::istream& in, Pair& x) {
    x.row = whole(in, min, max);
    if (!takes(in, joint)) in.setstate(std::ios::failbit);
    x.col = whole(in, min, max);
    return in;
  }
};
using Grid = Pair<'x', 1, max_int>;
using Size = Pair<'x', 1, max_elements>;
using ElementPosition = Pair<',', 1, max_elements>;
using Source = Pair<',', 0, max_int>;

/// Reads a grid and blocks, "2x4/64x64"; "16/3" is short for 16x1/3x1.
std::istream& operator>>(std::istream& in, Matrix& x);

/// Reads A and B, "16/3:16/5", without a size.
std::istream& operator>>(std::istream& in, Case& c);

/// Reads all of `text`. CLI11 calls lexical_cast; without it, CLI11 would accept a single number for a Pair.
template <class Value>
bool reads(const std::string& text, Value& x) {
  std::istringstream in(text);
  return (in >> x) && in.peek() == std::istream::traits_type::eof();
}
template <char joint, Index min, Index max>
bool lexical_cast(const std::string& text, Pair<joint, min, max>& x) {
  return reads(text, x);
}
inline bool lexical_cast(const std::string& text, Case& x) { return reads(text, x); }

/// Returns the notation of a case, in the short form if possible.
std::string text_of(const Case& c);

}  // namespace cases
