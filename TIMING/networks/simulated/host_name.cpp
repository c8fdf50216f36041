// SPDX-License-Identifier: BSD-3-Clause
// The library tells nodes apart by gethostname. The linker option --wrap replaces that function by this one, which
// returns the name of the simulated host.
#include <mpi.h>

#include <cstddef>
#include <cstdio>

extern "C" int __wrap_gethostname(char* name, std::size_t room) {
  char host[MPI_MAX_PROCESSOR_NAME] = {};
  int length = 0;
  MPI_Get_processor_name(host, &length);
  std::snprintf(name, room, "%s", host);
  return 0;
}
