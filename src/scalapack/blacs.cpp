// SPDX-License-Identifier: BSD-3-Clause
// The program's functions of BLACS, found when they are first needed.
//
// Compiled for each library. An archive is linked with BLACS. A shared library needs no file of ScaLAPACK, so that one
// file serves programs with any ScaLAPACK, and so that shells and other programs without BLACS can be started under
// LD_PRELOAD.
#include "scalapack/blacs.hpp"

#include <dlfcn.h>

#include <cstdio>

#include "scalapack/loaded.hpp"

extern "C" {
void Cblacs_gridinfo(xredist_int ctxt, xredist_int* nprow, xredist_int* npcol, xredist_int* myrow, xredist_int* mycol);
void blacs_gridinfo_(const xredist_int* ctxt, xredist_int* nprow, xredist_int* npcol, xredist_int* myrow,
                     xredist_int* mycol);
void Cblacs_abort(xredist_int ctxt, xredist_int error);
void blacs_get_(const xredist_int* ctxt, const xredist_int* what, xredist_int* value);
void blacs_gridmap_(xredist_int* ctxt, const xredist_int* usermap, const xredist_int* ldumap, const xredist_int* nprow,
                    const xredist_int* npcol);
void blacs_gridexit_(const xredist_int* ctxt);
}

#ifdef XREDIST_SHARED
#pragma weak Cblacs_gridinfo
#pragma weak blacs_gridinfo_
#pragma weak Cblacs_abort
#pragma weak blacs_get_
#pragma weak blacs_gridmap_
#pragma weak blacs_gridexit_
#endif

namespace xredist::core {
namespace {

#ifdef XREDIST_SHARED

void no_grid(xredist_int, xredist_int* nprow, xredist_int* npcol, xredist_int* myrow, xredist_int* mycol) {
  *nprow = *npcol = *myrow = *mycol = -1;
}

void gridinfo_of_fortran(xredist_int ctxt, xredist_int* nprow, xredist_int* npcol, xredist_int* myrow,
                         xredist_int* mycol) {
  blacs_gridinfo_(&ctxt, nprow, npcol, myrow, mycol);
}

void end_program(xredist_int, xredist_int error) { MPI_Abort(MPI_COMM_WORLD, static_cast<int>(error)); }

void no_communicator(const xredist_int*, const xredist_int*, xredist_int*) {
  std::fputs("xredist: BLACS: the program has an archive of BLACS without blacs_get_: link with -Wl,-u,blacs_get_\n",
             stderr);
  end_program(0, 1);
}

Blacs blacs_in(void* library) {
  return {reinterpret_cast<decltype(Blacs::gridinfo)>(dlsym(library, "Cblacs_gridinfo")),
          reinterpret_cast<decltype(Blacs::abort)>(dlsym(library, "Cblacs_abort")),
          reinterpret_cast<decltype(Blacs::get)>(dlsym(library, "blacs_get_")),
          reinterpret_cast<decltype(Blacs::gridmap)>(dlsym(library, "blacs_gridmap_")),
          reinterpret_cast<decltype(Blacs::gridexit)>(dlsym(library, "blacs_gridexit_"))};
}

// Replaces functions that the program lacks.
Blacs completed(Blacs blacs) {
  if (blacs.abort == nullptr) blacs.abort = end_program;
  if (blacs.get == nullptr) blacs.get = no_communicator;
  return blacs;
}

// Finds the BLACS that was linked or preloaded; else the one that was opened for all libraries (RTLD_GLOBAL), or for
// one of them, as by an extension module of Python; else, for a plugin that was opened alone, the one that this library
// was built with. A program that links an archive of BLACS has only the functions that it uses, and those that the
// linker was asked for. Not inline, and without exceptions: blacs() then takes 5 instructions, otherwise 12 or 20.
[[gnu::noinline]] Blacs found() noexcept {
  if (Cblacs_gridinfo != nullptr || blacs_gridinfo_ != nullptr)
    return completed({Cblacs_gridinfo != nullptr ? Cblacs_gridinfo : gridinfo_of_fortran, Cblacs_abort, blacs_get_,
                      blacs_gridmap_, blacs_gridexit_});
  if (const Blacs global = blacs_in(RTLD_DEFAULT); global.gridinfo != nullptr) return completed(global);
  if (void* const library = library_with("Cblacs_gridinfo")) return completed(blacs_in(library));
#ifdef XREDIST_BLACS
  if (void* const library = dlopen(XREDIST_BLACS, RTLD_NOW | RTLD_LOCAL)) return blacs_in(library);
  std::fprintf(stderr, "xredist: BLACS: the program has none, and %s cannot be opened\n", XREDIST_BLACS);
#else
  std::fputs("xredist: BLACS: the program has none\n", stderr);
#endif
  return {no_grid, end_program, no_communicator, nullptr, nullptr};
}

#else

Blacs found() { return {Cblacs_gridinfo, Cblacs_abort, blacs_get_, blacs_gridmap_, blacs_gridexit_}; }

#endif

}  // namespace

const Blacs& blacs() {
  static const Blacs blacs_of_program = found();
  return blacs_of_program;
}

}  // namespace xredist::core
