// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <set>
#include <string>

#include "drivers/reports.hpp"
#include "drivers/times.hpp"
#include "xredist/version.h"

namespace drivers {
namespace {

std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name") && line.find(": ") != std::string::npos) return line.substr(line.find(": ") + 2);
  return "unknown";
}

// Lists the data caches of the first core, each with the cores that share the cache: "32K (cores 0), 32M (cores 0-1)".
std::string caches() {
  std::string list;
  for (int index = 0;; ++index) {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index);
    const auto read = [&](const char* file) {
      std::string line;
      std::ifstream in(folder + file);
      std::getline(in, line);
      return line;
    };
    const std::string type = read("/type");
    if (type.empty()) return list.empty() ? "unknown" : list;
    if (type == "Instruction") continue;
    list += (list.empty() ? "" : ", ") + read("/size") + " (cores " + read("/shared_cpu_list") + ")";
  }
}

Entries machine() {
  utsname system{};
  uname(&system);
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return {{"processor", processor()},
          {"architecture", system.machine},
          {"caches", caches()},
          {"cores of a node", std::to_string(sysconf(_SC_NPROCESSORS_ONLN))},
          {"memory of a node, MiB", std::to_string(pages / 1024 * page / 1024)},
          {"system", std::string(system.sysname) + " " + system.release}};
}

Entries mpi() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0, size = 0;
  MPI_Get_library_version(text, &length);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::string library(text, as_size(length));
  const std::vector<int> nodes = nodes_of_world();
  return {{"library", library.substr(0, library.find_first_of("\n,"))},
          {"processes", std::to_string(size)},
          {"nodes", std::to_string(std::set(nodes.begin(), nodes.end()).size())}};
}

Entries library() {
  Entries entries{{"xredist", xredist_version()},
                  {"compiler", XREDIST_COMPILER},
                  {"drop-in", drop_in_file()},
                  {"ScaLAPACK", scalapack_file()}};
  for (char** setting = environ; *setting != nullptr; ++setting)
    if (const std::string text = *setting; text.starts_with("XREDIST_"))
      entries.emplace_back(text.substr(0, text.find('=')), text.substr(text.find('=') + 1));
  return entries;
}

}  // namespace

std::vector<Entries> describe() { return {machine(), mpi(), library()}; }

}  // namespace drivers
