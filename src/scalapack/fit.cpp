// SPDX-License-Identifier: BSD-3-Clause
// The functions of fit.h for BLACS.
#include "scalapack/fit.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "api/compare.hpp"
#include "api/fit.hpp"
#include "exchange/progress.hpp"
#include "layout/digest.hpp"
#include "scalapack/fitted_grids.hpp"
#include "scalapack/together.hpp"

namespace xredist::core {
namespace {

constexpr std::string_view argument_names[] = {"RULES", "DESCB", "DESCA", "M", "N", "ROWS_A", "COLS_A", "CTXT"};
constexpr Routine routine{"xredist_fit_blacs", argument_names, ErrorStyle::names};

// Returns a number that stands for the rules: processes compare it.
Index number_of_rules(const Rules& rules) {
  Digest digest;
  for (const Index value :
       {rules.processes, rules.per_node, rules.multiple, rules.share, rules.block, rules.min_block, rules.max_block,
        rules.blocks, rules.flat, static_cast<Index>(rules.shape), Index{rules.power}, rules.columns})
    digest.add(value);
  return digest.number();
}

// Checks that A is not smaller than m x n.
MaybeError whole_error(const MatrixMove& move) {
  const xredist_int* d = move.a.desc;
  if (!grid_of(d[ctxt_]).member()) return {};
  const auto size_error = [&](const char* name, Index size, Entry entry) {
    return size <= d[entry] ? MaybeError()
                            : value_error({name}, size,
                                          ", must be at most " + name_of(routine, {"DESCA", entry}) + " = " +
                                              std::to_string(d[entry]));
  };
  return first_of({size_error("M", move.m, m_), size_error("N", move.n, n_)});
}

// Returns the grids of the context, making the object that has them.
FittedGrids& grids_of(MPI_Comm comm, const LibraryLock& lock) {
  if (FittedGrids* known = fitted_grids(comm, lock)) return *known;
  return lock->attributes.attach(comm, std::make_unique<FittedGrids>());
}

const Fitted& fit_agreed(const MatrixMove& move, const Rules& rules, CallValues agreed, Context& context,
                         FittedGrids& grids) {
  FitQuestion question{agreed, context.rosters.find(agreed.a.roster)->ranks, rules};
  question.agreed.a.roster = unknown;
  if (const Fitted* known = grids.find(question)) return *known;
  const int size = context.channel().size();
  const Layout layout = agreed_layout(agreed.a, move.a);
  auto found = fitted_layout({layout, question.ranks_a, move.m, move.n}, rules, size, node_of_each(context.channel()));
  if (const auto* unmet = std::get_if<Unmet>(&found))
    throw InvalidArgument(sentence_of(routine, unmet_error("RULES", *unmet)));
  if (const Index block = std::get<Fitted>(found).choice.block; block > std::numeric_limits<xredist_int>::max())
    throw InvalidArgument(sentence_of(
        routine, {{"DESCB", mb_}, " would be " + std::to_string(block) + ", more than the largest xredist_int"}));
  return grids.remember(std::move(question), std::get<Fitted>(std::move(found)));
}

// The descriptor of B, and the size of its local array.
struct Described {
  std::array<xredist_int, 9> desc;
  xredist_int rows = 0, cols = 0;
};

Described described(const MatrixMove& move, const Fitted& fitted, const FittedGrids& grids) {
  const auto block = static_cast<xredist_int>(fitted.choice.block);
  Described b{{1, -1, static_cast<xredist_int>(move.m), static_cast<xredist_int>(move.n), block, block, 0, 0, 1}};
  const xredist_int ctxt = fitted.kept ? move.a.desc[ctxt_] : grids.grid(fitted);
  const Grid grid = grid_of(ctxt);
  if (!grid.member()) return b;
  if (fitted.kept) std::copy_n(move.a.desc, b.desc.size(), b.desc.begin());
  const auto count = [&](int procs, int process, xredist_int size) {
    return static_cast<xredist_int>(local_count({fitted.choice.block, procs, 0, 0}, process, size));
  };
  b.rows = count(grid.nprow, grid.myrow, b.desc[m_]);
  b.cols = count(grid.npcol, grid.mycol, b.desc[n_]);
  b.desc[ctxt_] = ctxt;
  if (!fitted.kept) b.desc[lld_] = std::max<xredist_int>(b.rows, 1);
  return b;
}

// Fits if no process has an error. All processes return the same code.
int make(xredist_int ctxt, const MatrixMove& move, const xredist_rules* passed, Finding finding, Described& b) {
  LibraryLock lock;
  const MPI_Comm comm = demanded(routine, communicator_of(ctxt));
  Context& context = context_for_plans(comm, lock);
  FittedGrids* grids = nullptr;
  const Fitted* fitted = nullptr;
  bool lacks_grid = false;
  const int mine = coded([&] {
    if (finding.nothing() && passed != nullptr)
      finding = finding_of([&] { return rules_error("RULES", *passed, context.channel().size()); });
    const Rules rules = rules_from(finding.nothing() ? passed : nullptr);
    CallView view = view_of_one(Which::a, move, context);  // the grid of B does not exist yet
    view.passed.values.elements = number_of_rules(rules);
    const CallValues agreed = agree_together(routine, move, view, std::move(finding), context, lock->progress);
    grids = &grids_of(comm, lock);
    fitted = &fit_agreed(move, rules, agreed, context, *grids);
    if (fitted->kept) return;
    if (!blacs().makes_grids())
      throw InvalidArgument(
          "ctxt: the program has an archive of BLACS without blacs_gridmap_ or blacs_gridexit_: link with "
          "-Wl,-u,blacs_gridmap_,-u,blacs_gridexit_");
    lacks_grid = grids->lacks_grid(*fitted);
    grids->reserve(*fitted, lock->attributes);
  });
  std::array all{mine, lacks_grid ? 1 : 0};
  reduce(all.data(), 2, MPI_INT, MPI_MAX, context.channel().comm(), lock->progress);
  if (all[0] == 0 && all[1] != 0) grids->make_grid(comm, lock->attributes, lock->progress);
  if (all[0] == 0) b = described(move, *fitted, *grids);
  return common_code(mine, all[0], context);
}

}  // namespace

int fit_on_context(xredist_int ctxt, xredist_int m, xredist_int n, const xredist_int* desca,
                   const xredist_partition* rows_a, const xredist_partition* cols_a, const xredist_rules* rules,
                   const MaybeError& found, xredist_int* descb, xredist_int* rows, xredist_int* cols) {
  int code = XREDIST_SUCCESS;
  Described b{};
  const int failed = coded([&] {
    demand(mpi_error({"ctxt"}));
    const MatrixMove move{.m = m,
                          .n = n,
                          .a = {nullptr, 1, 1, desca != nullptr ? desca : outside_of_grid, rows_a, cols_a},
                          .b = {nullptr, 1, 1, outside_of_grid},
                          .bytes = 1,
                          .elements = 0};
    Finding finding = finding_of([&] {
      return first_of({found, null_error({"DESCB"}, descb), null_error({"DESCA"}, desca), whole_error(move)});
    });
    code = make(ctxt, move, rules, std::move(finding), b);
  });
  if (failed != 0 || code != 0) return failed != 0 ? failed : code;
  std::ranges::copy(b.desc, descb);
  if (rows != nullptr) *rows = b.rows;
  if (cols != nullptr) *cols = b.cols;
  return code;
}

int tell_on_context(xredist_int ctxt, const xredist_int* descb, void* data, Index bytes, const MaybeError& found) {
  return coded([&] {
    demand(mpi_error({"ctxt"}));
    demand(context_error({"ctxt"}, ctxt));
    const MPI_Comm comm = communicator(ctxt);
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    const auto check = [&] {
      return first_of({found, null_error({"descb"}, descb), bounds_error({"bytes"}, bytes, 0),
                       bytes > 0 ? null_error({"data"}, data) : MaybeError()});
    };
    const Grid grid = grid_of(descb != nullptr ? descb[ctxt_] : -1);
    const bool is_first = grid.member() && grid.myrow == 0 && grid.mycol == 0;
    constexpr ArgumentRef context_of_b{"descb, entry 2 (CTXT_)"};
    std::array compared{Compared{{"bytes"}, bytes},
                        Compared{context_of_b, is_first ? rank : unknown, ": processes pass different grids"}};
    LibraryLock lock;
    demand(first_error(check, compared, comm, lock->progress));
    const Index first = compared[1].value;
    if (first == unknown) demand(ArgumentError{context_of_b, ": no process of ctxt is the first one of the grid of B"});
    tell(comm, static_cast<int>(first), data, bytes, lock->progress);
  });
}

}  // namespace xredist::core

using namespace xredist::core;

int xredist_fit_blacs(xredist_int ctxt, xredist_int m, xredist_int n, const xredist_int* desca,
                      const xredist_partitions* partitions, const xredist_rules* rules, xredist_int* descb,
                      xredist_int* rows, xredist_int* cols) {
  const xredist_partitions of = partitions != nullptr ? *partitions : xredist_partitions{};
  return fit_on_context(ctxt, m, n, desca, of.rows_a, of.cols_a, rules, {}, descb, rows, cols);
}

int xredist_fit_free(xredist_int ctxt) {
  return coded([&] {
    demand(mpi_error({"ctxt"}));
    demand(context_error({"ctxt"}, ctxt));
    LibraryLock lock;
    if (FittedGrids* grids = fitted_grids(communicator(ctxt), lock))
      lock->progress.run_unlocked([&] { grids->free(); });
  });
}

int xredist_tell_blacs(xredist_int ctxt, const xredist_int* descb, void* data, int64_t bytes) {
  return tell_on_context(ctxt, descb, data, bytes, {});
}
