// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/program.hpp"

#include <exception>
#include <iostream>

namespace runs {
namespace {

int status_of(CLI::App& app, int argc, char** argv, const std::function<bool()>& measure) {
  const bool first = rank_in_world() == 0;
  try {
    std::ostream nowhere(nullptr);
    return !cases::parsed(app, argc, argv, first ? std::cout : nowhere) || measure() ? 0 : 1;
  } catch (const std::exception& error) {
    if (first) std::cerr << app.get_name() << ": " << error.what() << std::endl;
    return 2;
  }
}

}  // namespace

int run(CLI::App& app, int argc, char** argv, const std::function<bool()>& measure) {
  MPI_Init(&argc, &argv);
  const int status = status_of(app, argc, argv, measure);
  std::cout << std::flush;
#ifndef XREDIST_SIMULATED
  // SimGrid deletes the attributes of MPI_COMM_SELF too late: MPI may not be called any more (against MPI-4, 11.2.4).
  MPI_Finalize();
#endif
  return status;
}

int run_and_tell(CLI::App& app, int argc, char** argv, const std::function<bool()>& measure) {
  return run(app, argc, argv, [&] {
    const bool passed = everywhere(measure());
    record(passed ? "# passed" : "# FAILED");
    return passed;
  });
}

}  // namespace runs
