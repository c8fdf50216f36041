// SPDX-License-Identifier: BSD-3-Clause
// The functions of fit.h for BLACS.
#include "scalapack/context_fit.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "api/communicator_fit.hpp"
#include "api/compare.hpp"
#include "exchange/communicator.hpp"
#include "exchange/progress.hpp"
#include "scalapack/agree.hpp"
#include "scalapack/context.hpp"
#include "scalapack/fitted_grids.hpp"
#include "scalapack/stated.hpp"

namespace xredist::core {
namespace {

constexpr std::string_view fit_arguments[] = {"RULES",  "DESCB",  "DESCA",      "M",   "N",
                                              "ROWS_A", "COLS_A", "PARTITIONS", "CTXT"};
constexpr Field fit_fields[] = {{{"M"}}, {{"N"}}, {{"RULES"}, differs}};
constexpr Routine fit_routine{"xredist_fit_blacs", fit_arguments, fit_fields, ErrorStyle::names};

// The m x n matrix A.
struct WholeMatrix {
  Index m, n;
  MatrixArguments a;
};

// Checks that A is not smaller than m x n.
MaybeError whole_error(const WholeMatrix& matrix) {
  const xredist_int* d = matrix.a.desc;
  if (!grid_of(d[ctxt_]).member()) return {};
  const auto size_error = [&](const char* name, Index size, Entry entry) {
    return size <= d[entry] ? MaybeError()
                            : value_error({name}, size,
                                          Text() << ", must be at most " << name_of(fit_routine, {"DESCA", entry})
                                                 << " = " << d[entry]);
  };
  return first_of({size_error("M", matrix.m, m_), size_error("N", matrix.n, n_)});
}

// Returns the grids of the context, making the object that has them.
FittedGrids& grids_of(MPI_Comm comm, const LibraryLock& lock) {
  if (FittedGrids* known = fitted_grids(comm, lock)) return *known;
  return lock->attributes.attach(comm, std::make_unique<FittedGrids>());
}

const Fitted& fit_agreed(const WholeMatrix& matrix, const Rules& rules, Values agreed, Context& context,
                         FittedGrids& grids) {
  auto& [a, none] = agreed.matrices;
  FitQuestion question{agreed, *context.rosters.find(a.roster)->ranks, rules};
  question.agreed.matrices[0].roster = unknown;
  if (const Fitted* known = grids.find(question)) return *known;
  const int size = context.channel().size();
  auto found = fitted_layout({agreed_layout(a, matrix.a), question.ranks_a, matrix.m, matrix.n}, rules, size,
                             node_of_each(context.channel()));
  if (const auto* unmet = std::get_if<Unmet>(&found)) demand(fit_routine, unmet_error("RULES", *unmet));
  if (const Index block = std::get<Fitted>(found).choice.block; block > std::numeric_limits<xredist_int>::max())
    demand(fit_routine,
           ArgumentError{{"DESCB", mb_}, Text() << " would be " << block << ", more than the largest xredist_int"});
  return grids.remember(std::move(question), std::get<Fitted>(std::move(found)));
}

// The descriptor of B, and the size of its local array.
struct Described {
  std::array<xredist_int, 9> desc;
  xredist_int rows = 0, cols = 0;
};

Described described(const WholeMatrix& matrix, const Fitted& fitted, const FittedGrids& grids) {
  const auto block = static_cast<xredist_int>(fitted.choice.block);
  Described b{{1, -1, static_cast<xredist_int>(matrix.m), static_cast<xredist_int>(matrix.n), block, block, 0, 0, 1}};
  const xredist_int ctxt = fitted.kept ? matrix.a.desc[ctxt_] : grids.grid(fitted);
  const Grid grid = grid_of(ctxt);
  if (!grid.member()) return b;
  if (fitted.kept) std::copy_n(matrix.a.desc, b.desc.size(), b.desc.begin());
  const auto count = [&](int procs, int process, xredist_int size) {
    return static_cast<xredist_int>(local_count({fitted.choice.block, procs, 0, 0}, process, size));
  };
  b.rows = count(grid.nprow, grid.myrow, b.desc[m_]);
  b.cols = count(grid.npcol, grid.mycol, b.desc[n_]);
  b.desc[ctxt_] = ctxt;
  if (!fitted.kept) b.desc[lld_] = std::max<xredist_int>(b.rows, 1);
  return b;
}

// The layout of a matrix, and whether this process lacks the grid.
struct Found {
  const Fitted* fitted;
  bool grid_missing;
};

// Agrees on the arguments and finds the layout. Fails on some processes only if memory runs out.
Found find(const WholeMatrix& matrix, const xredist_rules* passed, const Failure* callers, Context& context,
           const LibraryLock& lock) {
  const auto rules = attempt([&] {
    if (callers != nullptr) throw *callers;
    demand(fit_routine, null_error({"DESCA"}, matrix.a.desc));
    demand(fit_routine, first_of({whole_error(matrix), size_error(fit_routine, matrix.m, matrix.n)}));
    if (const Grid grid = grid_of(matrix.a.desc[ctxt_]); grid.member())
      demand(fit_routine, matrix_error(fit_routine, matrix.a, size_of(matrix.m, matrix.n), grid));
    if (passed != nullptr) demand(fit_routine, rules_error("RULES", *passed, context.channel().size()));
    return rules_from(passed);
  });
  Question question{fit_routine, {&matrix.a, 1}, {matrix.m, matrix.n}};
  if (rules.failure() == nullptr) question.fields[2] = number_of(*rules.get());
  const Values agreed = agree_by_reduction(question, view_of(question, context.rosters), rules.failure(),
                                           context.rosters, context.channel(), lock->progress);
  FittedGrids& grids = grids_of(context.comm(), lock);
  const Fitted& fitted = fit_agreed(matrix, *rules.get(), agreed, context, grids);
  if (fitted.kept) return {&fitted, false};
  if (!blacs().makes_grids())
    throw InvalidArgument(
        "ctxt: the program has an archive of BLACS without blacs_gridmap_ or blacs_gridexit_: link with "
        "-Wl,-u,blacs_gridmap_,-u,blacs_gridexit_");
  grids.reserve(fitted, lock->attributes);
  return {&fitted, grids.grid_missing(fitted)};
}

}  // namespace

void fit_on_context(xredist_int ctxt, xredist_int m, xredist_int n, const xredist_int* desca,
                    const xredist_partition* rows_a, const xredist_partition* cols_a, const xredist_rules* rules,
                    const Failure* callers, xredist_int* descb, xredist_int* rows, xredist_int* cols) {
  const InCall call(fit_routine.name, size_in(ctxt, m, n));
  demand(mpi_error({"ctxt"}));
  LibraryLock lock;
  const MPI_Comm comm = communicator_of({fit_routine, ctxt});
  Context& context = context_for_plans(comm, lock);
  const WholeMatrix matrix{m, n, {Which::a, desca, {1, 1}, {rows_a, cols_a}}};
  const auto checked = attempt([&] {
    if (callers != nullptr) throw *callers;
    demand(fit_routine, null_error({"DESCB"}, descb));
  });
  const auto [fitted, grid_missing] =
      on_context(context, lock, [&] { return find(matrix, rules, checked.failure(), context, lock); });
  FittedGrids& grids = grids_of(comm, lock);
  int missing = grid_missing ? 1 : 0;
  reduce(&missing, 1, MPI_INT, MPI_MAX, context.channel().comm(), lock->progress);
  if (missing != 0) grids.make_grid(comm, lock->attributes, lock->progress);
  const Described b = described(matrix, *fitted, grids);
  std::ranges::copy(b.desc, descb);
  if (rows != nullptr) *rows = b.rows;
  if (cols != nullptr) *cols = b.cols;
}

void tell_on_context(xredist_int ctxt, const xredist_int* descb, void* data, Index bytes, const Failure* callers) {
  const InCall call("xredist_tell_blacs", size_in(ctxt, -1, -1));
  demand(mpi_error({"ctxt"}));
  demand(context_error({"ctxt"}, ctxt));
  const MPI_Comm comm = communicator(ctxt);
  constexpr ArgumentRef context_of_b{"descb, entry 2 (CTXT_)"};
  auto arguments = attempt([&] {
    if (callers != nullptr) throw *callers;
    demand(first_of({null_error({"descb"}, descb), bounds_error({"bytes"}, bytes, 0),
                     bytes > 0 ? null_error({"data"}, data) : MaybeError()}));
    const Grid grid = grid_of(descb[ctxt_]);
    const bool is_first = grid.member() && grid.myrow == 0 && grid.mycol == 0;
    return std::array{Compared{{"bytes"}, bytes},
                      Compared{context_of_b, is_first ? rank_in(comm) : unknown, ": processes pass different grids"}};
  });
  LibraryLock lock;
  const Index first = agreed_values(std::move(arguments), comm, lock->progress)[1];
  if (first == unknown) demand(ArgumentError{context_of_b, ": no process of ctxt is the first one of the grid of B"});
  tell(comm, static_cast<int>(first), data, bytes, lock->progress);
}

}  // namespace xredist::core

