// SPDX-License-Identifier: BSD-3-Clause
#include "tune/results.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <string_view>
#include <vector>

#include "layout/digest.hpp"
#include "layout/partition.hpp"
#include "settings/decimals.hpp"
#include "settings/held_signals.hpp"
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
    if (!in_order(axis))
      for (const OwnedInterval& interval : axis.partition()->intervals()) digest.add(interval.local);
    text += "cuts" + std::to_string(digest.sum());
  }
  return text + "+" + std::to_string(axis.first);
}

std::string key_of(const Overlap& o) {
  if (is_product(o)) {
    std::string text;
    for (const Overlap& factor : *o.factors()) text.append(text.empty() ? "" : "*").append(key_of(factor));
    return text;
  }
  return std::to_string(o.n) + ":" + key_of(o.a) + ":" + key_of(o.b);
}

// A result of an earlier run.
struct Line {
  std::string_view key, settings;
};

// Reads a line of the form that keep_settings writes.
std::optional<Line> line_of(std::string_view text) {
  const auto word = [&] {
    const std::string_view taken = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(taken.size() + 1, text.size()));
    return taken;
  };
  if (word() != mark) return std::nullopt;
  const std::string_view key = word();
  const std::optional<double> seconds = number_of(word());
  if (key.empty() || !seconds || !(*seconds >= 0) || !text.ends_with(last_word)) return std::nullopt;
  text.remove_suffix(last_word.size());
  if (!text.empty() && !text.ends_with(' ')) return std::nullopt;
  return Line{key, text.substr(0, text.find_last_not_of(' ') + 1)};
}

// The kind of a file by its name. A pipe would wait for its other end, and a device may not end: neither is opened.
enum class Named { nothing, file, other };

Named named(const std::string& name) {
  struct stat status {};
  if (stat(name.c_str(), &status) != 0) return Named::nothing;
  return S_ISREG(status.st_mode) ? Named::file : Named::other;
}

// Appends to a file, which may be new, by one call: the lines of several programs do not mix. A line that a full disk
// has cut off is ended first. Returns whether the whole text is in the file.
bool append(const std::string& name, const std::string& line) {
  const int file = open(name.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return false;
  const HeldSignals held;
  struct stat status {};
  char last = '\n';
  bool whole = fstat(file, &status) == 0;
  if (whole && status.st_size > 0) whole = pread(file, &last, 1, status.st_size - 1) == 1;
  const std::size_t skipped = last == '\n' ? 1 : 0;
  const std::size_t bytes = line.size() - skipped;
  whole = whole && write(file, line.data() + skipped, bytes) == static_cast<ssize_t>(bytes);
  return close(file) == 0 && whole;
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
    for (const int rank : members) nodes.push_back(links.nodes[rank]);
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return key_of(traffic.rows) + "," + key_of(traffic.cols) + "," + std::to_string(bytes) + "B," +
         std::to_string(members.size()) + "p," + std::to_string(nodes.size()) + "n," + std::to_string(digest.sum());
}

std::optional<std::string> known_settings(const std::string& file, const std::string& key) {
  const Named kind = named(file);
  if (kind == Named::other) {
    write_log("%s: is not a regular file, ignored", file.c_str());
    return std::nullopt;
  }
  std::ifstream lines(file);
  if (kind == Named::file && !lines.is_open()) write_log("%s cannot be read, ignored", file.c_str());
  std::string text;
  std::optional<std::string> found;
  int number = 0, first_bad = 0;
  while (std::getline(lines, text)) {
    ++number;
    const std::optional<Line> line = line_of(text);
    if (!line)
      first_bad = first_bad == 0 ? number : first_bad;
    else if (line->key == key)
      found = line->settings;
  }
  if (first_bad > 0)
    write_log("%s, line %d: not a result of this version of xredist, ignored", file.c_str(), first_bad);
  return found;
}

void keep_settings(const std::string& file, const std::string& key, const std::string& settings, double seconds) {
  const std::string line = "\n" + std::string(mark) + " " + key + " " + with_digits(seconds, 6) + " " + settings +
                           (settings.empty() ? "" : " ") + std::string(last_word) + "\n";
  if (named(file) == Named::other || !append(file, line))
    write_log("%s cannot be written: what was tuned is not kept", file.c_str());
}

}  // namespace xredist::core
