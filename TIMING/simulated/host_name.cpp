// SPDX-License-Identifier: BSD-3-Clause
// The library tells nodes apart by the names that gethostname gives. Here that is the simulated host's, not that of the
// machine that simulates; the linker's option --wrap leads calls to it.
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
