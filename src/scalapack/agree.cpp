// SPDX-License-Identifier: BSD-3-Clause
// Derives two layouts that are equal on all processes from the arguments of each process.
#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/arguments.hpp"
#include "api/errors.hpp"
#include "api/operation.hpp"
#include "exchange/errors.hpp"
#include "exchange/progress.hpp"
#include "scalapack/context.hpp"

namespace xredist::core {
namespace {

// ---- values that must be equal on all processes

struct MatrixField {
  Index MatrixValues::*value;
  ArgumentRef in_a, in_b, in_gridmaps_b;
};
constexpr const char *rows = ": number of grid rows", *columns = ": number of grid columns";
constexpr MatrixField matrix_fields[] = {
    {&MatrixValues::nprow, {"DESCA", ctxt_, rows}, {"DESCB", ctxt_, rows}, {"NPROW"}},
    {&MatrixValues::npcol, {"DESCA", ctxt_, columns}, {"DESCB", ctxt_, columns}, {"NPCOL"}},
    {&MatrixValues::mb, {"DESCA", mb_}, {"DESCB", mb_}, {"MB"}},
    {&MatrixValues::nb, {"DESCA", nb_}, {"DESCB", nb_}, {"NB"}},
    {&MatrixValues::rsrc, {"DESCA", rsrc_}, {"DESCB", rsrc_}, {"RSRC"}},
    {&MatrixValues::csrc, {"DESCA", csrc_}, {"DESCB", csrc_}, {"CSRC"}},
    {&MatrixValues::i, {"IA"}, {"IB"}, {"IB"}},
    {&MatrixValues::j, {"JA"}, {"JB"}, {"JB"}},
};

// One matrix as this process sees it.
struct Side {
  Which which;
  xredist_int ctxt;
  Grid grid;
  MPI_Comm comm = MPI_COMM_NULL;  // of the grid, if this process is a member
  MatrixValues values{};          // unknown if this process is not a member
  std::array<Index, 3> sizes{};   // M_, N_ and LLD_, which only the members of the grid know

