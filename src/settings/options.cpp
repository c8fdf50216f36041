// SPDX-License-Identifier: BSD-3-Clause
#include "settings/options.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include "schedule/algorithm.hpp"

namespace xredist::core {
namespace {

struct OptionRow {
  std::string_view name;
  Index Options::*value;
  Index least, most;
};

// The environment variable of an option is XREDIST_ followed by its name in capitals.
constexpr OptionRow table[] = {
    {"buffer", &Options::buffer, Index{1} << 20, Index{1} << 36},  // 1M to 64G: the size of a packet must fit an int
    {"cache", &Options::cache, 1, 1 << 20},
    {"verbose", &Options::verbose, 0, 2},
    {"check", &Options::check, 0, 1},
    {"report", &Options::report, 0, 1},
    {"shared", &Options::shared, 0, 1},
    {"permits", &Options::permits, 0, 2},
    {"algorithm", &Options::algorithm, 0, 0},  // given by name
    {"route", &Options::route, 0, 0},          // given by name
    {"threads", &Options::threads, 1, 1024},
    {"alpha", &Options::alpha, 1, 1'000'000'000},
    {"beta", &Options::beta, 1, 1'000'000'000},
};

// Returns a whole number, which may end in K, M or G for powers of 1024; nothing if the text is something else.
std::optional<Index> number_in(std::string_view text) {
  const char* end = text.data() + text.size();
  Index value = 0;
  const auto [stop, failed] = std::from_chars(text.data(), end, value);
  if (failed != std::errc{} || end - stop > 1) return std::nullopt;
  if (stop == end) return value;
  const int shift = *stop == 'K' ? 10 : *stop == 'M' ? 20 : *stop == 'G' ? 30 : 0;
  if (shift == 0 || __builtin_mul_overflow(value, Index{1} << shift, &value)) return std::nullopt;
  return value;
}

// Returns the names that an option takes as values, in the order of the numbers that they stand for; none if it takes
// numbers.
std::vector<std::string_view> names_of(const OptionRow& row) {
  if (row.value == &Options::route) return {"by-cost", "direct", "two-hop"};
  std::vector<std::string_view> names;
  if (row.value == &Options::algorithm)
    for (const Algorithm& algorithm : algorithms()) names.push_back(algorithm.name);
  return names;
}

// The radices of a mesh as an option: a byte for each, after the byte of the names.
constexpr int max_radices = 7, radix_bits = 8, max_radix = 127;

// Returns the value that stands for "4x4x2", or nothing if the text is something else.
std::optional<Index> mesh_of(std::string_view text) {
  Index value = 0;
  for (int k = 1; k <= max_radices; ++k) {
    const std::size_t end = std::min(text.find('x'), text.size());
    Index radix = 0;
    const auto [stop, failed] = std::from_chars(text.data(), text.data() + end, radix);
    if (failed != std::errc{} || stop != text.data() + end || radix < 2 || radix > max_radix) return std::nullopt;
    value |= radix << (radix_bits * k);
    if (end == text.size()) return value;
    text.remove_prefix(end + 1);
  }
  return std::nullopt;
}

// Returns what is wrong with the value, or an empty text.
std::string set(Options& options, const OptionRow& row, std::string_view text) {
  if (const std::vector<std::string_view> names = names_of(row); !names.empty()) {
    const Index place = std::ranges::find(names, text) - names.begin();
    if (place < std::ssize(names)) {
      options.*row.value = place;
      return {};
    }
    if (const auto mesh = row.value == &Options::route ? mesh_of(text) : std::nullopt) {
      options.route = *mesh;
      return {};
    }
    std::string wrong = "expected one of";
    for (const std::string_view name : names) wrong.append(name == names.front() ? " " : ", ").append(name);
    if (row.value == &Options::route) wrong += ", or up to 7 radices from 2 to 127, as 4x4x2";
    return wrong;
  }
  const std::optional<Index> value = number_in(text);
  if (!value || *value < row.least || *value > row.most) {
    if (row.value == &Options::buffer) return "expected a size such as 64M, from 1M to 64G";
    return "expected a whole number from " + std::to_string(row.least) + " to " + std::to_string(row.most);
  }
  options.*row.value = *value;
  return {};
}

// Variables of other parts of the project, without XREDIST_: the log, the Python package, and emulated networks.
// Module files may set ROOT and DIR, the folder of an installation.
constexpr std::string_view other_variables[] = {"LOG", "LIBRARY", "NAMESPACES", "ROOT", "DIR"};
// Their beginnings: xredist-try and the tests have several each.
constexpr std::string_view other_beginnings[] = {"TRY_", "TEST_"};

bool belongs_to_others(std::string_view name) {
  return std::ranges::find(other_variables, name) != std::end(other_variables) ||
         std::ranges::any_of(other_beginnings, [&](std::string_view begin) { return name.starts_with(begin); });
}

// Returns whether a variable, without XREDIST_, is the one of an option.
bool is_variable_of(std::string_view name, const OptionRow& row) {
  return std::ranges::equal(name, row.name, [](char upper, char lower) { return upper - 'A' == lower - 'a'; });
}

}  // namespace

// Reads the environment once, because getenv would read it once for each option.
EnvironmentOptions options_from_environment() {
  constexpr std::string_view prefix = "XREDIST_";
  EnvironmentOptions found;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    // The first letter decides for most: an environment may have hundreds of variables.
    if (**variable != prefix.front() || std::strncmp(*variable, prefix.data(), prefix.size()) != 0) continue;
    const std::string_view text = *variable;
    const std::size_t end = std::min(text.find('='), text.size());
    const std::string_view value = text.substr(std::min(end + 1, text.size()));
    const std::string_view name = text.substr(prefix.size(), end - prefix.size());
    const OptionRow* row =
        std::ranges::find_if(table, [&](const OptionRow& each) { return is_variable_of(name, each); });
    if (row == std::end(table)) {
      if (!belongs_to_others(name)) found.unknown.append(found.unknown.empty() ? "" : ", ").append(text.substr(0, end));
    } else if (!value.empty()) {
      if (const std::string wrong = set(found.options, *row, value); !wrong.empty())
        found.error = std::string(text) + ": " + wrong;
    }
  }
  return found;
}

std::vector<int> radices_of(Index route) {
  std::vector<int> radices;
  while ((route >>= radix_bits) > 0) radices.push_back(static_cast<int>(route & ((1 << radix_bits) - 1)));
  return radices;
}

std::string set_option(Options& options, std::string_view name, std::string_view value) {
  for (const OptionRow& row : table)
    if (row.name == name) return set(options, row, value);
  return "no such option";
}

}  // namespace xredist::core
