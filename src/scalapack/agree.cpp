// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack/agree.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "api/arguments.hpp"
#include "exchange/collectives.hpp"
#include "scalapack/blacs.hpp"
#include "scalapack/check.hpp"

namespace xredist::core {
namespace {

// ---- the values on which all processes must agree

struct Field {
  Name in_a, in_b, in_gridmaps_b;
};
constexpr const char *rows = ": number of grid rows", *columns = ": number of grid columns";
// The values of one matrix, which the members of its grid know. M_ and N_ are not among them: each process checks the
// submatrix against its own M_ and N_, and ScaLAPACK's routine accepts different ones.
constexpr std::array<Field, 8> side_fields{{
    {{"DESCA", ctxt_, rows}, {"DESCB", ctxt_, rows}, {"NPROW"}},
    {{"DESCA", ctxt_, columns}, {"DESCB", ctxt_, columns}, {"NPCOL"}},
    {{"DESCA", mb_}, {"DESCB", mb_}, {"MB"}},
    {{"DESCA", nb_}, {"DESCB", nb_}, {"NB"}},
    {{"DESCA", rsrc_}, {"DESCB", rsrc_}, {"RSRC"}},
    {{"DESCA", csrc_}, {"DESCB", csrc_}, {"CSRC"}},
    {{"IA"}, {"IB"}, {"IB"}},
    {{"JA"}, {"JB"}, {"JB"}},
}};
using SideValues = std::array<Index, side_fields.size()>;
constexpr Index unknown = std::numeric_limits<Index>::min();

template <class Pointer>
Layout layout_from(const SideValues& v, const Operand<Pointer>& matrix) {
  return {make_axis(matrix.rows, v[2], v[0], v[4], v[6] - 1), make_axis(matrix.cols, v[3], v[1], v[5], v[7] - 1)};
}

// One matrix as this process sees it.
struct Side {
  Which which;
  Grid grid;
  MPI_Comm comm;      // of the grid; MPI_COMM_NULL if this process is not a member
  SideValues values;  // `unknown` if this process is not a member

