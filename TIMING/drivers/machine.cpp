#include <mpi.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "drivers/reports.hpp"

namespace drivers {
namespace {

std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name") && line.find(": ") != std::string::npos) return line.substr(line.find(": ") + 2);
  return "unknown";
}

Entries machine() {
  utsname system{};
  uname(&system);
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return {{"processor", processor()},
          {"architecture", system.machine},
          {"cores of a node", std::to_string(sysconf(_SC_NPROCESSORS_ONLN))},
          {"memory of a node, MiB", std::to_string(pages / 1024 * page / 1024)},
          {"system", std::string(system.sysname) + " " + system.release}};
}

// Processes that are the first on their node.
int nodes() {
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int rank = 0;
  MPI_Comm_rank(node, &rank);
  MPI_Comm_free(&node);
  int count = rank == 0;
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return count;
}

Entries mpi() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0, size = 0;
  MPI_Get_library_version(text, &length);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::string library(text, static_cast<std::size_t>(length));
  return {{"library", library.substr(0, library.find_first_of("\n,"))},
          {"processes", std::to_string(size)},
          {"nodes", std::to_string(nodes())}};
}

Entries library() {
  Entries entries{{"xredist", XREDIST_VERSION},
                  {"compiler", XREDIST_COMPILER},
                  {"drop-in", drop_in_file()},
                  {"ScaLAPACK", scalapack_file()}};
  for (const char* variable : {"BUFFER", "ALGORITHM", "ALPHA", "BETA", "CACHE", "CHECK", "SHARED"}) {
    const std::string name = std::string("XREDIST_") + variable;
    if (const char* value = std::getenv(name.c_str())) entries.emplace_back(name, value);
  }
  return entries;
}

}  // namespace

Description describe() { return {machine(), mpi(), library()}; }

}  // namespace drivers
