// What is timed side by side.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/stage.hpp"

namespace drivers {

using Run = std::function<void()>;

/// What is known of a schedule without running it. Messages: between different processes, each part of one that is cut;
/// not counted for trapezoids, where some are empty.
struct Facts {
  std::optional<Index> steps, messages;
};

/// The facts of an algorithm of src/schedule, of elements of so many bytes; nothing where it is not defined for the
/// case.
std::optional<Facts> facts_of(const Case& c, int bytes, std::string_view algorithm);

/// Of the algorithm that the environment chooses, as the drop-in does.
Facts chosen_facts_of(const Case& c, int bytes);

/// Why an algorithm may be undefined.
std::string_view why_undefined(std::string_view algorithm);

/// A way to move A to B. `make` gives a run that can be called again and again; its first call also does what
/// has to be done once (plans, buffers), which is freed with the run.
struct Contender {
  std::string name;
  std::string undefined;  ///< why it cannot be run, or nothing
  Facts facts;
  std::function<Run()> make;
};

/// Names for input files: runs::choices(), for plans of the C interface, and
///   drop-in    libxredist_scalapack's P?GEMR2D or P?TRMR2D: the whole call
///   scalapack  ScaLAPACK's own
///   alltoallv  pack, MPI_Alltoallv, unpack
std::vector<std::string> known_algorithms();
std::vector<std::string> usual_algorithms();

/// P?GEMR2D and P?TRMR2D, ScaLAPACK's own and ours, in one process; and the files that they are in.
Contender scalapack(const Case& c, const Stage& stage);
Contender drop_in(const Case& c, const Stage& stage);
std::string scalapack_file();
std::string drop_in_file();

/// What a program does without a library for it: pack, MPI_Alltoallv, unpack.
Contender alltoallv(const Case& c, const Stage& stage);

/// For a process that takes part; case and stage outlive what is returned.
std::vector<Contender> contenders_of(const Case& c, const Stage& stage, const std::vector<std::string>& names);

/// Every process copies in memory as many bytes as it gets of B, all at once.
Contender memory_copy(const Case& c, const Stage& stage);

}  // namespace drivers
