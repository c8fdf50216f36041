// SPDX-License-Identifier: BSD-3-Clause
// From the arguments of each process to two layouts that are equal on all processes.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "api/arguments.hpp"
#include "api/errors.hpp"
#include "api/operation.hpp"
#include "exchange/progress.hpp"
#include "scalapack/context.hpp"

namespace xredist::core {
namespace {

// ---- values that must be equal on all processes

constexpr Index unknown = std::numeric_limits<Index>::min();

// The values of one matrix, which the members of its grid know. M_ and N_ are not among them: each process checks the
// submatrix against its own M_ and N_, and ScaLAPACK's routine accepts different ones.
struct MatrixValues {
  Index nprow = unknown, npcol = unknown, mb = unknown, nb = unknown, rsrc = unknown, csrc = unknown, i = unknown,
        j = unknown;
  bool known() const { return nprow != unknown; }
};

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

template <class Pointer>
Layout layout_from(const MatrixValues& v, const Operand<Pointer>& matrix, Index units = 1) {
  return {make_axis(matrix.rows, v.mb, v.nprow, v.rsrc, v.i - 1, units),
          make_axis(matrix.cols, v.nb, v.npcol, v.csrc, v.j - 1)};
}

// One matrix as this process sees it.
struct Side {
  Which which;
  Grid grid;
  MPI_Comm comm = MPI_COMM_NULL;  // of the grid, if this process is a member
  MatrixValues values{};          // unknown if this process is not a member

