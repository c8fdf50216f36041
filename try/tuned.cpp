// SPDX-License-Identifier: BSD-3-Clause
#include "tuned.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <span>
#include <sstream>
#include <string_view>

#include "gather.hpp"
#include "xredist/log.h"

namespace xredist::trial {
namespace {

constexpr std::string_view begin = "xredist: ";  // of each line of the log

bool tuning_is_wanted() {
  const char* const tune = std::getenv("XREDIST_TUNE");
  const bool written = std::getenv("XREDIST_TRY_JSON") != nullptr || std::getenv("XREDIST_TRY_HTML") != nullptr;
  return tune != nullptr && *tune != '0' && written && std::getenv("XREDIST_LOG") == nullptr;
}

// The first line is the case and the number of trials; each later line begins with blanks and has a way.
bool is_about_tuning(std::string_view line) {
  return line.starts_with("  ") || (line.find(" tuned ") != line.npos && line.find(" trials") != line.npos);
}

}  // namespace

TunedLog::TunedLog() {
  if (!tuning_is_wanted()) return;
  const char* const folder = std::getenv("TMPDIR");
  std::string name = std::string(folder != nullptr ? folder : "/tmp").append("/xredist-try-XXXXXX");
  const int file = mkstemp(name.data());
  if (file < 0) return;
  close(file);
  if (xredist_set_log(name.c_str()) == 0)
    name_ = name;
  else
    unlink(name.c_str());
}

void TunedLog::end() {
  if (name_.empty()) return;
  xredist_set_log("stderr");
  follow();
  unlink(name_.c_str());
  name_.clear();
}

void TunedLog::follow() {
  if (name_.empty()) return;
  std::ifstream file(name_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(read_));
  const std::string added{std::istreambuf_iterator<char>(file), {}};
  read_ += added.size();
  std::fputs(added.c_str(), stderr);
  std::istringstream in(added);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(begin)) line.erase(0, begin.size());
    if (is_about_tuning(line)) lines_.push_back(line);
  }
}

std::vector<std::string> TunedLog::gathered(int rank, int size) const {
  std::string own;
  for (const std::string& line : lines_) own.append(line).append("\n");
  const std::vector<char> all = gather(std::span<const char>(own), rank, size);
  if (rank != 0) return lines_;
  std::vector<std::string> lines;
  std::istringstream in(std::string(all.begin(), all.end()));
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace xredist::trial
