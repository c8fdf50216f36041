// SPDX-License-Identifier: BSD-3-Clause
// Options as text. Input: a byte for the name, then the text. The reference reads numbers digit by digit into 128 bits.
#include "settings/options.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "demand.hpp"

namespace xredist::testing {
namespace {

using namespace core;

auto members(const Options& o) {
  return std::tie(o.buffer, o.cache, o.plans, o.verbose, o.check, o.report, o.shared, o.permits, o.algorithm, o.route,
                  o.threads, o.alpha, o.beta, o.packet, o.tune, o.watch);
}

// An option that is a number, and the range of its values.
struct NumberOption {
  std::string_view name;
  Index least, most;
  Index (*value)(const Options&);
};
constexpr Index billion = 1'000'000'000;
constexpr NumberOption numbers[] = {
    {"buffer", Index{1} << 20, Index{1} << 36, [](const Options& o) { return o.buffer; }},
    {"cache", 1, 1 << 20, [](const Options& o) { return o.cache; }},
    {"verbose", 0, 2, [](const Options& o) { return o.verbose; }},
    {"report", 0, 1, [](const Options& o) { return Index{o.report}; }},
    {"shared", 0, 1, [](const Options& o) { return Index{o.shared}; }},
    {"permits", 0, 2, [](const Options& o) { return static_cast<Index>(o.permits); }},
    {"threads", 1, 1024, [](const Options& o) { return o.threads; }},
    {"alpha", 1, billion, [](const Options& o) { return o.alpha; }},
    {"beta", 1, billion, [](const Options& o) { return o.beta; }},
    {"plans", 1 << 20, Index{1} << 36, [](const Options& o) { return o.plans; }},
    {"packet", 0, 1 << 26, [](const Options& o) { return o.packet; }},
    {"tune", 0, 2, [](const Options& o) { return o.tune; }},
};
constexpr std::string_view names[] = {"buffer",  "cache",     "verbose", "check",   "report", "shared",
                                      "permits", "algorithm", "route",   "threads", "alpha",  "beta",
                                      "packet",  "tune",      "plans",   "watch"};

// Returns a number of digits with a sign and a suffix K, M or G, if the text is one; large ones as 2^100.
std::optional<Wide> number_in(std::string_view text) {
  constexpr Wide large = Wide{1} << 100;
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  int shift = 0;
  if (const std::size_t suffix = std::string_view("KMG").find(text.back()); suffix != std::string_view::npos) {
    shift = 10 * (static_cast<int>(suffix) + 1);
    text.remove_suffix(1);
  }
  if (text.empty() || !std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; }))
    return std::nullopt;
  Wide value = 0;
  for (const char digit : text) value = std::min(value * 10 + (digit - '0'), large);
  value = std::min(value << std::min(shift, 20), large);
  if (shift > 20) value = std::min(value << (shift - 20), large);
  return negative ? -value : value;
}

void check_number(const NumberOption& option, std::string_view text, const Options& after, bool accepted) {
  const std::optional<Wide> number = number_in(text);
  const bool valid = number && *number >= option.least && *number <= option.most;
  demand(accepted == valid, "a number is accepted where it is in the range");
  if (accepted) demand(option.value(after) == static_cast<Index>(*number), "the option has the number's value");
}

void check_route(std::string_view text, const Options& after) {
  const std::vector<int> radices = radices_of(after.route);
  std::string again;
  for (const int radix : radices) {
    demand(radix >= 2 && radix <= 127, "a radix is from 2 to 127");
    again.append(again.empty() ? "" : "x").append(std::to_string(radix));
  }
  if (radices.empty()) return demand(text == "by-cost" || text == "direct" || text == "two-hop", "a name is a route's");
  std::string plain;  // the text without leading zeros
  bool leading = true;
  for (const char c : text) {
    if (!(leading && c == '0')) plain += c;
    leading = c == 'x' || (leading && c == '0');
  }
  demand(radices.size() <= 7 && again == plain, "radices are those of the text", again);
}

// Seconds, or seconds and a folder after a colon.
void check_watch(std::string_view text, const Options& after, bool accepted) {
  const std::size_t colon = text.find(':');
  const std::optional<Wide> seconds = number_in(text.substr(0, colon));
  const bool valid = seconds && *seconds >= 0 && *seconds <= 1'000'000;
  demand(accepted == (valid && colon + 1 != text.size()), "seconds are accepted where they are in the range");
  if (accepted) demand(after.watch == static_cast<Index>(*seconds), "the option has the seconds");
}

void run(std::string_view name, const std::string& text) {
  Options options;
  options.alpha = 7, options.threads = 3;  // other values than the defaults
  const Options before = options;
  const std::string reason = set_option(options, name, text);
  const bool accepted = reason.empty();
  demand(accepted || members(options) == members(before), "an error changes no option");
  const auto* number = std::ranges::find(numbers, name, &NumberOption::name);
  if (number != std::end(numbers)) check_number(*number, text, options, accepted);
  if (name == "route" && accepted) check_route(text, options);
  if (name == "watch") check_watch(text, options, accepted);
  Options again = options;
  demand(set_option(again, name, text) == reason && members(again) == members(options), "options are set alike twice");
}

}  // namespace
}  // namespace xredist::testing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using xredist::testing::names, xredist::testing::run;
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] < std::size(names))
    run(names[data[0]], text);
  else
    run(text, "1");  // an unknown name, or one that accepts 1
  return 0;
}
