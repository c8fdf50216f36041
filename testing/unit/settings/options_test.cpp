// SPDX-License-Identifier: BSD-3-Clause
#include "settings/options.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <initializer_list>

#include "schedule/algorithm.hpp"

namespace xredist::core {
namespace {

Options options_with(const char* variable, const char* value, std::string& error) {
  setenv(variable, value, 1);
  EnvironmentOptions found = options_from_environment();
  unsetenv(variable);
  error = std::move(found.error);
  return found.options;
}

TEST(Options, NumbersAndSuffixes) {
  std::string error;
  EXPECT_EQ(options_with("XREDIST_BUFFER", "2000000", error).buffer, 2'000'000);
  EXPECT_EQ(options_with("XREDIST_BUFFER", "2048K", error).buffer, 2 << 20);
  EXPECT_EQ(options_with("XREDIST_BUFFER", "3M", error).buffer, 3 << 20);
  EXPECT_EQ(options_with("XREDIST_BUFFER", "1G", error).buffer, 1 << 30);
  EXPECT_EQ(options_with("XREDIST_VERBOSE", "2", error).verbose, 2);
  EXPECT_EQ(options_with("XREDIST_SHARED", "0", error).shared, false);
  EXPECT_EQ(options_with("XREDIST_PERMITS", "2", error).permits, Options::Permits::always);
  EXPECT_EQ(error, "");
}

TEST(Options, SecondsAndFolderOfTheWatch) {
  std::string error;
  EXPECT_EQ(options_with("XREDIST_WATCH", "60", error).watch, 60);
  EXPECT_EQ(options_with("XREDIST_WATCH", "1:/scratch/a:b", error).watch, 1);
  EXPECT_EQ(error, "");
  EXPECT_EQ(watch_option("1:/scratch/a:b")->folder, "/scratch/a:b");
  EXPECT_EQ(watch_option("60")->folder, "");
  EXPECT_EQ(option_text(options_with("XREDIST_WATCH", "1:/scratch", error), "watch"), "1");
  for (const char* value : {":/scratch", "60:", "-1", "1.5", "1000001", "soon"}) {
    options_with("XREDIST_WATCH", value, error);
    EXPECT_NE(error.find("expected seconds, a whole number from 0 to 1000000, or seconds:folder"), std::string::npos)
        << value;
  }
}

TEST(Options, LevelsOfChecks) {
  using enum Options::Check;
  std::string error;
  EXPECT_EQ(options_with("XREDIST_CHECK", "", error).check, local);
  EXPECT_EQ(options_with("XREDIST_CHECK", "local", error).check, local);
  EXPECT_EQ(options_with("XREDIST_CHECK", "0", error).check, local);
  EXPECT_EQ(options_with("XREDIST_CHECK", "message", error).check, message);
  EXPECT_EQ(options_with("XREDIST_CHECK", "reduction", error).check, reduction);
  EXPECT_EQ(options_with("XREDIST_CHECK", "1", error).check, reduction);
  EXPECT_EQ(error, "");
  for (const char* wrong : {"2", "01", "Message", "-1"}) {
    options_with("XREDIST_CHECK", wrong, error);
    EXPECT_EQ(error, std::string("XREDIST_CHECK=") + wrong + ": expected one of local, message, reduction, 0, 1");
  }
}

TEST(Options, AlgorithmsByName) {
  std::string error;
  EXPECT_EQ(options_with("XREDIST_ALGORITHM", "default", error).algorithm, AlgorithmId::by_default);
  const AlgorithmId caterpillar = options_with("XREDIST_ALGORITHM", "caterpillar", error).algorithm;
  EXPECT_EQ(algorithm(caterpillar).name, "caterpillar");
  EXPECT_EQ(error, "");
  options_with("XREDIST_ALGORITHM", "butterfly", error);
  EXPECT_NE(error.find("XREDIST_ALGORITHM=butterfly: expected one of default, optimal, "), std::string::npos) << error;
}

TEST(Options, RoutesByNameOrRadices) {
  std::string error;
  EXPECT_EQ(options_with("XREDIST_ROUTE", "direct", error).route, RouteOption{RouteOption::Kind::direct});
  EXPECT_EQ(options_with("XREDIST_ROUTE", "two-hop", error).route, RouteOption{RouteOption::Kind::over_mesh});
  EXPECT_EQ(radices_of({RouteOption::Kind::over_mesh}), std::vector<int>());
  EXPECT_EQ(radices_of(options_with("XREDIST_ROUTE", "2", error).route), std::vector<int>({2}));
  EXPECT_EQ(radices_of(options_with("XREDIST_ROUTE", "4x127x2", error).route), std::vector<int>({4, 127, 2}));
  EXPECT_EQ(radices_of(options_with("XREDIST_ROUTE", "2x3x4x5x6x7x127", error).route),
            std::vector<int>({2, 3, 4, 5, 6, 7, 127}));
  EXPECT_EQ(error, "");
  for (const char* value : {"1", "128", "4x", "x4", "4x4x", "4xx4", "2x2x2x2x2x2x2x2", "-2", "three-hop", "striped"}) {
    std::string wrong;
    options_with("XREDIST_ROUTE", value, wrong);
    EXPECT_NE(wrong.find("expected one of by-cost, direct, two-hop, or up to 7 radices"), std::string::npos) << value;
  }
}

TEST(Options, UnknownVariablesAreListed) {
  const auto unknown_with = [](std::initializer_list<const char*> names) {
    for (const char* name : names) setenv(name, "1", 1);
    const EnvironmentOptions found = options_from_environment();
    for (const char* name : names) unsetenv(name);
    EXPECT_EQ(found.error, "");
    return found.unknown;
  };
  EXPECT_EQ(unknown_with({"XREDIST_BUFER"}), "XREDIST_BUFER");
  EXPECT_EQ(unknown_with({"XREDIST_"}), "XREDIST_");
  EXPECT_EQ(unknown_with({"XREDIST_CACHES", "XREDIST_CACH"}), "XREDIST_CACHES, XREDIST_CACH");
  EXPECT_EQ(unknown_with({"XREDIST_CACHE", "XREDISTS", "XREDIST", "MY_XREDIST_BUFER"}), "");
  EXPECT_EQ(unknown_with({"XREDIST_LOG", "XREDIST_LIBRARY", "XREDIST_NAMESPACES", "XREDIST_ROOT", "XREDIST_DIR"}), "");
  EXPECT_EQ(unknown_with({"XREDIST_TRY_ONLY", "XREDIST_TRY_JSON", "XREDIST_TEST_ALLOCATION"}), "");
}

TEST(Options, SetByName) {
  Options options;
  EXPECT_EQ(set_option(options, "buffer", "2M"), "");
  EXPECT_EQ(options.buffer, 2 << 20);
  EXPECT_EQ(set_option(options, "bufer", "2M"), "no such option");
  EXPECT_NE(set_option(options, "buffer", "2K"), "");
  EXPECT_EQ(options.buffer, 2 << 20);
}

TEST(Options, BadValuesAreNamed) {
  for (const char* value : {"x", "12x", "16MB", "-1", "1023K", "99999999999999999999", "8589934592G", " 5"}) {
    std::string error;
    options_with("XREDIST_BUFFER", value, error);
    EXPECT_NE(error.find(std::string("XREDIST_BUFFER=") + value + ":"), std::string::npos) << error;
  }
}

}  // namespace
}  // namespace xredist::core
