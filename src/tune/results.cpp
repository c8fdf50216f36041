// SPDX-License-Identifier: BSD-3-Clause
#include "tune/results.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>
#include <string_view>
#include <vector>

#include "layout/digest.hpp"
#include "layout/partition.hpp"
#include "settings/log.hpp"

namespace xredist::core {
namespace {

// Begins each line: the format has a number. A line is "xredist-tuned-1 KEY SECONDS SETTINGS end".
constexpr std::string_view mark = "xredist-tuned-1", last_word = "end";

std::string key_of(const Axis& axis) {
  std::string text = std::to_string(axis.procs) + "/";
  if (is_cyclic(axis))
    text += std::to_string(axis.block()) + "+" + std::to_string(axis.source());
  else {
    Digest digest;
    for (const OwnedInterval& interval : axis.partition()->intervals())
      for (const Index value : {interval.begin, interval.end, Index{interval.owner}}) digest.add(value);
    text += "cuts" + std::to_string(digest.sum());
  }
  return text + "+" + std::to_string(axis.first);
}

std::string key_of(const Overlap& o) { return std::to_string(o.n) + ":" + key_of(o.a) + ":" + key_of(o.b); }

// Returns whether a line has the form that keep_settings writes.
bool parse(const std::string& line, std::string& key, std::string& settings) {
  std::istringstream words(line);
  std::string word;
  double seconds = 0;
  if (!(words >> word) || word != mark || !(words >> key >> seconds) || !(seconds >= 0)) return false;
  settings.clear();
  while (words >> word && word != last_word) settings.append(settings.empty() ? "" : " ").append(word);
  return word == last_word && !(words >> word);
}

}  // namespace

std::string key_of(const Redistribution& redistribution, std::span<const int> ranks_a, std::span<const int> ranks_b,
                   const Options& options, const Links& links) {
  const auto& [traffic, region, bytes, operation, units] = redistribution;
  Digest digest;
  for (const auto& ranks : {ranks_a, ranks_b})
    for (const int rank : ranks) digest.add(rank);
  for (const Index value :
       {static_cast<Index>(region.kind), region.shift, static_cast<Index>(operation.a), static_cast<Index>(operation.b),
        Index{operation.transposed}, Index{operation.conjugated}, options.buffer, Index{options.shared},
        static_cast<Index>(options.permits), static_cast<Index>(options.algorithm), std::bit_cast<Index>(options.route),
        options.threads, options.packet, options.alpha, options.beta, units})
    digest.add(value);
  std::vector<int> members(ranks_a.begin(), ranks_a.end());
  members.insert(members.end(), ranks_b.begin(), ranks_b.end());
  std::ranges::sort(members);
  members.erase(std::unique(members.begin(), members.end()), members.end());
  std::vector<int> nodes;
  if (!links.nodes.empty())
    for (const int rank : members) nodes.push_back(at(links.nodes, rank));
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return key_of(traffic.rows) + "," + key_of(traffic.cols) + "," + std::to_string(bytes) + "B," +
         std::to_string(members.size()) + "p," + std::to_string(nodes.size()) + "n," + std::to_string(digest.sum());
}

std::optional<std::string> known_settings(const std::string& file, const std::string& key) {
  std::ifstream lines(file);
  std::string line, of_line, settings;
  std::optional<std::string> found;
  int number = 0, first_bad = 0;
  while (std::getline(lines, line)) {
    ++number;
    if (!parse(line, of_line, settings))
      first_bad = first_bad == 0 ? number : first_bad;
    else if (of_line == key)
      found = settings;
  }
  if (first_bad > 0)
    write_log("%s, line %d: not a result of this version of xredist, ignored", file.c_str(), first_bad);
  return found;
}

void keep_settings(const std::string& file, const std::string& key, const std::string& settings, double seconds) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::fopen(file.c_str(), "a"), std::fclose);
  char number[32];
  std::snprintf(number, sizeof number, "%.6g", seconds);
  const std::string line = std::string(mark) + " " + key + " " + number + " " + settings +
                           (settings.empty() ? "" : " ") + std::string(last_word) + "\n";
  if (!out || std::fputs(line.c_str(), out.get()) < 0)
    write_log("%s cannot be written: what was tuned is not kept", file.c_str());
}

}  // namespace xredist::core
