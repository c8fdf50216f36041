// SPDX-License-Identifier: BSD-3-Clause
// A call of a routine that uses BLACS, and how the call reports errors.
#pragma once

#include <exception>
#include <string>

#include "api/arguments.hpp"
#include "copy/operation.hpp"
#include "layout/layout.hpp"
#include "scalapack/blacs.hpp"
#include "xredist/blacs.h"

namespace xredist::core {

/// Entries of an array descriptor.
enum Entry { dtype_, ctxt_, m_, n_, mb_, nb_, rsrc_, csrc_, lld_ };

/// The arguments of one matrix. On a process outside the grid of the matrix, only desc[ctxt_] is defined.
template <class Pointer>
struct Operand {
  Pointer data;
  Index i, j;  ///< from 1
  const xredist_int* desc;
  const xredist_partition *rows = nullptr, *cols = nullptr;  ///< else CYCLIC
};

/// P?GEMR2D, P?TRMR2D, XREDIST_GRIDMAP, xredist_plan_create_blacs, P?TRAN, P?GEADD or P?TRADD. PBLAS calls B C. In
/// XREDIST_GRIDMAP B has no grid yet: all processes pass every value of the layout.
enum class Form { general, trapezoid, gridmap, plan, tran, geadd, tradd };

struct Call {
  const char* routine;
  Form form;
  Index bytes = 0;                ///< of an element; not used if the operation names its type
  xredist_operation operation{};  ///< of a plan; the letters of PBLAS; uplo and diag of P?TRMR2D
  Index m, n;
  Operand<const void*> a;
  Operand<void*> b;
  bool whole_world = false;  ///< an old form without a context, called by all processes of MPI_COMM_WORLD
  xredist_int ctxt = 0;
  Index nprow = 0, npcol = 0;   ///< gridmap: B's grid
  Scalars scalars{};            ///< of PBLAS's routines
  bool returns_errors = false;  ///< PBLAS: as numbers; otherwise errors end the program

  bool of_pblas() const { return form >= Form::tran; }
  /// Returns whether the call redistributes at once.
  bool moves() const { return form != Form::gridmap && form != Form::plan; }

  /// Returns the elements that move. The trapezoids of PBLAS begin in the top left corner.
  Region region() const;
};

/// Redistributes, for all names. Returns when this process's part of B is complete and A may be changed. Throws
/// WrongArgument if the call returns errors, and nothing else.
void redistribute(const Call& call);

/// INTEGER of the program's Fortran code, which the letter 'I' names.
inline constexpr Type fortran_integer = sizeof(xredist_int) == 8 ? Type::integer64 : Type::integer;

/// Makes a plan as xredist_plan_create_blacs does. `found`: an error that the caller has found. Returns a code.
int create_plan(xredist_int ctxt, const xredist_int* desca, const xredist_int* descb,
                const xredist_operation* operation, const xredist_partitions& partitions, const Checked& found,
                xredist_plan** plan);

/// Checks that this process is in the grid of a context.
Checked context_error(const ArgumentRef& argument, xredist_int ctxt);
/// Checks M and N.
Checked size_error(const Call& call);

enum class Which { a, b };
/// Checks the arguments of a matrix. This process is in `grid`.
Checked matrix_error(const Call& call, Which which, const Grid& grid);

/// Returns "argument 6 (DESCA), entry 5 (MB_)", counted from 1 in the routine's argument list; for a plan, "desca,
/// entry 5 (MB_)".
std::string name_of(const Call& call, const ArgumentRef& argument);

/// Returns 100 times the number of the argument plus the number of the entry; 0 if no argument is named.
Index number_of(const Call& call, const ArgumentRef& argument);

/// The error of a call that returns errors.
struct WrongArgument : std::exception {
  explicit WrongArgument(Index number) : info(static_cast<int>(number % 100 == 0 ? -number / 100 : -number)) {}
  int info;  ///< -k: argument k is wrong; -(100 k + e): entry e of descriptor k is wrong
};

/// Throws InvalidArgument for a plan, and WrongArgument if the call returns errors. Otherwise logs the error and ends
/// the program by BLACS_ABORT.
/// Several processes see most errors at once: each process gives processes of lower rank time to print first.
[[noreturn]] void fail(const Call& call, int rank, const ArgumentError& error);
/// Logs the error and ends the program.
[[noreturn]] void fail(const Call& call, const std::exception& error);

/// Returns the rank in MPI_COMM_WORLD, for errors before a context is known.
int world_rank();

}  // namespace xredist::core

/// Gives a second name to a function with C linkage that is defined in the same file.
#define XREDIST_ALIAS(second, first) decltype(first) second __attribute__((alias(#first)));