  const char* name() const { return which == Which::a ? "A" : "B"; }
  ArgumentRef grid_name() const { return {which == Which::a ? "DESCA" : "DESCB", ctxt_}; }
};

// Looks up the communicator and the roster of the grid, unless `other` has the same grid.
template <class Pointer>
Side side_of(const Call& call, Which which, const Operand<Pointer>& matrix, const Context& context,
             const Side* other = nullptr) {
  const bool is_target = call.form == Form::gridmap && which == Which::b;  // a grid that does not exist yet
  const xredist_int* d = matrix.desc;
  const Grid target{static_cast<int>(call.nprow), static_cast<int>(call.npcol), -1, -1};
  Side side{.which = which, .ctxt = d[ctxt_], .grid = is_target ? target : grid_of(d[ctxt_])};
  const bool member = side.grid.member();
  if (!member && !is_target) return side;
  const bool cyclic_rows = matrix.rows == nullptr, cyclic_cols = matrix.cols == nullptr;
  side.values = {.nprow = side.grid.nprow,
                 .npcol = side.grid.npcol,
                 .mb = cyclic_rows ? d[mb_] : 0,
                 .nb = cyclic_cols ? d[nb_] : 0,
                 .rsrc = cyclic_rows ? d[rsrc_] : 0,
                 .csrc = cyclic_cols ? d[csrc_] : 0,
                 .i = matrix.i,
                 .j = matrix.j};
  if (!member) return side;
  side.sizes = {d[m_], d[n_], d[lld_]};
  if (other != nullptr && other->ctxt == side.ctxt) {
    side.comm = other->comm;
    side.values.roster = other->values.roster;
  } else {
    side.comm = communicator(side.ctxt);
    const Roster* roster = context.rosters.of_grid(side.comm);
    side.values.roster = roster != nullptr ? roster->id : -1;
  }
  return side;
}

struct CallField {
  Index Agreement::*value;
  std::string_view argument;
};
constexpr CallField call_fields[] = {
    {&Agreement::elements, ""},     {&Agreement::kind, "UPLO"},     {&Agreement::shift, "DIAG"},
    {&Agreement::rows_a, "ROWS_A"}, {&Agreement::cols_a, "COLS_A"}, {&Agreement::rows_b, "ROWS_B"},
    {&Agreement::cols_b, "COLS_B"},
};

// Returns a number that stands for the types and the operation.
Index elements_of(const Call& call) {
  if (call.form != Form::plan && !call.of_pblas()) return call.bytes;
  const xredist_operation& of = call.operation;
  Index number = of.bytes;
  for (const char letter : {of.type, of.type_b, of.trans, of.uplo, of.diag, of.mirror})
    number = (number << 8 ^ number >> 55) ^ static_cast<unsigned char>(letter);
  return number & std::numeric_limits<Index>::max();
}

// Reports an error of a plan on any process: throws the same sentence on all processes.
[[noreturn]] void fail_together(const Call& call, const Checked& error, Index first, Context& context,
                                LibraryLock& lock) {
  const Channel& channel = context.channel();
  std::array<char, 256> text{};
  int speaker = error && number_of(call, error->argument) == first ? channel.rank() : channel.size();
  const int rank = speaker;
  reduce(&speaker, 1, MPI_INT, MPI_MIN, channel.comm(), lock);
  if (rank == speaker) (name_of(call, error->argument) + error->reason).copy(text.data(), text.size() - 1);
  reduce(text.data(), static_cast<int>(text.size()), MPI_UNSIGNED_CHAR, MPI_MAX, channel.comm(), lock);
  throw InvalidArgument(text.data());
}

// Calls between two reductions: without any, process 0 could run ahead of the others by any number of calls.
constexpr int max_broadcasts = 63;

// ---- the ranks of the grids' processes

// Returns whether both grids and the context have the same processes: the context covers both grids, so equal sizes are
// enough.
bool everyone_is_everywhere(const Side& a, const Side& b, int size) {
  return a.grid.member() && b.grid.member() && a.grid.size() == size && b.grid.size() == size;
}

// Returns the roster of a grid that has this process and all others of the context. Local.
const Roster& translated_roster(const Call& call, const Side& side, Context& context) {
  std::vector<int> ranks = translated(side.comm, side.grid.size(), context.comm());
  if (std::ranges::find(ranks, MPI_UNDEFINED) != ranks.end())
    fail(call, context.channel().rank(),
         {{"CTXT"}, std::string(": the context does not cover the grid of ") + side.name()});
  return context.rosters.add(std::move(ranks), side.comm);
}

// Returns the process at each position of a grid, from the position of each process.
std::vector<int> inverted(const Call& call, const Side& side, int rank, std::span<const int> positions,
                          Index grid_size) {
  std::vector<int> ranks(as_size(grid_size), -1);
  for (int process = 0; process < std::ssize(positions); ++process) {
    const int position = at(positions, process);
    if (position < 0) continue;
    int& holder = at(ranks, position);
    if (holder >= 0)
      fail(call, rank,
           {side.grid_name(), ": processes " + std::to_string(holder) + " and " + std::to_string(process) +
                                  " of the context are at the same place: their grids are not the same"});
    holder = process;
  }
  if (const auto missing = std::ranges::count(ranks, -1); missing > 0)
    fail(call, rank,
         {{"CTXT"},
          ": the context lacks " + std::to_string(missing) + " of the " + std::to_string(grid_size) +
              " processes of the grid of " + side.name()});
  return ranks;
}

// ---- verdicts, which are the same on all processes

void demand_equal(const Call& call, int rank, const ArgumentRef& argument, Index min, Index max) {
  if (min != max)
    fail(call, rank,
         {argument, " differs between processes: from " + std::to_string(min) + " to " + std::to_string(max)});
}

// Fails if the values of a matrix differ. `from_first`: they are those of process 0 and of this process, which has
// looked up its roster.
void demand_agreement(const Call& call, int rank, const Side& side, const MatrixValues& min, const MatrixValues& max,
                      bool from_first) {
  if (!max.known())
    fail(call, rank, {side.grid_name(), std::string(": no process of the context is in the grid of ") + side.name()});
  for (const auto& [value, in_a, in_b, in_gridmaps_b] : matrix_fields) {
    const ArgumentRef& argument = side.which == Which::a ? in_a : call.form == Form::gridmap ? in_gridmaps_b : in_b;
    demand_equal(call, rank, argument, min.*value, max.*value);
  }
  if (from_first && min.roster != max.roster)
    fail(call, rank, {side.grid_name(), ": the grid has other processes than on the first process of the context"});
}

void demand_agreement(const Call& call, int rank, const Side& a, const Side& b, const Outcome& outcome) {
  const Agreement &min = outcome.min.values, &max = outcome.max.values;
  demand_equal(call, rank, {"M"}, min.m, max.m);
  demand_equal(call, rank, {"N"}, min.n, max.n);
  for (const auto& [value, argument] : call_fields) {
    if (min.*value == max.*value) continue;
    if (call.form == Form::plan)
      fail(call, rank,
           {{},
            std::string(argument.empty() ? "a letter or the size of the elements" : name_of(call, {argument})) +
                " differs between processes"});
    fail(call, rank, {{}, "the routine, UPLO, DIAG or TRANS is not the same on all processes"});
  }
  demand_agreement(call, rank, a, min.a, max.a, outcome.from_first);
  demand_agreement(call, rank, b, min.b, max.b, outcome.from_first);
}

// Checks that this process is not in a grid of which it does not pass the context.
void demand_membership(const Call& call, const Side& side, const MatrixValues& agreed, const Context& context) {
  const Roster* roster = side.grid.member() ? nullptr : context.rosters.find(agreed.roster);
  const int rank = context.channel().rank();
  if (roster != nullptr && std::ranges::count(roster->ranks, rank) > 0)
    fail(call, rank,
         *value_error(side.grid_name(), side.ctxt, std::string(", but this process is in the grid of ") + side.name()));
}

// Returns the values of both matrices with the rosters of their grids. Members that named different rosters look them
// up again. Between the reductions no process can fail alone.
Agreement settle(const Call& call, const Side& a, const Side& b, Context& context, const Outcome& outcome,
                 LibraryLock& lock) {
  const Agreement &min = outcome.min.values, &max = outcome.max.values;
  Agreement agreed = max;
  const auto settled = [&](Index least, Index most) { return least == most && context.rosters.find(most) != nullptr; };
  const bool settle_a = !settled(min.a.roster, max.a.roster);
  const bool settle_b = call.form != Form::gridmap && !settled(min.b.roster, max.b.roster);
  if (!settle_a && !settle_b) return agreed;
  const std::span<int> positions = context.positions();
  gather_positions(a.grid, b.grid, positions, context.channel(), lock);
  const auto add = [&](const Side& side, std::span<const int> places, MatrixValues& values) {
    const Index grid_size = values.nprow * values.npcol;
    values.roster =
        context.rosters.add(inverted(call, side, context.channel().rank(), places, grid_size), side.comm).id;
  };
  const std::size_t size = positions.size() / 2;
  if (settle_a) add(a, positions.first(size), agreed.a);
  if (settle_b) add(b, positions.last(size), agreed.b);
  return agreed;
}

// Returns this process's values.
Agreement values_of(const Call& call, const Side& a, const Side& b) {
  const Region region = call.region();
  return {.m = call.m,
          .n = call.n,
          .elements = elements_of(call),
          .kind = static_cast<Index>(region.kind),
          .shift = region.shift,
          .rows_a = fingerprint(call.a.rows),
          .cols_a = fingerprint(call.a.cols),
          .rows_b = fingerprint(call.b.rows),
          .cols_b = fingerprint(call.b.cols),
          .a = a.values,
          .b = b.values};
}

// Checks the arguments, unless they are those of one of the last calls. PBLAS's routines have checked theirs.
Checked error_of(const Call& call, const Side& a, const Side& b, const Agreement& mine, Context& context) {
  if (call.of_pblas()) return {};
  if (call.moves() && mine.a.roster != -1 && mine.b.roster != -1 && context.checked({mine, a.sizes, b.sizes}))
    return {};
  if (Checked error = size_error(call)) return error;
  for (const Side* side : {&a, &b})
    if (side->grid.member())
      if (Checked error = matrix_error(call, side->which, side->grid)) return error;
  return {};
}

}  // namespace

Agreement agree(const Call& call, Checked error, Context& context, LibraryLock& lock) {
  const Channel& channel = context.channel();
  const int rank = channel.rank();
  const bool comparing = channel.options().check != 0;
  context.rosters.forget_old();
  Side a = side_of(call, Which::a, call.a, context), b = side_of(call, Which::b, call.b, context, &a);
  Agreement mine = values_of(call, a, b);
  bool lacks_memory = false;
  try {
    if (!error) error = error_of(call, a, b, mine, context);
  } catch (const std::bad_alloc&) {
    if (call.form != Form::plan) throw;
    lacks_memory = true;  // the other processes wait to be told
  }
  if (error && call.form != Form::plan) fail(call, rank, *error);

  if (call.moves() && !comparing && everyone_is_everywhere(a, b, channel.size())) {
    if (mine.a.roster < 0) mine.a.roster = translated_roster(call, a, context).id;
    if (mine.b.roster < 0) mine.b.roster = b.comm == a.comm ? mine.a.roster : translated_roster(call, b, context).id;
    return mine;
  }
  const Ballot ballot{lacks_memory ? no_memory : error ? number_of(call, error->argument) : unknown, mine};
  const bool by_first = call.moves() && !comparing && context.broadcasts > 0;
  if (by_first) --context.broadcasts;
  const Outcome outcome = compare(ballot, by_first, channel.comm(), lock);
  const auto& [min, max, from_first] = outcome;
  if (min.error == no_memory) throw OutOfMemorySomewhere();
  if (max.error != unknown) fail_together(call, error, min.error, context, lock);
  demand_agreement(call, rank, a, b, outcome);
  const Agreement agreed = from_first ? max.values : settle(call, a, b, context, outcome, lock);
  demand_membership(call, a, agreed.a, context);
  demand_membership(call, b, agreed.b, context);
  const auto has_first = [&](Index id) { return std::ranges::count(context.rosters.find(id)->ranks, 0) > 0; };
  if (call.moves() && !from_first)
    context.broadcasts = has_first(agreed.a.roster) && has_first(agreed.b.roster) ? max_broadcasts : 0;
  return agreed;
}

}  // namespace xredist::core
