// SPDX-License-Identifier: BSD-3-Clause
#include "results.hpp"

#include <dlfcn.h>
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

#include "gather.hpp"
#include "json.hpp"
#include "page.hpp"
#include "settings/held_signals.hpp"
#include "trial.hpp"

namespace xredist::trial {
namespace {

using core::TableColumns, core::Index, core::Row, core::Rows;
using Clock = std::chrono::steady_clock;

const Clock::time_point loaded = Clock::now();

// Returns the rows of all processes on process 0, else only the own rows. Collective over MPI_COMM_WORLD.
Rows gathered(const Rows& own, int rank, int size) {
  const std::vector<Row> rows = gather(std::span(own.all()), rank, size);
  return rank == 0 ? Rows(rows) : own;
}

// Returns the slowest calls of all processes on process 0, else those of this process. Collective over MPI_COMM_WORLD.
Slowest slowest_of_all(const Slowest& own, int rank, int size) {
  const std::vector<SlowCall> calls = gather(std::span(own.all()), rank, size);
  if (rank != 0) return own;
  Slowest all;
  for (const SlowCall& call : calls) all.add(call);
  return all;
}

// Returns the line about tuning, if --tune has found nothing to tune: a call is measured when it is repeated.
std::string tuning_text(const Rows& rows) {
  constexpr Index executions = 2;
  const char* const tune = std::getenv("XREDIST_TUNE");
  if (tune == nullptr || *tune == '0') return {};
  for (const Row& row : rows.all())
    if (&row != &rows.total() && row.calls >= executions) return {};
  return "no call was repeated often enough to be tuned (at least " + std::to_string(executions) +
         " executions with the same arguments are needed)\n";
}

std::string text_of(const Gathered& all) {
  const Results& found = results();
  const Rows& rows = all.rows;
  std::string text = "\nxredist-try: ";
  const Row& total = rows.total();
  if (own_is_xredist()) {
    text += "the program runs with " + found.own_library + " already; XREDIST_REPORT=1 prints its times\n";
  } else if (total.calls == 0) {
    text += "no call was tried\n";
    if (total.passed_on == 0)
      text += "The program did not call the routines, or it contains ScaLAPACK (a static link) and cannot be tried.\n";
  } else {
    text += only_xredist() ? "xredist alone\n" : "xredist compared with the routines of " + found.own_library + "\n";
    for (const std::string& line :
         lines_of(rows, only_xredist() ? TableColumns::xredist_with_memory : TableColumns::compared, all.seconds))
      text += line + "\n";
    text += all.complete
                ? "seconds: of the slowest process, measured from a barrier before each routine\n"
                : "The program ended without MPI_Finalize: calls and seconds of the first process of each call\n";
    text +=
        "+MB: largest rise of a process's resident memory in the first call of a row; xredist keeps its buffers, so\n"
        "  later rows need less\n";
    if (!only_xredist())
      text +=
          "different: elements with other bits; after sums and transposes, elements that differ by more than "
          "rounding\n";
  }
  if (!all.left_out.empty())
    text += "calls that were not tried: " + std::to_string(total.passed_on) + "\n" + all.left_out.text();
  if (!own_is_xredist()) text += tuning_text(rows);
  if (!all.solvers_left_out.empty())
    text += "\nxredist-try: solvers that --layouts left out\n" + all.solvers_left_out.text();
  return text + all.layouts.text();
}

void write_file(const char* name, const std::string& text) {
  const core::HeldSignals held;
  std::FILE* const file = std::fopen(name, "w");
  const bool written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if ((file == nullptr || std::fclose(file) == 0) && written) return;
  std::fprintf(stderr, "xredist-try: %s cannot be written\n", name);
}

void write_results(const Gathered& all) {
  std::fputs(text_of(all).c_str(), stderr);
  const char *const json = std::getenv("XREDIST_TRY_JSON"), *const page = std::getenv("XREDIST_TRY_HTML");
  if (json != nullptr) write_file(json, json_of(all) + "\n");
  if (page != nullptr)
    write_file(page, pages::filled(pages::trial_template, "xredist-try of " + all.where.program, json_of(all)));
}

bool take_turn() {
  const std::scoped_lock lock(results().mutex);
  return results().process == getpid() && !std::exchange(results().written, true);
}

bool mpi_runs() {
  int begun = 0, ended = 0;
  PMPI_Initialized(&begun);
  PMPI_Finalized(&ended);
  return begun != 0 && ended == 0;
}

// Gathers and prints the results before MPI is finalized, by whichever name.
void finish() {
  if (!mpi_runs() || !take_turn()) return;
  int rank = 0, size = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  double seconds = run_seconds(), longest = seconds;
  PMPI_Reduce(&seconds, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  Results& own = results();
  own.tuned.end();
  const Gathered all{gathered(own.rows, rank, size),
                     own.left_out.gathered(rank, size),
                     own.solvers_left_out.gathered(rank, size),
                     own.layouts.gathered(rank, size),
                     slowest_of_all(own.slowest, rank, size),
                     own.tuned.gathered(rank, size),
                     where_all(rank, size),
                     longest,
                     true};
  if (rank == 0) write_results(all);
}

// Prints the results of a process that ends without MPI_Finalize, without communication: the first process of a call
// has counted it.
[[gnu::destructor]] void finish_alone() {
  if (!take_turn()) return;
  Results& own = results();
  own.tuned.end();
  if (own.rows.total().calls > 0 || !own.left_out.empty() || !own.solvers_left_out.empty() ||
      !own.layouts.all().empty())
    write_results({own.rows, own.left_out, own.solvers_left_out, own.layouts, own.slowest, own.tuned.lines(),
                   where_here(), run_seconds(), false});
}

void finalize_fortran(const char* name, int* error) {
  finish();
  reinterpret_cast<void (*)(int*)>(next(name))(error);
}

}  // namespace

double run_seconds() { return std::chrono::duration<double>(Clock::now() - loaded).count(); }

Results& results() {
  static auto* const made = new Results;
  return *made;
}

bool only_xredist() {
  static const bool only = std::getenv("XREDIST_TRY_ONLY") != nullptr;
  return only;
}

bool own_is_xredist() {
  const std::string& file = results().own_library;
  return file.find("libxredist_", file.rfind('/') + 1) != file.npos;
}

}  // namespace xredist::trial

using namespace xredist::trial;

extern "C" {

[[gnu::visibility("default")]] int MPI_Finalize() {
  finish();
  return PMPI_Finalize();
}

[[gnu::visibility("default")]] void mpi_finalize_(int* error) { finalize_fortran("mpi_finalize_", error); }
[[gnu::visibility("default")]] void mpi_finalize_f08_(int* error) { finalize_fortran("mpi_finalize_f08_", error); }

}  // extern "C"
