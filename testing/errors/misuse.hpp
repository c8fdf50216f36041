// SPDX-License-Identifier: BSD-3-Clause
// A program with one error in a call of the library. It defines Cblacs_abort itself, to see that the call's arrays are
// untouched when the library calls it, and then ends the program as BLACS does. One file of a program includes this.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <thread>

#include "ranks.hpp"
#include "xredist/integer.h"

namespace xredist::testing {

/// Defined by the program: whether its arrays are as before the call.
bool untouched();

/// For the name of each error, what it changes in the correct call that a Setting holds.
template <class Setting>
using Errors = std::map<std::string, std::function<void(Setting&)>>;

/// The whole program. Setting is made from the name of the error, which is the program's argument.
template <class Setting>
int misuse(int argc, char** argv, const Errors<Setting>& errors, void (*call)(const Setting&)) {
  MPI_Init(&argc, &argv);
  const auto error = errors.find(argc > 1 ? argv[1] : "");
  if (error == errors.end()) {
    std::fprintf(stderr, "usage: %s ERROR, where ERROR is one of\n", argv[0]);
    for (const auto& [known, change] : errors) std::fprintf(stderr, "  %s\n", known.c_str());
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  {
    Setting setting(error->first);
    error->second(setting);
    call(setting);
  }
  std::printf("returned\n");
  MPI_Finalize();
  return 0;
}

}  // namespace xredist::testing

extern "C" __attribute__((visibility("default"))) void Cblacs_abort(xredist_int, xredist_int error) {
  const char* all = xredist::testing::untouched() ? "untouched" : "CHANGED";
  std::printf("process %d: all is %s\n", xredist::testing::rank(), all);
  std::fflush(stdout);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));  // MPICH's launcher drops what it has not yet read
  MPI_Abort(MPI_COMM_WORLD, static_cast<int>(error));
}
