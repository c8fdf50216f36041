// SPDX-License-Identifier: BSD-3-Clause
#include "layouts.hpp"

#include <mpi.h>

#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "results.hpp"
#include "scalapack/blacs.hpp"
#include "trial.hpp"
#include "xredist/blacs.h"
#include "xredist/xredist.h"

namespace xredist::trial {
namespace {

using core::Axis, core::Grid;

bool wanted() {
  static const bool layouts = std::getenv("XREDIST_TRY_LAYOUTS") != nullptr;
  return layouts;
}

struct DestroysPlan {
  void operator()(xredist_plan* plan) const { xredist_plan_destroy(plan); }
};
using Plan = std::unique_ptr<xredist_plan, DestroysPlan>;

// Copies a matrix of order n. Returns whether all processes could.
bool move(const Solve& call, const int* from, const void* a, const int* to, void* b) {
  const xredist_operation copy{.m = call.n, .n = call.n, .bytes = call.bytes};
  xredist_plan* made = nullptr;
  if (xredist_plan_create_blacs(call.desca[1], from, to, nullptr, &copy, &made) != 0) return false;
  const Plan plan(made);
  const xredist_job job{.plan = made, .a = a, .b = b};
  return xredist_execute(&job) == 0;
}

std::vector<std::byte> room_for(const int* desc, int bytes) {
  const Grid grid = core::grid_of(desc[1]);
  const Axis cols(desc[5], grid.npcol, desc[7], 0);
  return std::vector<std::byte>(core::as_size(local_count(cols, grid.mycol, desc[3]) * desc[8] * bytes));
}

std::string layout_text(const int* desc) {
  std::array<int, 4> all{};
  const Grid grid = core::grid_of(desc[1]);
  if (grid.member()) all = {desc[4], desc[5], grid.nprow, grid.npcol};
  return std::to_string(all[0]) + " x " + std::to_string(all[1]) + " on " + std::to_string(all[2]) + " x " +
         std::to_string(all[3]);
}

// The result of a trial: a description of the fitted layout, or the reason why there was none. Equal on all processes.
struct Outcome {
  std::string fitted, why_not;
};

Outcome failed() { return {{}, xredist_error()}; }

Outcome solve_copy(const Solve& call, const std::function<int(Fitted&)>& copy, LayoutSeconds& seconds) {
  Fitted b{};
  int rows = 0, cols = 0, info = 0;
  const double start = PMPI_Wtime();
  if (xredist_fit_blacs(call.desca[1], call.n, call.n, call.desca, nullptr, nullptr, b.desc.data(), &rows, &cols) != 0)
    return failed();
  for (auto* const local : {&b.a, &b.z}) local->resize(core::as_size(core::Index{1} * rows * cols * call.bytes));
  if (!move(call, call.desca, call.a, b.desc.data(), b.a.data())) return failed();
  const double moved = PMPI_Wtime();
  if (b.desc[1] >= 0) info = copy(b);
  seconds.solving = PMPI_Wtime() - moved;
  std::vector<std::byte> result = room_for(call.desca, call.bytes);
  if (!move(call, b.desc.data(), (call.vectors ? b.z : b.a).data(), call.desca, result.data())) return failed();
  seconds.fitted = PMPI_Wtime() - start;
  xredist_tell_blacs(call.desca[1], b.desc.data(), &info, sizeof info);
  if (info != 0) return {{}, "in the fitted layout it returns INFO = " + std::to_string(info)};
  return {layout_text(b.desc.data()), {}};
}

// Returns why a whole matrix cannot be taken from the call; nullptr if it can.
const char* why_not(const Solve& call) {
  if (call.why_not != nullptr) return call.why_not;
  if (call.n < 1) return "N is 0";
  return call.ia == 1 && call.ja == 1 ? nullptr : "IA or JA is not 1";
}

// Returns whether this thread is in a solver that is not tried, and that may call others.
bool& in_solver() {
  thread_local bool in = false;
  return in;
}

// Counts a call that is not tried, if the program itself calls. The first process of the grid counts.
void leave_out(const char* routine, const Grid& grid, const std::string& why) {
  if (inside() || in_solver() || grid.myrow != 0 || grid.mycol != 0) return;
  const std::scoped_lock lock(results().mutex);
  results().solvers_left_out.count(routine, why);
}

// Calls a solver of the program, in which others are not counted.
void call_alone(const std::function<void()>& own) {
  const bool before = std::exchange(in_solver(), true);
  own();
  in_solver() = before;
}

}  // namespace

void pass_on(const char* routine, const char* why, const int* desca, const int* lwork,
             const std::function<void()>& own) {
  const bool query = lwork != nullptr && *lwork == -1;
  if (wanted() && !query) leave_out(routine, core::grid_of(desca[1]), why);
  call_alone(own);
}

void solve(const Solve& call, const std::function<void()>& own, const std::function<int(Fitted&)>& copy) {
  if (!wanted() || call.query || inside()) return call_alone(own);
  const Grid grid = core::grid_of(call.desca[1]);
  const char* const why = why_not(call);
  if (why != nullptr) leave_out(call.routine, grid, why);
  if (why != nullptr || !grid.member()) return call_alone(own);
  const MPI_Comm comm = core::communicator(call.desca[1]);
  inside() = true;
  LayoutSeconds seconds;
  PMPI_Barrier(comm);
  const Outcome outcome = solve_copy(call, copy, seconds);
  PMPI_Barrier(comm);
  const double start = PMPI_Wtime();
  own();
  seconds.own = PMPI_Wtime() - start;
  PMPI_Allreduce(MPI_IN_PLACE, &seconds, 3, MPI_DOUBLE, MPI_MAX, comm);
  inside() = false;
  if (outcome.fitted.empty()) return leave_out(call.routine, grid, outcome.why_not);
  if (grid.myrow != 0 || grid.mycol != 0) return;
  const std::scoped_lock lock(results().mutex);
  results().layouts.add(call.routine, call.n, layout_text(call.desca), outcome.fitted, seconds);
}

}  // namespace xredist::trial
