// SPDX-License-Identifier: BSD-3-Clause
#include "settings/options.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "schedule/algorithm.hpp"

namespace xredist::core {
namespace {

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

// Returns the mesh of "4x4x2", or nothing if the text is something else.
std::optional<RouteOption> mesh_of(std::string_view text) {
  constexpr int max_radix = 127;
  RouteOption route{RouteOption::Kind::over_mesh};
  for (std::uint8_t& radix : route.radices) {
    const std::size_t end = std::min(text.find('x'), text.size());
    int number = 0;
    const auto [stop, failed] = std::from_chars(text.data(), text.data() + end, number);
    if (failed != std::errc{} || stop != text.data() + end || number < 2 || number > max_radix) return std::nullopt;
    radix = static_cast<std::uint8_t>(number);
    if (end == text.size()) return route;
    text.remove_prefix(end + 1);
  }
  return std::nullopt;
}

// The kinds of values. Each has a function that sets an option; it returns the reason if the text is invalid, otherwise
// an empty text.
struct Number {
  Index Options::*value;
  Index least, most;
};
struct Size {
  Index Options::*value;
  Index least = Index{1} << 20;
};
struct Flag {
  bool Options::*value;
};
struct CheckLevel {
  Options::Check Options::*value;
};
struct Permission {
  Options::Permits Options::*value;
};
struct ByAlgorithm {
  AlgorithmId Options::*value;
};
struct ByRoute {
  RouteOption Options::*value;
};
struct Watching {
  Index Options::*value;
};

std::string set(Options& options, const Number& number, std::string_view text) {
  const std::optional<Index> value = number_in(text);
  if (!value || *value < number.least || *value > number.most)
    return "expected a whole number from " + std::to_string(number.least) + " to " + std::to_string(number.most);
  options.*number.value = *value;
  return {};
}

// At most 64G: the size of a packet must fit an int.
std::string set(Options& options, const Size& size, std::string_view text) {
  const std::optional<Index> value = number_in(text);
  if (!value || *value < size.least || *value > Index{1} << 36)
    return std::string("expected a size such as 64M, from ") + (size.least < 1 << 20 ? "512K" : "1M") + " to 64G";
  options.*size.value = *value;
  return {};
}

std::string set(Options& options, const Flag& flag, std::string_view text) {
  const std::optional<Index> value = number_in(text);
  if (!value || *value < 0 || *value > 1) return "expected a whole number from 0 to 1";
  options.*flag.value = *value == 1;
  return {};
}

std::string set(Options& options, const Permission& permission, std::string_view text) {
  using enum Options::Permits;
  constexpr Options::Permits of_number[] = {never, on_slow_networks, always};
  const std::optional<Index> value = number_in(text);
  if (!value || *value < 0 || *value > 2) return "expected a whole number from 0 to 2";
  options.*permission.value = at(of_number, *value);
  return {};
}

std::string expected(std::span<const std::string_view> names) {
  std::string text = "expected one of";
  for (const std::string_view name : names) text.append(name == names.front() ? " " : ", ").append(name);
  return text;
}

constexpr std::string_view check_names[] = {"local", "message", "reduction", "0", "1"};
// A level has a name; 0 and 1 stand for the first and the last one.
std::string set(Options& options, const CheckLevel& level, std::string_view text) {
  using enum Options::Check;
  static constexpr Options::Check levels[] = {local, message, reduction, local, reduction};
  const auto* found = std::ranges::find(check_names, text);
  if (found == std::end(check_names)) return expected(check_names);
  options.*level.value = levels[found - check_names];
  return {};
}

std::string set(Options& options, const ByAlgorithm& by_name, std::string_view text) {
  std::vector<std::string_view> names;
  for (const Algorithm& algorithm : algorithms()) names.push_back(algorithm.name);
  const auto found = std::ranges::find(names, text);
  if (found == names.end()) return expected(names);
  options.*by_name.value = static_cast<AlgorithmId>(found - names.begin());
  return {};
}

constexpr std::string_view route_names[] = {"by-cost", "direct", "two-hop"};
std::string set(Options& options, const ByRoute& route, std::string_view text) {
  using enum RouteOption::Kind;
  static constexpr RouteOption::Kind kinds[] = {by_cost, direct, over_mesh};
  if (const auto* found = std::ranges::find(route_names, text); found != std::end(route_names))
    options.*route.value = {kinds[found - route_names]};
  else if (const std::optional<RouteOption> mesh = mesh_of(text))
    options.*route.value = *mesh;
  else
    return expected(route_names) + ", or up to 7 radices from 2 to 127, as 4x4x2";
  return {};
}

std::string set(Options& options, const Watching& watching, std::string_view text) {
  const std::optional<WatchOption> option = watch_option(text);
  if (!option) return "expected seconds, a whole number from 0 to 1000000, or seconds:folder";
  options.*watching.value = option->seconds;
  return {};
}

// The text of each kind of values, as set() reads it.
std::string text_of(const Options& options, const Number& number) { return std::to_string(options.*number.value); }
std::string text_of(const Options& options, const Size& size) { return std::to_string(options.*size.value); }
std::string text_of(const Options& options, const Flag& flag) { return options.*flag.value ? "1" : "0"; }
std::string text_of(const Options& options, const CheckLevel& level) {
  return std::string(at(check_names, static_cast<Index>(options.*level.value)));
}
std::string text_of(const Options& options, const Permission& permission) {
  return std::to_string(static_cast<int>(options.*permission.value));
}
std::string text_of(const Options& options, const ByAlgorithm& by_name) {
  return std::string(algorithm(options.*by_name.value).name);
}
std::string text_of(const Options& options, const ByRoute& by_name) {
  const RouteOption& route = options.*by_name.value;
  std::string text;
  for (const int radix : radices_of(route)) text.append(text.empty() ? "" : "x").append(std::to_string(radix));
  return text.empty() ? std::string(at(route_names, static_cast<Index>(route.kind))) : text;
}
std::string text_of(const Options& options, const Watching& watching) {
  return std::to_string(options.*watching.value);  // the folder belongs to the process
}

struct OptionRow {
  std::string_view name;
  std::variant<Number, Size, Flag, CheckLevel, Permission, ByAlgorithm, ByRoute, Watching> value;
  bool of_plan = false;  // one plan may have another value than its communicator
};

// The environment variable of an option is XREDIST_ followed by its name in capitals.
constexpr OptionRow table[] = {
    {"buffer", Size{&Options::buffer}, true},
    {"cache", Number{&Options::cache, 1, 1 << 20}},
    {"plans", Size{&Options::plans}},
    {"verbose", Number{&Options::verbose, 0, 2}},
    {"check", CheckLevel{&Options::check}},
    {"report", Flag{&Options::report}},
    {"shared", Flag{&Options::shared}},
    {"permits", Permission{&Options::permits}, true},
    {"algorithm", ByAlgorithm{&Options::algorithm}, true},
    {"route", ByRoute{&Options::route}, true},
    {"threads", Number{&Options::threads, 1, 1024}, true},
    {"packet", Number{&Options::packet, 0, 1 << 26}, true},
    {"tune", Number{&Options::tune, 0, 2}},
    {"alpha", Number{&Options::alpha, 1, 1'000'000'000}, true},
    {"beta", Number{&Options::beta, 1, 1'000'000'000}, true},
    {"watch", Watching{&Options::watch}},
};

// Returns the row of an option, or nullptr.
const OptionRow* row_named(std::string_view name) {
  const OptionRow* const row = std::ranges::find(table, name, &OptionRow::name);
  return row == std::end(table) ? nullptr : row;
}

constexpr const char* unknown_name = "no such option";

// Sets an option. Returns the reason if the text is invalid, otherwise an empty text.
std::string set(Options& options, const OptionRow& row, std::string_view text) {
  return std::visit([&](const auto& value) { return set(options, value, text); }, row.value);
}

// Sets an option of one plan. Returns the reason as above.
std::string set_plan_option(Options& options, std::string_view name, std::string_view value) {
  const OptionRow* const row = row_named(name);
  if (row == nullptr) return unknown_name;
  if (!row->of_plan) return "not an option of one plan";
  if (const Size* size = std::get_if<Size>(&row->value)) return set(options, Size{size->value, size->least / 2}, value);
  return set(options, *row, value);
}

// Variables of other parts of the project, without XREDIST_: the log, the file of results, the Python package, and
// emulated networks. Module files may set ROOT and DIR, the folder of an installation.
constexpr std::string_view other_variables[] = {"LOG", "TUNED", "LIBRARY", "NAMESPACES", "ROOT", "DIR"};
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

std::optional<WatchOption> watch_option(std::string_view text) {
  constexpr Index most = 1'000'000;
  const std::size_t end = std::min(text.find(':'), text.size());
  const std::optional<Index> seconds = number_in(text.substr(0, end));
  if (!seconds || *seconds < 0 || *seconds > most || end + 1 == text.size()) return std::nullopt;
  return WatchOption{*seconds, end == text.size() ? std::string() : std::string(text.substr(end + 1))};
}

std::vector<int> radices_of(const RouteOption& route) {
  return {route.radices.begin(), std::ranges::find(route.radices, 0)};
}

std::optional<std::string> option_text(const Options& options, std::string_view name) {
  const OptionRow* const row = row_named(name);
  if (row == nullptr) return std::nullopt;
  return std::visit([&](const auto& value) { return text_of(options, value); }, row->value);
}

std::string set_plan_options(Options& options, std::string_view text) {
  Options changed = options;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.empty()) break;
    const std::string_view one = text.substr(0, text.find(' '));
    text.remove_prefix(one.size());
    const std::size_t end = one.find('=');
    if (end == one.npos) return std::string(one) + ": expected NAME=VALUE";
    if (const std::string wrong = set_plan_option(changed, one.substr(0, end), one.substr(end + 1)); !wrong.empty())
      return std::string(one) + ": " + wrong;
  }
  options = changed;
  return {};
}

std::string set_option(Options& options, std::string_view name, std::string_view value) {
  const OptionRow* const row = row_named(name);
  return row != nullptr ? set(options, *row, value) : unknown_name;
}

}  // namespace xredist::core
