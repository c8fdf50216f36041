// SPDX-License-Identifier: BSD-3-Clause
// Facts about a routine that takes BLACS contexts: how messages name and number its arguments, and how a failure of the
// routine ends the program.
#pragma once

#include <algorithm>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/arguments.hpp"
#include "api/failure.hpp"
#include "xredist/integer.h"

namespace xredist::core {

/// Entries of an array descriptor. It has the rows and the columns side by side: m_ + k, mb_ + k and rsrc_ + k are the
/// entries of axis k.
enum Entry { dtype_, ctxt_, m_, n_, mb_, nb_, rsrc_, csrc_, lld_ };
/// The names of the entries in messages.
inline constexpr const char* entry_names[] = {"DTYPE_", "CTXT_", "M_", "N_", "MB_", "NB_", "RSRC_", "CSRC_", "LLD_"};

/// The matrices of a redistribution.
enum class Which { a, b };
inline constexpr Which both[] = {Which::a, Which::b};
/// Returns "DESCA" or "DESCB".
constexpr std::string_view descriptor_name(Which which) { return which == Which::a ? "DESCA" : "DESCB"; }

/// The form in which the caller of a routine learns of an error.
enum class ErrorStyle {
  sentence,  ///< "argument 6 (DESCA), entry 5 (MB_) is 0, ...": arguments count from 1
  number,    ///< PBLAS: the number of the argument, and of its entry
  names      ///< plans: "desca, entry 5 (MB_) is 0, ..."
};

/// The constant facts about a routine.
struct Routine {
  const char* name;
  /// The arguments in their order, by the names of P?GEMR2D: B and DESCB are PBLAS's C and DESCC.
  std::span<const std::string_view> arguments;
  std::span<const Field> fields{};  ///< the values that processes compare, besides those of the matrices
  ErrorStyle style = ErrorStyle::sentence;
  bool of_pblas = false;  ///< arguments are named and checked as in PBLAS, where the context is an entry of DESCC
  bool long_desca = false, long_descb = false;  ///< PBLAS: descriptors of type 2, with two entries before MB_

  bool has(std::string_view argument) const { return std::ranges::find(arguments, argument) != arguments.end(); }
};

/// A routine and the context that all processes of the call pass; an old form without a context is called by all
/// processes of MPI_COMM_WORLD.
struct Caller {
  const Routine& routine;
  std::optional<xredist_int> ctxt;
};

/// Returns "argument 6 (DESCA), entry 5 (MB_)", counted from 1 in the routine's argument list; for a plan, "desca,
/// entry 5 (MB_)".
[[gnu::cold]] Text name_of(const Routine& routine, const ArgumentRef& argument);

/// Returns the message of an error, without the name of the routine.
[[gnu::cold]] Text sentence_of(const Routine& routine, const ArgumentError& error);

/// An argument of a routine is invalid.
struct InvalidRoutineArgument : InvalidArgument {
  InvalidRoutineArgument(const Routine& routine, const ArgumentError& error);

  Index number;  ///< 100 times the number of the argument plus the number of the entry; 0 if no argument is named
};

/// Throws InvalidRoutineArgument if there is an error.
void demand(const Routine& routine, const MaybeError& error);

/// Returns the rank in MPI_COMM_WORLD; 0 if MPI does not run.
int world_rank();

/// Logs the failure of a call and ends the program by BLACS_ABORT. Several processes see most failures at once: each
/// process gives processes of lower rank time to print first.
[[noreturn]] void fail(const Caller& caller, const std::exception& error);
/// Logs a sentence and ends the program. `rank`: 0 prints at once, and higher ranks later.
[[noreturn]] void end_program(const char* routine, std::optional<xredist_int> ctxt, int rank, const char* sentence);

}  // namespace xredist::core