  const char* name() const { return which == Which::a ? "A" : "B"; }
  Name grid_name() const { return {which == Which::a ? "DESCA" : "DESCB", ctxt_}; }
};

template <class Pointer>
Side side_of(const Call& call, Which which, const Operand<Pointer>& matrix) {
  const bool planned = call.form == Form::gridmap && which == Which::b;
  const xredist_int* d = matrix.desc;
  const Grid target{static_cast<int>(call.nprow), static_cast<int>(call.npcol), -1, -1};
  Side side{which, planned ? target : grid_of(d[ctxt_]), MPI_COMM_NULL, {}};
  side.values.fill(unknown);
  if (side.grid.member()) side.comm = communicator(d[ctxt_]);
  const auto cyclic = [](const xredist_partition* cuts, Index value) { return cuts == nullptr ? value : 0; };
  if (side.grid.member() || planned)
    side.values = {side.grid.nprow,
                   side.grid.npcol,
                   cyclic(matrix.rows, d[mb_]),
                   cyclic(matrix.cols, d[nb_]),
                   cyclic(matrix.rows, d[rsrc_]),
                   cyclic(matrix.cols, d[csrc_]),
                   matrix.i,
                   matrix.j};
  return side;
}

// What is reduced by maximum in one operation: every value and its negative, so that the least value is known as well.
struct Ballot {
  Index wrong;                // the number of an argument that this process found wrong, or `unknown`
  std::array<Index, 9> call;  // m, n, what moves, and the fingerprints of intervals
  struct Matrix {
    SideValues values;
    Index roster;  // its id; -1 if a member does not know it; `unknown` on other processes
  } a, b;
};
constexpr std::size_t ballot_size = sizeof(Ballot) / sizeof(Index);

Ballot::Matrix vote(const Side& side, const Context& context) {
  if (!side.grid.member()) return {side.values, unknown};
  const Roster* roster = context.roster_of(side.comm);
  return {side.values, roster != nullptr ? roster->id : -1};
}

// As one number.
Index packed(const xredist_operation& operation) {
  Index number = 0;
  for (const char letter :
       {operation.type_a, operation.type_b, operation.trans, operation.uplo, operation.diag, operation.mirror})
    number = number << 8 | static_cast<unsigned char>(letter);
  return number;
}

struct Outcome {
  Ballot least, most;
};

Outcome outcome_of(const Ballot& ballot, MPI_Comm comm, LibraryLock& lock) {
  using Values = std::array<Index, ballot_size>;
  const auto mine = std::bit_cast<Values>(ballot);
  std::array<Values, 2> both;  // the values and their negatives
  for (std::size_t v = 0; v < ballot_size; ++v) {
    both[0][v] = mine[v];
    both[1][v] = mine[v] == unknown ? unknown : -mine[v];
  }
  reduce(both.data(), 2 * static_cast<int>(ballot_size), MPI_INT64_T, MPI_MAX, comm, lock);
  for (Index& value : both[1])
    if (value != unknown) value = -value;
  return {.least = std::bit_cast<Ballot>(both[1]), .most = std::bit_cast<Ballot>(both[0])};
}

// ---- the ranks of the grids' processes

// The context has to cover both grids: so if the sizes are equal, all three have the same processes.
bool everyone_is_everywhere(const Side& a, const Side& b, int size) {
  return a.grid.member() && b.grid.member() && a.grid.size() == size && b.grid.size() == size;
}

// The ranks, in the context, of the processes of a grid of which this process is a member. Local.
std::vector<int> translated(const Call& call, const Side& side, const Context& context) {
  MPI_Group grid, all;
  MPI_Comm_group(side.comm, &grid);
  MPI_Comm_group(context.comm(), &all);
  std::vector<int> positions(static_cast<std::size_t>(side.grid.size())), ranks(positions.size());
  std::iota(positions.begin(), positions.end(), 0);
  MPI_Group_translate_ranks(grid, side.grid.size(), positions.data(), all, ranks.data());
  MPI_Group_free(&grid);
  MPI_Group_free(&all);
  if (std::ranges::find(ranks, MPI_UNDEFINED) != ranks.end())
    fail(call, context.channel().rank(),
         {{"CTXT"}, std::string(": the context does not cover the grid of ") + side.name()});
  return ranks;
}

// Processes outside a grid do not know its members: the positions of all processes in A's grid, then those in B's, or
// -1, by one reduction.
std::span<const int> gathered(const Side& a, const Side& b, Context& context, LibraryLock& lock) {
  const Channel& channel = context.channel();
  const std::span<int> positions = context.positions();
  std::ranges::fill(positions, -1);
  auto mine = static_cast<std::size_t>(channel.rank());
  for (const Side* side : {&a, &b}) {
    if (side->grid.member()) positions[mine] = side->grid.myrow * side->grid.npcol + side->grid.mycol;
    mine += static_cast<std::size_t>(channel.size());
  }
  reduce(positions.data(), static_cast<int>(positions.size()), MPI_INT, MPI_MAX, channel.comm(), lock);
  return positions;
}

// From the position of each process in a grid to the process at each position.
std::vector<int> inverted(const Call& call, const Side& side, int rank, std::span<const int> positions,
                          Index grid_size) {
  std::vector<int> ranks(static_cast<std::size_t>(grid_size), -1);
  for (int process = 0; process < std::ssize(positions); ++process) {
    const int position = positions[static_cast<std::size_t>(process)];
    if (position < 0) continue;
    int& holder = ranks[static_cast<std::size_t>(position)];
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

void demand_equal(const Call& call, int rank, const Name& name, Index least, Index most) {
  if (least != most)
    fail(call, rank,
         {name, " differs between processes: from " + std::to_string(least) + " to " + std::to_string(most)});
}

void demand_agreement(const Call& call, int rank, const Side& side, const Ballot::Matrix& least,
                      const Ballot::Matrix& most) {
  if (most.values[0] == unknown)
    fail(call, rank, {side.grid_name(), std::string(": no process of the context is in the grid of ") + side.name()});
  for (std::size_t v = 0; v < side_fields.size(); ++v) {
    const auto& [in_a, in_b, in_gridmaps_b] = side_fields[v];
    const Name& name = side.which == Which::a ? in_a : call.form == Form::gridmap ? in_gridmaps_b : in_b;
    demand_equal(call, rank, name, least.values[v], most.values[v]);
  }
}

void demand_agreement(const Call& call, int rank, const Ballot& least, const Ballot& most) {
  demand_equal(call, rank, {"M"}, least.call[0], most.call[0]);
  demand_equal(call, rank, {"N"}, least.call[1], most.call[1]);
  const Name first = {call.form == Form::plan ? "TYPE" : "OPERATION"};
  const std::array<Name, 7> in_plan{{first, {"UPLO"}, {"DIAG"}, {"ROWS_A"}, {"COLS_A"}, {"ROWS_B"}, {"COLS_B"}}};
  for (std::size_t v = 2; v < least.call.size(); ++v) {
    if (least.call[v] == most.call[v]) continue;
    if (call.plans()) fail(call, rank, {in_plan[v - 2], " differs between processes"});
    fail(call, rank, {{}, "the routine, UPLO, DIAG or TRANS is not the same on all processes"});
  }
}

const Roster& settle_locally(const Call& call, const Side& side, Context& context) {
  if (const Roster* known = context.roster_of(side.comm)) return *known;
  return context.add_roster(translated(call, side, context), side.comm);
}

// The roster that all members named, or nullptr if they did not.
const Roster* named(const Context& context, const Ballot::Matrix& least, const Ballot::Matrix& most) {
  return least.roster == most.roster ? context.roster(least.roster) : nullptr;
}

// Between its reductions no process can fail alone.
void settle(const Call& call, const Side& a, const Side& b, Context& context, const Outcome& outcome, LibraryLock& lock,
            PlanKey& key) {
  const auto& [least, most] = outcome;
  const Roster *roster_a = named(context, least.a, most.a), *roster_b = named(context, least.b, most.b);
  const bool settle_b = call.form != Form::gridmap && roster_b == nullptr;
  if (roster_a != nullptr) key.roster_a = roster_a->id;
  if (roster_b != nullptr) key.roster_b = roster_b->id;
  if (roster_a != nullptr && !settle_b) return;
  const auto positions = gathered(a, b, context, lock);
  const auto add = [&](const Side& side, std::span<const int> its, const SideValues& values) {
    return context.add_roster(inverted(call, side, context.channel().rank(), its, values[0] * values[1]), side.comm).id;
  };
  const std::size_t size = positions.size() / 2;
  if (roster_a == nullptr) key.roster_a = add(a, positions.first(size), most.a.values);
  if (settle_b) key.roster_b = add(b, positions.last(size), most.b.values);
}

}  // namespace

PlanKey agree(const Call& call, Wrong wrong, Context& context, LibraryLock& lock) {
  const int rank = context.channel().rank();
  context.forget_old_rosters();
  const Side a = side_of(call, Which::a, call.a), b = side_of(call, Which::b, call.b);
  if (!wrong) wrong = wrong_size(call);
  for (const Side* side : {&a, &b})
    if (!wrong && side->grid.member()) wrong = wrong_argument(call, side->which, side->grid);
  if (wrong && !(call.plans() && call.returns_errors)) fail(call, rank, wrong);

  const Region region = call.region();
  PlanKey key{-1, -1, {}, {}, call.m, call.n, region, call.bytes};
  const bool local = everyone_is_everywhere(a, b, context.channel().size());
  if (local && !call.plans() && context.channel().options().check == 0) {
    key.roster_a = settle_locally(call, a, context).id;
    key.roster_b = settle_locally(call, b, context).id;
    key.a = layout_from(a.values, call.a);
    key.b = layout_from(b.values, call.b);
    return key;
  }
  const Index type = call.form == Form::operation || call.form == Form::partition || call.of_pblas()
                         ? packed(call.operation)
                     : call.form == Form::plan ? call.operation.type_a
                                               : call.bytes;
  const Ballot ballot{wrong ? number_of(call, wrong.name) : unknown,
                      {call.m, call.n, type, static_cast<Index>(region.kind), region.shift, fingerprint(call.a.rows),
                       fingerprint(call.a.cols), fingerprint(call.b.rows), fingerprint(call.b.cols)},
                      vote(a, context),
                      vote(b, context)};
  const Outcome outcome = outcome_of(ballot, context.channel().comm(), lock);
  if (outcome.most.wrong != unknown) throw WrongArgument(outcome.least.wrong);
  demand_agreement(call, rank, outcome.least, outcome.most);
  demand_agreement(call, rank, a, outcome.least.a, outcome.most.a);
  demand_agreement(call, rank, b, outcome.least.b, outcome.most.b);
  settle(call, a, b, context, outcome, lock, key);
  key.a = layout_from(outcome.most.a.values, call.a);
  key.b = layout_from(outcome.most.b.values, call.b);
  return key;
}

}  // namespace xredist::core
