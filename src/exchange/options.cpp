#include "exchange/options.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "schedule/algorithm.hpp"

namespace xredist {
namespace {

struct Entry {
  const char* variable;
  Index Options::*value;
  Index least, most;
};

constexpr Entry table[] = {
    {"XREDIST_BUFFER", &Options::buffer, Index{1} << 20, Index{1} << 36},  // a piece's size must fit an int
    {"XREDIST_CACHE", &Options::cache, 1, 1 << 20},
    {"XREDIST_VERBOSE", &Options::verbose, 0, 2},
    {"XREDIST_CHECK", &Options::check, 0, 1},
    {"XREDIST_SHARED", &Options::shared, 0, 1},
    {"XREDIST_ALPHA", &Options::alpha, 1, 1'000'000'000},
    {"XREDIST_BETA", &Options::beta, 1, 1'000'000'000},
};

// A whole number, perhaps with K, M or G for powers of 1024. False where it is none.
bool parse(std::string_view text, Index& value) {
  const char* end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, value);
  if (failed != std::errc{}) return false;
  if (stop == end) return true;
  if (stop + 1 != end) return false;
  const int shift = *stop == 'K' ? 10 : *stop == 'M' ? 20 : *stop == 'G' ? 30 : 0;
  return shift != 0 && !__builtin_mul_overflow(value, Index{1} << shift, &value);
}

std::string names_of_algorithms() {
  std::string names;
  for (const Algorithm& algorithm : algorithms()) names.append(names.empty() ? "" : ", ").append(algorithm.name);
  return names;
}

}  // namespace

Options options_from_environment(std::string& error) {
  Options options;
  for (const Entry& entry : table) {
    const char* text = std::getenv(entry.variable);
    if (text == nullptr || *text == '\0') continue;
    Index value = 0;
    if (!parse(text, value) || value < entry.least || value > entry.most)
      error = std::string(entry.variable) + "=" + text + ": expected a whole number from " +
              std::to_string(entry.least) + " to " + std::to_string(entry.most);
    else
      options.*entry.value = value;
  }
  if (const char* name = std::getenv("XREDIST_ALGORITHM"); name != nullptr && *name != '\0') {
    const Algorithm* found = find_algorithm(name);
    if (found != nullptr)
      options.algorithm = found - algorithms().data();
    else
      error = std::string("XREDIST_ALGORITHM=") + name + ": expected one of " + names_of_algorithms();
  }
  return options;
}

}  // namespace xredist
