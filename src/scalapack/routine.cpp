// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack/routine.hpp"

#include <mpi.h>

#include <cctype>
#include <chrono>
#include <cstdlib>
#include <new>
#include <thread>
#include <utility>

#include "exchange/communicator.hpp"
#include "exchange/errors.hpp"
#include "scalapack/blacs.hpp"
#include "settings/log.hpp"

namespace xredist::core {
namespace {

// Processes of this rank and above wait equally long, and so do processes that learn of an error from another one.
constexpr int max_waiting_rank = 12;

// When a process aborts, MPICH's launcher may drop output that it has not read yet.
constexpr std::chrono::milliseconds until_read{200};

// Returns the argument that holds a value. PBLAS's routines have the context in the descriptors.
ArgumentRef as_passed(const Routine& routine, const ArgumentRef& name) {
  if (routine.of_pblas && name.argument == "CTXT") return {"DESCB", ctxt_, name.detail};
  return name;
}

// Returns the number of an entry, from 1. PBLAS's descriptors of type 2 have the size of the first block as well.
int number_of_entry(const Routine& routine, const ArgumentRef& name) {
  const bool is_long = name.argument == "DESCA" ? routine.long_desca : routine.long_descb;
  return name.entry + (is_long && name.entry >= mb_ ? 3 : 1);
}

// Returns the number of an argument, from 1.
std::ptrdiff_t argument_number(const Routine& routine, const ArgumentRef& name) {
  return std::ranges::find(routine.arguments, name.argument) - routine.arguments.begin() + 1;
}

// Returns 100 times the number of the argument plus the number of the entry; 0 if no argument is named.
Index number_of(const Routine& routine, const ArgumentRef& given) {
  const ArgumentRef name = as_passed(routine, given);
  return name.argument.empty() ? 0 : 100 * argument_number(routine, name) + name.entry + 1;
}

// Returns the rank in the context; in MPI_COMM_WORLD if there is no context with this process.
int rank_of(const Caller& caller) {
  if (!caller.ctxt) return world_rank();
  const Grid grid = grid_of(*caller.ctxt);
  return grid.member() ? grid.myrow * grid.npcol + grid.mycol : world_rank();
}

}  // namespace

Text name_of(const Routine& routine, const ArgumentRef& given) {
  const ArgumentRef name = as_passed(routine, given);
  std::string argument(name.argument);
  if (argument == "DESCA" && routine.has("DESC")) argument.pop_back();
  if (routine.of_pblas && argument.ends_with('B')) argument.back() = 'C';
  Text text;
  if (routine.style == ErrorStyle::names) {
    const auto lower = [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); };
    std::ranges::transform(argument, argument.begin(), lower);
    if (name.entry < 0) return text_of({argument, -1, name.detail});
    text << argument;
  } else {
    text << "argument " << argument_number(routine, name) << " (" << argument << ")";
  }
  if (name.entry >= 0) text << ", entry " << number_of_entry(routine, name) << " (" << entry_names[name.entry] << ")";
  return text << name.detail;
}

Text sentence_of(const Routine& routine, const ArgumentError& error) {
  return error.argument.argument.empty() ? error.reason : name_of(routine, error.argument) << error.reason;
}

InvalidRoutineArgument::InvalidRoutineArgument(const Routine& routine, const ArgumentError& error)
    : InvalidArgument(sentence_of(routine, error)), number(number_of(routine, error.argument)) {}

void demand(const Routine& routine, const MaybeError& error) {
  if (error) throw InvalidRoutineArgument(routine, *error);
}

int world_rank() { return mpi_error({}) ? 0 : rank_in(MPI_COMM_WORLD); }

void end_program(const char* routine, std::optional<xredist_int> ctxt, int rank, const char* sentence) {
  if (rank > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1000 + 500 * std::min(rank, max_waiting_rank)));
  write_log("%s: %s", routine, sentence);
  if (mpi_error({})) std::exit(EXIT_FAILURE);
  std::this_thread::sleep_for(until_read);
  blacs().abort(ctxt.value_or(-1), 1);
  std::abort();
}

void fail(const Caller& caller, const std::exception& error) {
  const auto [rank, sentence] = [&]() -> std::pair<int, const char*> {
    if (dynamic_cast<const Failure*>(&error) != nullptr) return {rank_of(caller), error.what()};
    if (dynamic_cast<const PeerFailed*>(&error) != nullptr) return {max_waiting_rank, error.what()};
    if (dynamic_cast<const OutOfMemorySomewhere*>(&error) != nullptr) return {world_rank(), error.what()};
    if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {  // perhaps on this process only: wait for no other
      const bool plain = error.what() == std::string_view(std::bad_alloc().what());
      return {0, plain ? "out of memory" : error.what()};
    }
    return {world_rank(), error.what()};
  }();
  end_program(caller.routine.name, caller.ctxt, rank, sentence);
}

}  // namespace xredist::core
