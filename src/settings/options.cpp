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
#include <type_traits>
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

using Names = std::span<const std::string_view>;

Names names_of_checks() {
  static constexpr std::string_view names[] = {"local", "message", "reduction", "0", "1"};
  return names;
}
Names names_of_routes() {
  static constexpr std::string_view names[] = {"by-cost", "direct", "two-hop"};
  return names;
}
Names names_of_algorithms() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const Algorithm& algorithm : algorithms()) all.push_back(algorithm.name);
    return all;
  }();
  return names;
}

// A member of Options as a number.
struct Member {
  Index (*value)(const Options&);
  void (*assign)(Options&, Index);
};
template <auto member>
constexpr Member member_of{[](const Options& options) { return static_cast<Index>(options.*member); },
                           [](Options& options, Index value) {
                             options.*member = static_cast<std::remove_cvref_t<decltype(options.*member)>>(value);
                           }};
// The other part of a route, its radices, is not a number.
constexpr Member kind_of_route{
    [](const Options& options) { return static_cast<Index>(options.route.kind); },
    [](Options& options, Index kind) { options.route = {static_cast<RouteOption::Kind>(kind)}; }};

constexpr Index max_size = Index{1} << 36;  // 64G: the size of a packet must fit an int

struct OptionRow {
  // How the text of the option stands for a number: by digits, by digits and a suffix, by one of `names` or, beside
  // these, by radices, or by seconds and perhaps a folder.
  enum class Form { number, size, name, route, seconds };

  std::string_view name;
  Form form;
  Member member;
  Index least = 0, most = 0;  // of numbers and sizes
  Names (*names)() = nullptr;
  bool of_plan = false;  // one plan may have another value than its communicator
};
using Form = OptionRow::Form;

// The environment variable of an option is XREDIST_ followed by its name in capitals.
constexpr OptionRow table[] = {
    {"buffer", Form::size, member_of<&Options::buffer>, 1 << 20, max_size, nullptr, true},
    {"cache", Form::number, member_of<&Options::cache>, 1, 1 << 20},
    {"plans", Form::size, member_of<&Options::plans>, 1 << 20, max_size},
    {"verbose", Form::number, member_of<&Options::verbose>, 0, 2},
    {"check", Form::name, member_of<&Options::check>, 0, 0, names_of_checks},
    {"report", Form::number, member_of<&Options::report>, 0, 1},
    {"shared", Form::number, member_of<&Options::shared>, 0, 1},
    {"permits", Form::number, member_of<&Options::permits>, 0, 2, nullptr, true},
    {"algorithm", Form::name, member_of<&Options::algorithm>, 0, 0, names_of_algorithms, true},
    {"route", Form::route, kind_of_route, 0, 0, names_of_routes, true},
    {"threads", Form::number, member_of<&Options::threads>, 1, 1024, nullptr, true},
    {"packet", Form::number, member_of<&Options::packet>, 0, 1 << 26, nullptr, true},
    {"tune", Form::number, member_of<&Options::tune>, 0, 2},
    {"alpha", Form::number, member_of<&Options::alpha>, 1, 1'000'000'000, nullptr, true},
    {"beta", Form::number, member_of<&Options::beta>, 1, 1'000'000'000, nullptr, true},
    {"watch", Form::seconds, member_of<&Options::watch>},
};

// Returns the row of an option, or nullptr.
const OptionRow* row_named(std::string_view name) {
  const OptionRow* const row = std::ranges::find(table, name, &OptionRow::name);
  return row == std::end(table) ? nullptr : row;
}

constexpr const char* unknown_name = "no such option";

// Sets an option to a value in [least, most]. Returns the reason if the text is invalid, otherwise an empty text.
std::string set_number(Options& options, const OptionRow& row, Index least, std::string_view text) {
  const std::optional<Index> value = number_in(text);
  if (!value || *value < least || *value > row.most) {
    if (row.form == Form::size)
      return std::string("expected a size such as 64M, from ") + (least < 1 << 20 ? "512K" : "1M") + " to 64G";
    return "expected a whole number from " + std::to_string(least) + " to " + std::to_string(row.most);
  }
  row.member.assign(options, *value);
  return {};
}

// Sets an option by a name. The names of a check end with 0 and 1, which stand for the first and the last level.
std::string set_name(Options& options, const OptionRow& row, std::string_view text) {
  constexpr Index levels[] = {0, 1, 2, 0, 2};
  const Names names = row.names();
  const auto found = std::ranges::find(names, text);
  if (found != names.end()) {
    const Index number = found - names.begin();
    row.member.assign(options, row.names == names_of_checks ? at(levels, number) : number);
    return {};
  }
  if (const std::optional<RouteOption> mesh = row.form == Form::route ? mesh_of(text) : std::nullopt) {
    options.route = *mesh;
    return {};
  }
  std::string wrong = "expected one of";
  for (const std::string_view name : names) wrong.append(name == names.front() ? " " : ", ").append(name);
  return wrong + (row.form == Form::route ? ", or up to 7 radices from 2 to 127, as 4x4x2" : "");
}

// Sets an option, whose least number is given. Returns the reason as above.
std::string set(Options& options, const OptionRow& row, Index least, std::string_view text) {
  if (row.names != nullptr) return set_name(options, row, text);
  if (row.form != Form::seconds) return set_number(options, row, least, text);
  const std::optional<WatchOption> option = watch_option(text);
  if (!option) return "expected seconds, a whole number from 0 to 1000000, or seconds:folder";
  row.member.assign(options, option->seconds);
  return {};
}

// Sets an option of one plan. Returns the reason as above.
std::string set_plan_option(Options& options, std::string_view name, std::string_view value) {
  const OptionRow* const row = row_named(name);
  if (row == nullptr) return unknown_name;
  if (!row->of_plan) return "not an option of one plan";
  return set(options, *row, row->form == Form::size ? row->least / 2 : row->least, value);
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
      if (const std::string wrong = set(found.options, *row, row->least, value); !wrong.empty())
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
  if (row->form == Form::route && options.route.radices.front() != 0) {
    std::string text;
    for (const int radix : radices_of(options.route))
      text.append(text.empty() ? "" : "x").append(std::to_string(radix));
    return text;
  }
  const Index value = row->member.value(options);
  return row->names != nullptr ? std::string(at(row->names(), value)) : std::to_string(value);
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
  return row != nullptr ? set(options, *row, row->least, value) : unknown_name;
}

}  // namespace xredist::core
