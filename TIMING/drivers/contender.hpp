// SPDX-License-Identifier: BSD-3-Clause
// The stage of a case: processes, BLACS grids and matrices; and the contenders that meet there, methods that move A to
// B.
#pragma once

#include <mpi.h>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "drivers/matrices.hpp"
#include "support/grid.hpp"
#include "xredist/xredist.hpp"

namespace drivers {

using namespace cases;
using xredist::testing::Context;

xredist::testing::GridShape shape_of(const Matrix& x);

/// Collective over MPI_COMM_WORLD. Processes that the case does not need have no communicator and take no further part.
/// Ranks in the communicator equal those in MPI_COMM_WORLD. The case must outlive the stage.
class Stage {
 public:
  Stage(const Case& shown, const Element& e);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  bool takes_part() const { return comm_ != MPI_COMM_NULL; }
  MPI_Comm comm() const { return comm_; }
  int size() const { return static_cast<int>(processes(c)); }  ///< number of processes in comm()

  const Case& c;
  const Element& element;
  const Context grid_a, grid_b, context;  ///< context: of the processes in comm()
  Local a, b;
  const std::array<int, 9> desc_a, desc_b;  ///< array descriptors

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// A plan for the rectangle of a case; the last copy destroys it.
using Plan = std::shared_ptr<xredist_plan>;

/// A contender whose plan, types and buffers are made; can be repeated.
struct Call {
  std::function<void()> run;
  Plan plan = nullptr;                    ///< the plan that `run` executes, if any
  std::function<void()> prepare = [] {};  ///< called before each `run`; not timed
};

struct Contender {
  std::string name;
  std::string undefined = {};       ///< why the method is not defined for the case; empty if it is
  std::function<Call()> make = {};  ///< collective over the stage
};

/// Returns the names of all contenders, apart from radices of a mesh (4x4) and files of libraries (lib.so), which
/// is_known() knows too:
///   default                          a plan; the library chooses order and route
///   optimal, ...                     a plan with this algorithm of src/schedule, whose messages go directly
///   direct, two-hop, 4x4             a plan with this route; the library chooses the order
///   drop-in                          P?GEMR2D or P?TRMR2D of libxredist_scalapack: the whole call
///   scalapack                        the routine of ScaLAPACK
///   new-grids:drop-in, new-grids:scalapack
///                                    the first call on a context and grids that are made anew for each call
///   lib.so, a:b:lib.so               the routine of lib.so, on the BLACS of this program; a and b are loaded first
///   alltoallw                        MPI_Alltoallw with datatypes
///   fftw                             FFTW's transpose, which moves slabs
///   alltoallv, at-once               pack, exchange, unpack: packed.cpp
///   scalapack-order, wo-passes, steps:NAME, one-receive:NAME, all-receives:NAME, pipelined:NAME
///                                    the same by a schedule of the library or of a paper: scheduled.cpp
std::vector<std::string> known_contenders();
bool is_known(const std::string& name);

/// Returns the contenders of these names. Collective over the stage, which must outlive them.
std::vector<Contender> contenders_of(const Stage& stage, const std::vector<std::string>& names);

Contender drop_in(const Stage& stage);
Contender scalapack(const Stage& stage);
Contender drop_in_on_new_grids(const Stage& stage);
Contender scalapack_on_new_grids(const Stage& stage);
Contender of_libraries(const Stage& stage, const std::string& files);
Contender alltoallw(const Stage& stage);
Contender fftw(const Stage& stage);
Contender alltoallv(const Stage& stage);
Contender at_once(const Stage& stage);
Contender scalapack_order(const Stage& stage);
Contender in_passes(const Stage& stage);

/// Return the names of the contenders that exchange packed messages by a schedule, and one of them: the exchange and
/// the algorithm, as steps:optimal.
std::vector<std::string> scheduled_names();
Contender scheduled(const Stage& stage, const std::string& name);

/// Returns the files of the routines of `scalapack` and `drop-in`.
std::string scalapack_file();
std::string drop_in_file();

/// Returns a copy in memory of as many bytes as each process receives of B, on all processes at once.
Contender memory_copy(const Stage& stage);

/// Values of XREDIST_ALGORITHM and XREDIST_ROUTE, and whether the plan is tuned (xredist_plan_tune).
struct Choice {
  std::string algorithm, route;
  bool tuned = false;
};

/// Returns the options for which the name of a plan stands, or nothing if it is not a plan.
std::optional<Choice> choice_of(const std::string& name);

Contender planned(const Stage& stage, const std::string& name);

/// Returns the radices of the mesh over which a plan travels on this process, as in "4x4x2", or "direct".
std::string route_of(const Plan& plan);

/// Returns the steps of the schedule, if messages travel directly.
std::optional<Index> steps_of(const Plan& plan);

/// A case whose B grid has the processes where they keep the most elements in place (xredist_relabel), and the
/// fractions of the elements that stay after and before relabelling.
struct Relabelled {
  Case c;
  double kept, kept_before;
};

/// Relabels the grid of B. Collective over MPI_COMM_WORLD.
Relabelled relabelled(const Case& c);

/// Returns the same with the map of Kalns & Ni, or the reason why they have none. Of `best`, the result of
/// relabelled(), takes the fraction before relabelling.
std::variant<Relabelled, std::string> relabelled_by_kalns_ni(const Case& c, const Relabelled& best);

}  // namespace drivers
