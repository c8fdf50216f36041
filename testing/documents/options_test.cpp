// SPDX-License-Identifier: BSD-3-Clause
// The manual page xredist(7) documents each option with its default, and each algorithm.
#include "settings/options.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include "schedule/algorithm.hpp"

namespace xredist::core {
namespace {

using Values = std::array<Index, sizeof(Options) / sizeof(Index)>;

// Returns the number of options. A new one must be named here.
std::size_t count_of(const Options& options) {
  const auto& [buffer, cache, plans, verbose, check, report, shared, permits, algorithm, route, threads, packet, tune,
               alpha, beta, watch] = options;
  const void* const members[] = {&buffer,    &cache, &plans,   &verbose, &check, &report, &shared, &permits,
                                 &algorithm, &route, &threads, &packet,  &tune,  &alpha,  &beta,   &watch};
  return std::size(members);
}

std::string manual_page() {
  std::ifstream file(MANUAL_PAGE);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ManualPage, HasEachOptionWithItsDefault) {
  const std::string page = manual_page();
  const std::regex paragraph("\n``XREDIST_([A-Z]+)`` \\(default: (.*)\\)");
  std::vector<std::string> documented;
  for (std::sregex_iterator found(page.begin(), page.end(), paragraph), end; found != end; ++found) {
    std::string name = (*found)[1], value = (*found)[2];
    documented.push_back(name);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    if (name == "log" || name == "tuned") continue;  // of the process, not of a communicator
    Options options;
    EXPECT_NE(set_option(options, name, "?"), "no such option") << name;
    if (!value.starts_with("``")) continue;  // "measured"
    EXPECT_EQ(set_option(options, name, value.substr(2, value.size() - 4)), "") << name;
    EXPECT_EQ(std::bit_cast<Values>(options), std::bit_cast<Values>(Options{})) << name;
  }
  EXPECT_EQ(documented.size(), count_of({}) + 2);
  // Those of users, and those for measurements and authors.
  const auto authors = std::ranges::is_sorted_until(documented);
  EXPECT_EQ(std::vector(authors, documented.end()), (std::vector<std::string>{"ALGORITHM", "ALPHA", "BETA", "CACHE"}));
}

TEST(ManualPage, HasEachAlgorithm) {
  const std::string page = manual_page();
  const std::size_t begin = page.find("\n``XREDIST_ALGORITHM``");
  ASSERT_NE(begin, page.npos);
  const std::string paragraph = page.substr(begin, page.find("\n``", begin + 1) - begin);
  for (const Algorithm& algorithm : algorithms()) {
    const std::string name(algorithm.name);
    EXPECT_NE(paragraph.find("``" + name + "``"), page.npos) << name;
  }
}

}  // namespace
}  // namespace xredist::core
