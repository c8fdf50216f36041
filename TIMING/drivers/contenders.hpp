// What is timed side by side.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "facts.hpp"
#include "stage.hpp"

namespace drivers {

using Run = std::function<void()>;

/// A way to move A to B. `make` gives a run that can be called again and again; its first call also does what
/// has to be done once (plans, buffers), which is freed with the run.
struct Contender {
  std::string name;
  std::string undefined;  ///< why it cannot be run, or nothing
  Facts facts;
  std::function<Run()> make;
};

/// Names for input files: those of src/schedule, for plans of the C interface with that schedule, and
///   drop-in    libxredist_scalapack's P?GEMR2D or P?TRMR2D: the whole call
///   scalapack  ScaLAPACK's own
///   alltoallv  pack, MPI_Alltoallv, unpack
bool known_algorithm(const std::string& name);
std::string names_of_algorithms();
std::vector<std::string> usual_algorithms();

/// For a process that takes part; case and stage outlive what is returned.
std::vector<Contender> contenders_of(const Case& c, const Stage& stage, const std::vector<std::string>& names);

/// Every process copies in memory as many bytes as it gets of B, all at once.
Contender memory_copy(const Case& c, const Stage& stage);

}  // namespace drivers
