// SPDX-License-Identifier: BSD-3-Clause
// Stands for the BLACS and ScaLAPACK, which a simulation does not have.
#include "drivers/contender.hpp"

namespace xredist::testing {

GridShape row_major(int nprow, int npcol, int) { return {nprow, npcol, {}}; }
Context::Context(const GridShape&) : handle_(-1) {}
Context::~Context() = default;

}  // namespace xredist::testing

namespace drivers {

Contender scalapack(const Stage&) { return {"scalapack", "not simulated"}; }
Contender drop_in(const Stage&) { return {"drop-in", "not simulated"}; }
std::string scalapack_file() { return "none"; }
std::string drop_in_file() { return "none"; }

}  // namespace drivers