  const char* name() const { return which == Which::a ? "A" : "B"; }
  ArgumentRef grid_name() const { return {which == Which::a ? "DESCA" : "DESCB", ctxt_}; }
};

template <class Pointer>
Side side_of(const Call& call, Which which, const Operand<Pointer>& matrix) {
  const bool is_target = call.form == Form::gridmap && which == Which::b;  // a grid that does not exist yet
  const xredist_int* d = matrix.desc;
  const Grid target{static_cast<int>(call.nprow), static_cast<int>(call.npcol), -1, -1};
  Side side{.which = which, .grid = is_target ? target : grid_of(d[ctxt_])};
  if (side.grid.member()) side.comm = communicator(d[ctxt_]);
  if (side.grid.member() || is_target)
    side.values = {.nprow = side.grid.nprow,
                   .npcol = side.grid.npcol,
                   .mb = matrix.rows == nullptr ? d[mb_] : 0,
                   .nb = matrix.cols == nullptr ? d[nb_] : 0,
                   .rsrc = matrix.rows == nullptr ? d[rsrc_] : 0,
                   .csrc = matrix.cols == nullptr ? d[csrc_] : 0,
                   .i = matrix.i,
                   .j = matrix.j};
  return side;
}

// The values that every process knows.
struct CallValues {
  Index m, n, elements, kind, shift, rows_a, cols_a, rows_b, cols_b;
};

struct CallField {
  Index CallValues::*value;
  std::string_view argument;
};
constexpr CallField call_fields[] = {
    {&CallValues::elements, ""},     {&CallValues::kind, "UPLO"},     {&CallValues::shift, "DIAG"},
    {&CallValues::rows_a, "ROWS_A"}, {&CallValues::cols_a, "COLS_A"}, {&CallValues::rows_b, "ROWS_B"},
    {&CallValues::cols_b, "COLS_B"},
};

// The values of one process. One reduction finds the minimum and the maximum of each value that is known.
struct Ballot {
  Index error;  // number of an argument with an error on this process, or `unknown`
  CallValues call;
  struct Matrix {
    MatrixValues values;
    Index roster;  // id; -1 on a member that does not know the roster; `unknown` on other processes
  } a, b;
};
using Words = std::array<Index, 1 + 9 + 2 * (8 + 1)>;
static_assert(sizeof(Ballot) == sizeof(Words) && std::is_trivially_copyable_v<Ballot>);

Ballot::Matrix vote(const Side& side, const Context& context) {
  if (!side.grid.member()) return {side.values, unknown};
  const Roster* roster = context.roster_of(side.comm);
  return {side.values, roster != nullptr ? roster->id : -1};
}

// Returns a number for what happens to the elements.
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

struct Outcome {
  Ballot min, max;
};

Outcome outcome_of(const Ballot& ballot, MPI_Comm comm, LibraryLock& lock) {
  const auto mine = std::bit_cast<Words>(ballot);
  struct {
    Words values, negatives;
  } both;
  static_assert(sizeof both == 2 * sizeof(Words));
  both.values = mine;
  std::ranges::transform(mine, both.negatives.begin(), [](Index value) { return value == unknown ? value : -value; });
  reduce(&both, 2 * static_cast<int>(mine.size()), MPI_INT64_T, MPI_MAX, comm, lock);
  for (Index& value : both.negatives)
    if (value != unknown) value = -value;
  return {.min = std::bit_cast<Ballot>(both.negatives), .max = std::bit_cast<Ballot>(both.values)};
}

// ---- the ranks of the grids' processes

// Returns whether both grids and the context have the same processes: the context covers both grids, so equal sizes are
// enough.
bool everyone_is_everywhere(const Side& a, const Side& b, int size) {
  return a.grid.member() && b.grid.member() && a.grid.size() == size && b.grid.size() == size;
}

// Returns the ranks in the context of the processes of a grid that has this process. Local.
std::vector<int> translated(const Call& call, const Side& side, const Context& context) {
  MPI_Group grid, all;
  MPI_Comm_group(side.comm, &grid);
  MPI_Comm_group(context.comm(), &all);
  std::vector<int> positions(as_size(side.grid.size())), ranks(positions.size());
  std::iota(positions.begin(), positions.end(), 0);
  MPI_Group_translate_ranks(grid, side.grid.size(), positions.data(), all, ranks.data());
  MPI_Group_free(&grid);
  MPI_Group_free(&all);
  if (std::ranges::find(ranks, MPI_UNDEFINED) != ranks.end())
    fail(call, context.channel().rank(),
         {{"CTXT"}, std::string(": the context does not cover the grid of ") + side.name()});
  return ranks;
}

// Returns, by one reduction, the positions of all processes in A's grid, then those in B's; -1 for a process outside.
// Only the members of a grid know its processes.
std::span<const int> gathered(const Side& a, const Side& b, Context& context, LibraryLock& lock) {
  const Channel& channel = context.channel();
  const std::span<int> positions = context.positions();
  std::ranges::fill(positions, -1);
  auto mine = as_size(channel.rank());
  for (const Side* side : {&a, &b}) {
    if (side->grid.member()) positions[mine] = side->grid.myrow * side->grid.npcol + side->grid.mycol;
    mine += as_size(channel.size());
  }
  reduce(positions.data(), static_cast<int>(positions.size()), MPI_INT, MPI_MAX, channel.comm(), lock);
  return positions;
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

void demand_agreement(const Call& call, int rank, const Side& side, const MatrixValues& min, const MatrixValues& max) {
  if (!max.known())
    fail(call, rank, {side.grid_name(), std::string(": no process of the context is in the grid of ") + side.name()});
  for (const auto& [value, in_a, in_b, in_gridmaps_b] : matrix_fields) {
    const ArgumentRef& argument = side.which == Which::a ? in_a : call.form == Form::gridmap ? in_gridmaps_b : in_b;
    demand_equal(call, rank, argument, min.*value, max.*value);
  }
}

void demand_agreement(const Call& call, int rank, const CallValues& min, const CallValues& max) {
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
}

const Roster& settle_locally(const Call& call, const Side& side, Context& context) {
  if (const Roster* known = context.roster_of(side.comm)) return *known;
  return context.add_roster(translated(call, side, context), side.comm);
}

// Returns the roster that all members named, or nullptr if they named different ones.
const Roster* named(const Context& context, Index min, Index max) { return min == max ? context.roster(min) : nullptr; }

struct RosterIds {
  Index a = -1, b = -1;
};

// Returns the rosters of both grids. Between the reductions no process can fail alone.
RosterIds settle(const Call& call, const Side& a, const Side& b, Context& context, const Outcome& outcome,
                 LibraryLock& lock) {
  const auto& [min, max] = outcome;
  const Roster* roster_a = named(context, min.a.roster, max.a.roster);
  const Roster* roster_b = named(context, min.b.roster, max.b.roster);
  const bool settle_b = call.form != Form::gridmap && roster_b == nullptr;
  RosterIds ids;
  if (roster_a != nullptr) ids.a = roster_a->id;
  if (roster_b != nullptr) ids.b = roster_b->id;
  if (roster_a != nullptr && !settle_b) return ids;
  const auto positions = gathered(a, b, context, lock);
  const auto add = [&](const Side& side, std::span<const int> places, const MatrixValues& values) {
    const Index grid_size = values.nprow * values.npcol;
    return context.add_roster(inverted(call, side, context.channel().rank(), places, grid_size), side.comm).id;
  };
  const std::size_t size = positions.size() / 2;
  if (roster_a == nullptr) ids.a = add(a, positions.first(size), max.a.values);
  if (settle_b) ids.b = add(b, positions.last(size), max.b.values);
  return ids;
}

}  // namespace

PlanKey agree(const Call& call, Checked error, Context& context, LibraryLock& lock) {
  const int rank = context.channel().rank();
  context.forget_old_rosters();
  const Side a = side_of(call, Which::a, call.a), b = side_of(call, Which::b, call.b);
  if (!error) error = size_error(call);
  for (const Side* side : {&a, &b})
    if (!error && side->grid.member()) error = matrix_error(call, side->which, side->grid);
  if (error && call.form != Form::plan) fail(call, rank, *error);

  const Region region = call.region();
  PlanKey key{.roster_a = -1,
              .roster_b = -1,
              .a = {},
              .b = {},
              .m = call.m,
              .n = call.n,
              .region = region,
              .bytes = call.bytes};
  const bool local = everyone_is_everywhere(a, b, context.channel().size());
  if (local && call.form != Form::plan && context.channel().options().check == 0) {
    key.roster_a = settle_locally(call, a, context).id;
    key.roster_b = settle_locally(call, b, context).id;
    key.a = layout_from(a.values, call.a);
    key.b = layout_from(b.values, call.b);
    return key;
  }
  const Ballot ballot{.error = error ? number_of(call, error->argument) : unknown,
                      .call = {.m = call.m,
                               .n = call.n,
                               .elements = elements_of(call),
                               .kind = static_cast<Index>(region.kind),
                               .shift = region.shift,
                               .rows_a = fingerprint(call.a.rows),
                               .cols_a = fingerprint(call.a.cols),
                               .rows_b = fingerprint(call.b.rows),
                               .cols_b = fingerprint(call.b.cols)},
                      .a = vote(a, context),
                      .b = vote(b, context)};
  const Outcome outcome = outcome_of(ballot, context.channel().comm(), lock);
  if (outcome.max.error != unknown) fail_together(call, error, outcome.min.error, context, lock);
  demand_agreement(call, rank, outcome.min.call, outcome.max.call);
  demand_agreement(call, rank, a, outcome.min.a.values, outcome.max.a.values);
  demand_agreement(call, rank, b, outcome.min.b.values, outcome.max.b.values);
  const RosterIds ids = settle(call, a, b, context, outcome, lock);
  key.roster_a = ids.a;
  key.roster_b = ids.b;
  const Index units = call.form == Form::plan ? units_of(call.operation) : 1;
  key.m *= units;
  key.a = layout_from(outcome.max.a.values, call.a, units);
  key.b = layout_from(outcome.max.b.values, call.b, units);
  return key;
}

}  // namespace xredist::core
