// SPDX-License-Identifier: BSD-3-Clause
#include "left_out.hpp"

#include <cstdio>
#include <span>
#include <sstream>
#include <vector>

#include "gather.hpp"
#include "settings/json_text.hpp"

namespace xredist::trial {

// Reasons become lines of text, so they have no line ends.
void LeftOut::count(std::string_view routine, std::string_view why, core::Index calls) {
  std::string line(why);
  for (char& c : line)
    if (static_cast<unsigned char>(c) < ' ') c = '?';
  calls_[{std::string(routine), line}] += calls;
}

LeftOut LeftOut::gathered(int rank, int size) const {
  std::string own;
  for (const auto& [call, calls] : calls_) own += call.first + " " + std::to_string(calls) + " " + call.second + "\n";
  const std::vector<char> all = gather(std::span<const char>(own), rank, size);
  if (rank != 0) return *this;
  LeftOut merged;
  std::istringstream lines(std::string(all.begin(), all.end()));
  std::string routine, why;
  for (core::Index calls = 0; lines >> routine >> calls && lines.ignore() && std::getline(lines, why);)
    merged.count(routine, why, calls);
  return merged;
}

std::string LeftOut::text() const {
  std::string text;
  for (const auto& [call, calls] : calls_) {
    char number[32];
    std::snprintf(number, sizeof number, "%6lld  ", static_cast<long long>(calls));
    text += number + call.first + ": " + call.second + "\n";
  }
  return text;
}

std::string LeftOut::json() const {
  using core::member, core::json_text;
  std::vector<std::string> objects;
  for (const auto& [call, calls] : calls_)
    objects.push_back(
        core::json_object({member("routine", json_text(call.first)), member("why", json_text(call.second)),
                           member("calls", std::to_string(calls))}));
  return core::json_lines(objects);
}

}  // namespace xredist::trial
