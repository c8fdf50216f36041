// SPDX-License-Identifier: BSD-3-Clause
#include "results.hpp"

#include <dlfcn.h>
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gather.hpp"
#include "layouts.hpp"
#include "settings/decimals.hpp"
#include "trial.hpp"

namespace xredist::trial {
namespace {

using core::TableColumns, core::Cost, core::Index, core::Row, core::Rows, core::Shape;
using Clock = std::chrono::steady_clock;

const Clock::time_point loaded = Clock::now();

double run_seconds() { return std::chrono::duration<double>(Clock::now() - loaded).count(); }

// Returns the rows of all processes on process 0, else only the own rows. Collective over MPI_COMM_WORLD.
Rows gathered(const Rows& own, int rank, int size) {
  const std::vector<Row> rows = gather(std::span(own.all()), rank, size);
  return rank == 0 ? Rows(rows) : own;
}

void write_cost(std::FILE* file, const char* name, const Cost& cost) {
  std::fprintf(file, ", \"%s\": {\"seconds\": %s, \"memory\": ", name, core::with_decimals(cost.seconds, 9).c_str());
  if (cost.memory < 0)
    std::fputs("null}", file);
  else
    std::fprintf(file, "%lld}", static_cast<long long>(cost.memory));
}

void write_shape(std::FILE* file, const char* name, const Shape& shape) {
  std::fprintf(file, ", \"%s\": {\"mb\": %lld, \"nb\": %lld, \"nprow\": %lld, \"npcol\": %lld}", name,
               static_cast<long long>(shape.mb), static_cast<long long>(shape.nb), static_cast<long long>(shape.nprow),
               static_cast<long long>(shape.npcol));
}

// The results of all processes, or those of this process alone.
struct Gathered {
  Rows rows;
  LeftOut left_out, solvers_left_out;
  double seconds;  // of the program
  bool complete;   // of all processes
};

// Writes the results as JSON. The first row is the total, which has no matrices.
void write_json(const char* name, const Gathered& all) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(name, "w"), std::fclose);
  if (!file) {
    std::fprintf(stderr, "xredist-try: %s cannot be written\n", name);
    return;
  }
  std::fprintf(file.get(), "{\"complete\": %s, \"run_seconds\": %s, \"rows\": [", all.complete ? "true" : "false",
               core::with_decimals(all.seconds, 6).c_str());
  const char* separator = "\n";
  for (const Row& row : all.rows.all()) {
    std::fprintf(file.get(), "%s{\"routine\": \"%s\", \"m\": %lld, \"n\": %lld", separator, row.key.routine,
                 static_cast<long long>(row.key.m), static_cast<long long>(row.key.n));
    write_shape(file.get(), "a", row.key.a);
    write_shape(file.get(), "b", row.key.b);
    std::fprintf(file.get(), ", \"calls\": %lld, \"bytes\": %lld, \"different\": %lld, \"not_tried\": %lld",
                 static_cast<long long>(row.calls), static_cast<long long>(row.bytes),
                 static_cast<long long>(row.different), static_cast<long long>(row.passed_on));
    if (!only_xredist()) write_cost(file.get(), "own", row.own);
    write_cost(file.get(), "xredist", row.xredist);
    std::fputs("}", file.get());
    separator = ",\n";
  }
  std::fputs("\n], \"left_out\": ", file.get());
  all.left_out.write_json(file.get());
  std::fputs("}\n", file.get());
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

void write(const Gathered& all) {
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
  std::fputs(text.c_str(), stderr);
  if (const char* json = std::getenv("XREDIST_TRY_JSON")) write_json(json, all);
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
  const Results& own = results();
  const Gathered all{gathered(own.rows, rank, size), own.left_out.gathered(rank, size),
                     own.solvers_left_out.gathered(rank, size), longest, true};
  if (rank == 0) write(all);
  write_layouts();
}

// Prints the results of a process that ends without MPI_Finalize, without communication: the first process of a call
// has counted it.
[[gnu::destructor]] void finish_alone() {
  if (!take_turn()) return;
  const Results& own = results();
  if (own.rows.total().calls > 0 || !own.left_out.empty() || !own.solvers_left_out.empty())
    write({own.rows, own.left_out, own.solvers_left_out, run_seconds(), false});
  write_layouts();
}

void finalize_fortran(const char* name, int* error) {
  finish();
  reinterpret_cast<void (*)(int*)>(next(name))(error);
}

}  // namespace

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
