// SPDX-License-Identifier: BSD-3-Clause
// solvers: times routines of ScaLAPACK in layouts that programs have, and in the layout that xredist_fit_blacs chooses,
// with the moves there and back. Checks a residual after each call. Prints CSV; the column info has INFO, or "wrong".
#include <mpi.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

#include "drivers/solver.hpp"
#include "drivers/times.hpp"
#include "schedules/classic_locale.hpp"
#include "schedules/command_line.hpp"
#include "support/grid.hpp"
#include "support/ranks.hpp"
#include "xredist/blacs.h"

extern "C" void Cblacs_gridinfo(int ctxt, int* nprow, int* npcol, int* myrow, int* mycol);

namespace drivers {
namespace {

namespace testing = xredist::testing;
using testing::anywhere;

constexpr double largest_residual = 10, not_finite = 1e99;

struct Request {
  std::vector<std::string> routines, layouts{"rows", "columns", "one", "1", "8", "64", "1000"};
  std::vector<int> orders{200, 500, 1000, 2000}, tried;
  std::string preset = "scalapack";
  int rounds = 20;
  double seconds = 1;
};

struct Layout {
  std::string name;
  int nprow, npcol, mb, nb;
};

int ceiling(int n, int parts) { return (n + parts - 1) / parts; }

// Returns the number of rows of the squarest grid of all processes.
int squarest(int processes) {
  int rows = 1;
  for (int k = 1; k * k <= processes; ++k)
    if (processes % k == 0) rows = k;
  return rows;
}

Layout layout_of(const std::string& name, int n) {
  const int all = size_of_world(), rows = squarest(all), cols = all / rows;
  if (name == "rows") return {name, all, 1, ceiling(n, all), n};
  if (name == "columns") return {name, 1, all, n, ceiling(n, all)};
  if (name == "one") return {name, rows, cols, ceiling(n, rows), ceiling(n, cols)};
  int block = 0;
  std::from_chars(name.data(), name.data() + name.size(), block);
  return {name, rows, cols, block, block};
}

// Returns grids of all processes, of half of them, of a quarter ..., with each of the block sizes.
std::vector<Layout> tried_layouts(const std::vector<int>& blocks) {
  std::vector<Layout> found;
  for (int all = size_of_world(); all > 0; all = all % 2 == 0 ? all / 2 : 0)
    for (int rows = 1; rows <= all; ++rows)
      for (const int block : blocks)
        if (all % rows == 0) found.push_back({"tried", rows, all / rows, block, block});
  return found;
}

int checked(int code) {
  if (code != 0) throw std::runtime_error(xredist_error());
  return code;
}

// Returns the INFO of the processes that called the routine, to all processes.
int agreed(int info) {
  int smallest = 0, largest = 0;
  MPI_Allreduce(&info, &smallest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(&info, &largest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return smallest != 0 ? smallest : largest;
}

struct Times {
  double best = std::numeric_limits<double>::infinity(), moving = 0;  // of the fastest round
  double all = 0, residual = 0;                                       // of all rounds: sum; maximum
  int rounds = 0, info = 0;

  void check(double found) { residual = std::max(residual, std::isfinite(found) ? found : not_finite); }
  void add(double seconds, double moved) {
    if (seconds < best) best = seconds, moving = moved;
    all += seconds;
    ++rounds;
  }
};

void run_own(const Solver& solver, const Distributed& before, Problem& p, Times& times) {
  reset(solver, p);
  const double seconds = seconds_of(
      [&] {
        if (p.a.desc[ctxt_] >= 0) solver.run(p);
      },
      MPI_COMM_WORLD);
  times.add(seconds, 0);
  times.info = agreed(p.info);
  if (times.info == 0) times.check(solver.residual(before, p, pivots_of_all_rows(p)));
}

void move(int ctxt, const Distributed& from, Distributed& to) {
  const xredist_operation copy{.m = from.desc[m_], .n = from.desc[n_], .type = 'D'};
  xredist_plan* made = nullptr;
  checked(xredist_plan_create_blacs(ctxt, from.desc.data(), to.desc.data(), nullptr, &copy, &made));
  const std::unique_ptr<xredist_plan, void (*)(xredist_plan*)> plan(made, xredist_plan_destroy);
  const xredist_job job{.plan = made, .a = from.local.data(), .b = to.local.data()};
  checked(xredist_execute(&job));
}

// The context of `own`, of all processes, is also that of the moves.
Descriptor fitted(const Descriptor& own, const xredist_rules& rules) {
  Descriptor desc{};
  checked(xredist_fit_blacs(own[ctxt_], own[m_], own[n_], own.data(), nullptr, &rules, desc.data(), nullptr, nullptr));
  if (desc[ctxt_] < 0) desc[m_] = own[m_], desc[n_] = own[n_];
  return desc;
}

// All of what a program does: fit, move there, solve, move back, tell. The pivots of the fitted layout are its own.
void run_fitted(const Solver& solver, const Distributed& before, const xredist_rules& rules, Problem& p, Times& times) {
  reset(solver, p);
  const int ctxt = p.a.desc[ctxt_];
  double solving = 0;
  std::vector<int> pivots;
  Problem there{};
  const double seconds = seconds_of(
      [&] {
        there = problem(solver, fitted(p.a.desc, rules));
        for (const auto matrix : solver.in) move(ctxt, p.*matrix, there.*matrix);
        if (there.a.desc[ctxt_] >= 0) {
          const double start = MPI_Wtime();
          solver.run(there);
          solving = MPI_Wtime() - start;
        }
        for (const auto matrix : solver.out) move(ctxt, there.*matrix, p.*matrix);
        p.values = there.values, p.info = there.info;
        checked(xredist_tell_blacs(ctxt, there.a.desc.data(), p.values.data(),
                                   static_cast<std::int64_t>(p.values.size() * sizeof(double))));
        checked(xredist_tell_blacs(ctxt, there.a.desc.data(), &p.info, sizeof p.info));
      },
      MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &solving, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  times.add(seconds, seconds - solving);
  times.info = agreed(p.info);
  if (times.info == 0) times.check(solver.residual(before, p, pivots_of_all_rows(there)));
}

std::string text_of(int nprow, int npcol) { return std::to_string(nprow) + "x" + std::to_string(npcol); }

// Returns grid and block of a layout that the first process may be outside of, as "2x2,64x64". Collective.
std::string text_of(const Descriptor& desc) {
  std::array<int, 4> numbers{};
  if (desc[ctxt_] >= 0) {
    int row = 0, col = 0;
    Cblacs_gridinfo(desc[ctxt_], &numbers[0], &numbers[1], &row, &col);
    numbers[2] = desc[mb_], numbers[3] = desc[nb_];
  }
  MPI_Allreduce(MPI_IN_PLACE, numbers.data(), 4, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return text_of(numbers[0], numbers[1]) + "," + text_of(numbers[2], numbers[3]);
}

// Minimum of rounds with a fit: the first one makes the context of the fitted layout and explores the links.
constexpr int min_fitted_rounds = 3;

// Times a routine in a layout of the program and, unless the layout is one of those that are tried, in the fitted one,
// in turns. Prints a record. Returns whether the residuals are small.
bool measure(const Solver& solver, int n, const Layout& layout, const Request& request) {
  const testing::Context grid(testing::row_major(layout.nprow, layout.npcol));
  const Descriptor desc{1, grid.handle(), n, n, layout.mb, layout.nb, 0, 0, 1};
  Problem p = problem(solver, desc);
  reset(solver, p);
  const Distributed before = p.a;
  xredist_rules rules{};
  checked(xredist_rules_for(request.preset.c_str(), &rules));
  const bool tried = layout.name == "tried";
  const Descriptor other = tried ? desc : fitted(p.a.desc, rules);
  const bool moves = anywhere(other[ctxt_] != desc[ctxt_] || other[mb_] != desc[mb_] || other[nb_] != desc[nb_]);

  Times own, fit;
  const auto in_time = [&] { return own.all + fit.all < request.seconds; };
  for (int round = 0; round < request.rounds && (in_time() || (moves && round < min_fitted_rounds)); ++round) {
    if (own.info == 0 && (round == 0 || in_time())) run_own(solver, before, p, own);
    if (moves) run_fitted(solver, before, rules, p, fit);
    if (own.info != 0 && !moves) break;
  }
  // PDGESVD returns INFO = 0 although PDGEBRD, which it calls, has refused blocks that are not square.
  const bool wrong = own.residual >= largest_residual && layout.mb != layout.nb;
  if (wrong) own.residual = 0;
  const bool passed = own.residual < largest_residual && fit.residual < largest_residual && fit.info == 0;
  std::ostringstream line;
  line << size_of_world() << ',' << solver.name << ',' << n << ',' << layout.name << ',' << text_of(desc) << ','
       << (wrong ? "wrong" : std::to_string(own.info)) << ',';
  if (own.info == 0 && !wrong) line << own.best;
  line << ',' << (tried ? "," : text_of(other)) << ',';
  if (moves) line << fit.best << ',' << fit.moving;
  if (!moves) line << ',';
  line << ',' << own.rounds << ',' << fit.rounds << ',' << std::max(own.residual, fit.residual) << ','
       << (passed ? "passed" : "FAILED");
  if (rank_in_world() == 0) std::cout << line.str() << std::endl;
  return passed;
}

bool measure_all(const Request& request) {
  bool passed = true;
  if (rank_in_world() == 0)
    std::cout << "processes,routine,n,layout,grid,block,info,own_s,fit_grid,fit_block,fit_s,moving_s,own_rounds,"
                 "fit_rounds,residual,check"
              << std::endl;
  for (const Solver& solver : solvers()) {
    const auto& wanted = request.routines;
    if (!wanted.empty() && std::ranges::find(wanted, solver.name) == wanted.end()) continue;
    for (const int n : request.orders) {
      for (const std::string& name : request.layouts) passed &= measure(solver, n, layout_of(name, n), request);
      for (const Layout& layout : tried_layouts(request.tried)) passed &= measure(solver, n, layout, request);
    }
  }
  return passed;
}

void add_to(CLI::App& app, Request& request) {
  std::vector<std::string> names;
  for (const Solver& solver : solvers()) names.emplace_back(solver.name);
  const CLI::Validator layout(
      [](const std::string& name) {
        const bool known = name == "rows" || name == "columns" || name == "one" || layout_of(name, 1).mb > 0;
        return known ? std::string() : "no such layout: " + name;
      },
      "");
  cases::list(app, "--routines", request.routines, "default: all")->check(CLI::IsMember(names));
  cases::list(app, "--n", request.orders, "orders of the matrix")->check(cases::positive());
  cases::list(app, "--layouts", request.layouts,
              "of the program: rows and columns (slabs), one (block a process), or the size of blocks on the squarest "
              "grid")
      ->check(layout);
  cases::list(app, "--tried", request.tried,
              "block sizes that are tried, without a fit, on all grids of all processes, of half of them, of a quarter "
              "...")
      ->check(cases::positive());
  app.add_option("--preset", request.preset, "rules of the fit")->capture_default_str();
  app.add_option("--rounds", request.rounds, "at most this many; the fastest one counts")
      ->check(cases::positive())
      ->capture_default_str();
  app.add_option("--seconds", request.seconds, "no round begins after this many in a case, but for three with a fit")
      ->capture_default_str();
}

int status_of(int argc, char** argv) {
  CLI::App app(
      "Times ScaLAPACK's routines in the layouts that programs have, and in the fitted one with the moves there and "
      "back. Start this program with mpirun.",
      "solvers");
  Request request;
  add_to(app, request);
  const bool first = rank_in_world() == 0;
  std::ostream nowhere(nullptr);
  try {
    return !cases::parsed(app, argc, argv, first ? std::cout : nowhere) || measure_all(request) ? 0 : 1;
  } catch (const std::invalid_argument& error) {
    if (first) std::cerr << "solvers: " << error.what() << std::endl;
    return 2;
  } catch (const std::exception& error) {  // possibly on this process only
    std::cerr << "solvers: process " << rank_in_world() << ": " << error.what() << std::endl;
    MPI_Abort(MPI_COMM_WORLD, 1);
    throw;
  }
}

}  // namespace
}  // namespace drivers

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  cases::use_classic_locale();
  const int status = drivers::status_of(argc, argv);
  MPI_Finalize();
  return status;
}