using namespace xredist::core;

int xredist_fit_blacs(xredist_int ctxt, xredist_int m, xredist_int n, const xredist_int* desca,
                      const xredist_partitions* partitions, const xredist_rules* rules, xredist_int* descb,
                      xredist_int* rows, xredist_int* cols) {
  const xredist_partitions of = partitions != nullptr ? *partitions : xredist_partitions{};
  return coded([&] {
    const auto checked = attempt([&] {
      demand(fit_routine, reserved_error({"PARTITIONS", -1, ".reserved"}, of.reserved));
    });
    fit_on_context(ctxt, m, n, desca, of.rows_a, of.cols_a, rules, checked.failure(), descb, rows, cols);
  });
}

int xredist_fit_free(xredist_int ctxt) {
  return coded([&] {
    const InCall call("xredist_fit_free", size_in(ctxt, -1, -1));
    demand(mpi_error({"ctxt"}));
    demand(context_error({"ctxt"}, ctxt));
    LibraryLock lock;
    if (FittedGrids* grids = fitted_grids(communicator(ctxt), lock))
      lock->progress.run_unlocked([&] { grids->free(); });
  });
}

int xredist_tell_blacs(xredist_int ctxt, const xredist_int* descb, void* data, int64_t bytes) {
  return coded([&] { tell_on_context(ctxt, descb, data, bytes, nullptr); });
}
