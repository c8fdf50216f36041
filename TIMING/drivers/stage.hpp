// SPDX-License-Identifier: BSD-3-Clause
// The stage of a case: processes, BLACS grids, matrices; the contenders that meet there, and their times.
#pragma once

#include <mpi.h>

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "drivers/contender.hpp"
#include "drivers/input.hpp"
#include "support/grid.hpp"

namespace drivers {

using runs::Call, runs::Contender, runs::Facts;
using xredist::testing::Context;

/// Collective over MPI_COMM_WORLD. Processes that the case does not need have no communicator and take no further part.
/// Ranks in the communicator equal those in MPI_COMM_WORLD.
class Stage {
 public:
  Stage(const Case& c, const Element& element);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  bool takes_part() const { return comm_ != MPI_COMM_NULL; }
  MPI_Comm comm() const { return comm_; }
  const Context& context() const { return context_; }  ///< of the processes in comm()

  const Element& element;
  const Context grid_a, grid_b;
  Local a, b;
  const std::array<int, 9> desc_a, desc_b;  ///< array descriptors

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  const Context context_;
};

/// Returns the names in input files: runs::choices(), which stand for plans of the C interface, and
///   drop-in    P?GEMR2D or P?TRMR2D of libxredist_scalapack: the whole call
///   scalapack  the same routine of ScaLAPACK
///   mkl        the same routine, if this program is linked with MKL's
///   alltoallv  pack, MPI_Alltoallv, unpack
///   alltoallw  MPI_Alltoallw with datatypes
///   fftw       FFTW's transpose, which moves slabs
std::vector<std::string> known_algorithms();
std::vector<std::string> usual_algorithms();

/// Returns the contenders of these names. Collective over the stage. Case and stage must outlive the contenders.
std::vector<Contender> contenders_of(const Case& c, const Stage& stage, const std::vector<std::string>& names);

/// Returns the routine that this process has loaded from ScaLAPACK, and the one from xredist; and their files.
Contender scalapack(const Case& c, const Stage& stage);
Contender mkl(const Case& c, const Stage& stage);
Contender drop_in(const Case& c, const Stage& stage);
std::string scalapack_file();
std::string drop_in_file();

/// Returns the method of programs without such a library: pack, MPI_Alltoallv, unpack.
Contender alltoallv(const Case& c, const Stage& stage);

/// Returns the methods of programs without any packing: one MPI_Alltoallw, and FFTW's transpose.
Contender alltoallw(const Case& c, const Stage& stage);
Contender fftw(const Case& c, const Stage& stage);

/// Returns a copy in memory of as many bytes as each process receives of B, on all processes at once.
Contender memory_copy(const Case& c, const Stage& stage);

/// Returns the facts of an algorithm of src/schedule, or nothing if it is not defined for the case.
std::optional<Facts> facts_of(const Case& c, int bytes, std::string_view algorithm);

struct Outcome {
  std::string name;
  std::string undefined;  ///< why the algorithm is not defined for the case; empty if it is
  Facts facts;
  std::vector<double> seconds;  ///< of each timed call, on the slowest process
  std::optional<Index> memory;  ///< maximum bytes that a process uses besides A and B
  Wrong wrong;                  ///< in all calls, on all processes

  bool passed() const { return undefined.empty() && wrong.count == 0; }
  bool failed() const { return wrong.count > 0; }
};

struct CaseTimes {
  std::vector<double> memory_copy;  ///< seconds of each copy, on the slowest process
  std::vector<Outcome> outcomes;
};

/// Bytes that each library of xredist keeps until the program ends.
using Kept = std::map<std::string, Index>;

/// Calls every contender once in each round, in rotating order. Before each call B is blanked, after it all of B is
/// checked; neither is timed. Collective over the stage; returns the same on all processes. Calls `progress` with the
/// number of each round.
CaseTimes time_case(const Case& c, Stage& stage, const Rounds& rounds, const std::vector<std::string>& names,
                    Kept& kept, const std::function<void(int)>& progress);

}  // namespace drivers
