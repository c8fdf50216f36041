// SPDX-License-Identifier: BSD-3-Clause
#include "where.hpp"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>
#include <span>
#include <sstream>
#include <thread>

#include "gather.hpp"

namespace xredist::trial {
namespace {

// Returns the words of the command line, with blanks between them.
std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string words{std::istreambuf_iterator<char>(file), {}};
  while (!words.empty() && words.back() == '\0') words.pop_back();
  std::ranges::replace(words, '\0', ' ');
  return words;
}

std::string host_name() {
  char name[256] = "";
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(std::min(line.find(": ") + 2, line.size()));
  return {};
}

std::string now() {
  const std::time_t time = std::time(nullptr);
  std::tm utc{};
  char text[40] = "";
  if (gmtime_r(&time, &utc) != nullptr) std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &utc);
  return text;
}

// Returns the first sentence of what MPI says about its version.
std::string mpi_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string all(text);
  return all.substr(0, std::min(all.find('\n'), all.find(", package")));
}

}  // namespace

Where where_here() {
  return {.program = command_line(),
          .date = now(),
          .hosts = {host_name()},
          .processor = processor_name(),
          .cores = static_cast<int>(std::thread::hardware_concurrency()),
          .mpi = mpi_version()};
}

Where where_all(int rank, int size) {
  const std::string own = host_name() + "\n";
  const std::vector<char> names = gather(std::span<const char>(own), rank, size);
  Where where = where_here();
  where.processes = size;
  if (rank != 0) return where;
  where.hosts.clear();
  std::istringstream lines(std::string(names.begin(), names.end()));
  for (std::string name; std::getline(lines, name);)
    if (std::ranges::find(where.hosts, name) == where.hosts.end()) where.hosts.push_back(name);
  return where;
}

}  // namespace xredist::trial
