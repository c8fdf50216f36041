// SPDX-License-Identifier: BSD-3-Clause
// Stands for what a simulation does not have: the BLACS, ScaLAPACK, and the names of the hosts.
#include <mpi.h>

#include <cstdio>
#include <cstring>

#include "drivers/contender.hpp"

// The library tells nodes apart by gethostname. The linker option --wrap replaces that function by this one, which
// returns the name of the simulated host, without the number of a port (make_platform).
extern "C" int __wrap_gethostname(char* name, std::size_t room) {
  char host[MPI_MAX_PROCESSOR_NAME] = {};
  int length = 0;
  MPI_Get_processor_name(host, &length);
  host[std::strcspn(host, ".")] = '\0';
  std::snprintf(name, room, "%s", host);
  return 0;
}

namespace xredist::testing {

GridShape row_major(int nprow, int npcol, int) { return {nprow, npcol, {}}; }
Context::Context(const GridShape&) : handle_(-1) {}
Context::~Context() = default;

}  // namespace xredist::testing

namespace drivers {

Contender scalapack(const Stage&) { return {"scalapack", "not simulated"}; }
Contender drop_in(const Stage&) { return {"drop-in", "not simulated"}; }
Contender drop_in_on_new_grids(const Stage&) { return {"new-grids:drop-in", "not simulated"}; }
Contender scalapack_on_new_grids(const Stage&) { return {"new-grids:scalapack", "not simulated"}; }
Contender of_libraries(const Stage&, const std::string& files) { return {files, "not simulated"}; }
std::string scalapack_file() { return "none"; }
std::string drop_in_file() { return "none"; }

}  // namespace drivers
