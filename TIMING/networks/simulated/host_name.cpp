// SPDX-License-Identifier: BSD-3-Clause
// The library tells nodes apart by gethostname. The linker option --wrap replaces that function by this one, which
// returns the name of the simulated host, without the number of a port (make_platform).
#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <cstring>

extern "C" int __wrap_gethostname(char* name, std::size_t room) {
  char host[MPI_MAX_PROCESSOR_NAME] = {};
  int length = 0;
  MPI_Get_processor_name(host, &length);
  host[std::strcspn(host, ".")] = '\0';
  std::snprintf(name, room, "%s", host);
  return 0;
}
