// SPDX-License-Identifier: BSD-3-Clause
// What is timed side by side.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/stage.hpp"

namespace drivers {

using Call = std::function<void()>;

/// What is known of a schedule without carrying it out, if messages go directly. Messages are those between different
/// processes; each part of a message that is cut counts. They are not counted for trapezoids, where some are empty.
struct Facts {
  std::optional<Index> steps, messages;
};

/// The facts of an algorithm of src/schedule, for elements of so many bytes; nothing if it is not defined for the case.
std::optional<Facts> facts_of(const Case& c, int bytes, std::string_view algorithm);

/// The facts of the algorithm that the environment chooses, which the drop-in uses; unknown with two hops.
Facts chosen_facts_of(const Case& c, int bytes);

/// Why an algorithm may not be defined for a case.
std::string_view why_undefined(std::string_view algorithm);

/// A way to move A to B. `make` returns a call that can be made again and again. The first time it also makes what is
/// needed once (plans, buffers), which is freed with it.
struct Contender {
  std::string name;
  std::string undefined;  ///< why it is not defined for the case; empty if it is
  Facts facts;
  std::function<Call()> make;
};

/// The names in input files: runs::choices(), which stand for plans of the C interface, and
///   drop-in    libxredist_scalapack's P?GEMR2D or P?TRMR2D: the whole call
///   scalapack  ScaLAPACK's own
///   alltoallv  pack, MPI_Alltoallv, unpack
std::vector<std::string> known_algorithms();
std::vector<std::string> usual_algorithms();

/// P?GEMR2D and P?TRMR2D, ScaLAPACK's own and ours, in one process; and the files that they are loaded from.
Contender scalapack(const Case& c, const Stage& stage);
Contender drop_in(const Case& c, const Stage& stage);
std::string scalapack_file();
std::string drop_in_file();

/// What a program does that has no such library: pack, MPI_Alltoallv, unpack.
Contender alltoallv(const Case& c, const Stage& stage);

/// Called by processes that take part. Case and stage have to outlive what is returned.
std::vector<Contender> contenders_of(const Case& c, const Stage& stage, const std::vector<std::string>& names);

/// All processes at once copy as many bytes in memory as they receive of B.
Contender memory_copy(const Case& c, const Stage& stage);

}  // namespace drivers
