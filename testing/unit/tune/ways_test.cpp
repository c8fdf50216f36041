// SPDX-License-Identifier: BSD-3-Clause
// The ways of a plan, and the file that keeps results.
#include "tune/ways.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "tune/results.hpp"

namespace xredist::core {
namespace {

// From blocks of 3 rows to blocks of 5 columns on `procs` processes, each a node of a network of 10 Gbit/s or faster.
struct Case {
  explicit Case(int procs, double gigabits = 100)
      : ranks(static_cast<std::size_t>(procs)),
        redistribution(redistribution_of({Axis(3, procs, 0, 0), Axis(8, 1, 0, 0)},
                                         {Axis(8, 1, 0, 0), Axis(5, procs, 0, 0)}, Index{15} * procs, Index{15} * procs,
                                         Region{}, 8)) {
    std::iota(ranks.begin(), ranks.end(), 0);
    links.nodes = ranks;
    links.network = {8e-9 / gigabits, 1e-6};
  }
  // The rows of A are distributed, and the columns of B.
  std::shared_ptr<const GridPair> grids() const {
    return std::make_shared<const GridPair>(ranks, 1, ranks, std::ssize(ranks), links.nodes, 0);
  }
  std::vector<Way> ways() const { return ways_of(redistribution, grids(), options, links); }
  std::vector<std::string> settings() const {
    std::vector<std::string> texts;
    for (const Way& way : ways()) texts.push_back(way.settings);
    return texts;
  }
  std::string key() const { return key_of(redistribution, ranks, ranks, options, links); }

  std::vector<int> ranks;
  Links links;
  Options options;
  Redistribution redistribution;
};

bool has(const std::vector<std::string>& texts, const std::string& text) {
  return std::ranges::find(texts, text) != texts.end();
}

TEST(Ways, BeginWithTheModelsChoice) {
  const std::vector<Way> ways = Case(16).ways();
  EXPECT_EQ(ways.front().settings, "");
  EXPECT_EQ(ways.front().options.route, RouteOption{});
  EXPECT_LE(ways.size(), max_ways);
}

TEST(Ways, TryRoutesAlgorithmsAndPackets) {
  const std::vector<std::string> settings = Case(16).settings();
  for (const char* text : {"route=direct", "route=direct algorithm=optimal", "route=direct algorithm=split",
                           "route=direct algorithm=shifted", "route=two-hop", "route=2", "packet=64K", "packet=1M"})
    EXPECT_TRUE(has(settings, text)) << text;
  EXPECT_FALSE(has(settings, "permits=0"));
  EXPECT_TRUE(has(Case(16, 0.1).settings(), "permits=0"));
}

TEST(Ways, KeepWhatTheUserHasSet) {
  Case x(16, 0.1);
  x.options.algorithm = AlgorithmId::split;
  x.options.permits = Options::Permits::always;
  EXPECT_EQ(x.settings(), (std::vector<std::string>{"", "packet=64K", "packet=1M"}));
  x.options.packet = 1 << 16;
  EXPECT_EQ(x.settings(), std::vector<std::string>{""});
}

// The texts of meshes name the meshes that were rated.
TEST(Ways, NameMeshes) {
  for (const int procs : {6, 12, 16, 60, 256}) {
    const Case x(procs);
    std::set<std::string> planned, rated;
    for (const OverMesh& mesh : rated_meshes(x.redistribution, x.grids(), x.options, x.links, false))
      rated.insert(text_of(mesh.mesh));
    for (const Way& way : x.ways()) {
      const Plan plan = plan_process(x.redistribution, x.ranks, x.ranks, 0, way.options, x.links);
      if (way.options.route.kind == RouteOption::Kind::over_mesh) {
        planned.insert(text_of(over_mesh(plan.route)->mesh));
      }
    }
    EXPECT_FALSE(planned.empty()) << procs;
    EXPECT_TRUE(std::ranges::includes(rated, planned)) << procs;
  }
}

TEST(Ways, HaveSignaturesOfTheirOwn) {
  const Case x(16);
  std::set<std::string> signatures;
  for (const Way& way : x.ways())
    signatures.insert(signature_of(plan_process(x.redistribution, x.ranks, x.ranks, 3, way.options, x.links)));
  EXPECT_GE(signatures.size(), 5U);
}

struct File {
  std::string name =
      ::testing::TempDir() + "xredist_tuned_" + ::testing::UnitTest::GetInstance()->current_test_info()->name();
  File() { std::remove(name.c_str()); }
  ~File() { std::remove(name.c_str()); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
};

TEST(Results, AreFoundByTheirKey) {
  const File file;
  const Case x(16), y(12);
  EXPECT_EQ(known_settings(file.name, x.key()), std::nullopt);
  keep_settings(file.name, x.key(), "route=direct algorithm=split", 1e-3);
  keep_settings(file.name, y.key(), "", 2e-3);
  EXPECT_EQ(known_settings(file.name, x.key()), "route=direct algorithm=split");
  EXPECT_EQ(known_settings(file.name, y.key()), "");
  keep_settings(file.name, x.key(), "packet=64K", 1e-4);
  EXPECT_EQ(known_settings(file.name, x.key()), "packet=64K");
}

TEST(Results, DependOnTheCase) {
  const Case x(16);
  Case options(16), prices(16), nodes(16), ranks(16);
  options.options.buffer *= 2;
  prices.options.alpha += 1;
  nodes.links.nodes = std::vector<int>(16, 0);
  std::swap(ranks.ranks[0], ranks.ranks[1]);
  EXPECT_EQ(
      (std::set<std::string>{x.key(), options.key(), prices.key(), nodes.key(), ranks.key(), Case(15).key()}).size(),
      6U);
  EXPECT_EQ(x.key().find_first_of(" \n"), std::string::npos);
  EXPECT_EQ(x.key(), Case(16).key());
}

// A damaged line hides no other one, and is never taken for a result.
TEST(Results, IgnoreDamagedLines) {
  const File file;
  const std::string key = Case(16).key();
  keep_settings(file.name, key, "packet=1M", 1e-3);
  std::string line;
  std::getline(std::ifstream(file.name), line);
  for (std::size_t length = 1; length < line.size(); ++length)
    std::ofstream(file.name, std::ios::app) << line.substr(0, length) << "\n";
  std::ofstream(file.name, std::ios::app) << "xredist-tuned-2 " << key << " 1 packet=64K end\n"
                                          << std::string(1000, '\x7f') << "\n";
  EXPECT_EQ(known_settings(file.name, key), "packet=1M");
}

}  // namespace
}  // namespace xredist::core
