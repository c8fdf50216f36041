// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack/agree.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "api/compare.hpp"

namespace xredist::core {
namespace {

std::string grid_of_matrix(const GridView& view) {
  return std::string("the grid of ") + (view.which == Which::a ? "A" : "B");
}

ArgumentRef grid_name(const GridView& view) { return {descriptor_name(view.which), ctxt_}; }

// ---- the ranks of the grids' processes

// Returns the number of the roster of a grid that has this process and all others of the context. Local.
OrError<Index> translated_roster(const GridView& view, Context& context) {
  if (const Roster* known = context.rosters.of_grid(view.comm)) return known->id;  // B has the grid of A
  std::vector<int> ranks = translated(view.comm, view.grid.size(), context.comm());
  if (std::ranges::find(ranks, MPI_UNDEFINED) != ranks.end())
    return ArgumentError{{"CTXT"}, ": the context does not cover " + grid_of_matrix(view)};
  return context.rosters.add(std::move(ranks), view.comm).id;
}

// Returns the process at each position of a grid, from the position of each process.
OrError<std::vector<int>> inverted(const GridView& view, std::span<const int> positions, Index grid_size) {
  std::vector<int> ranks(as_size(grid_size), -1);
  for (int process = 0; process < std::ssize(positions); ++process) {
    const int position = at(positions, process);
    if (position < 0) continue;
    int& holder = at(ranks, position);
    if (holder >= 0)
      return ArgumentError{grid_name(view), ": processes " + std::to_string(holder) + " and " +
                                                std::to_string(process) +
                                                " of the context are at the same place: their grids are not the same"};
    holder = process;
  }
  if (const auto missing = std::ranges::count(ranks, -1); missing > 0)
    return ArgumentError{{"CTXT"},
                         ": the context lacks " + std::to_string(missing) + " of the " + std::to_string(grid_size) +
                             " processes of " + grid_of_matrix(view)};
  return ranks;
}

// Returns whether all members of a grid know its roster. A grid that does not exist yet has none on any process.
bool knows_roster(const MatrixValues& min, const MatrixValues& max, const Rosters& rosters) {
  return max.roster == unknown || (min.roster == max.roster && rosters.find(max.roster) != nullptr);
}

// Stores the roster of a grid of `size` processes, from the position of each process. Returns its number.
OrError<Index> added_roster(const GridView& view, std::span<const int> positions, Index size, Rosters& rosters) {
  OrError<std::vector<int>> ranks = inverted(view, positions, size);
  if (auto* error = std::get_if<ArgumentError>(&ranks)) return std::move(*error);
  return rosters.add(std::get<std::vector<int>>(std::move(ranks)), view.comm).id;
}

// ---- errors that all processes find alike

struct MatrixField {
  Index MatrixValues::*value;
  ArgumentRef in_a, in_b, without_descriptor;
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

MaybeError matrix_difference(const Routine& routine, const GridView& view, const MatrixValues& min,
                             const MatrixValues& max) {
  if (!max.known()) return ArgumentError{grid_name(view), ": no process of the context is in " + grid_of_matrix(view)};
  for (const auto& [value, in_a, in_b, without_descriptor] : matrix_fields) {
    const ArgumentRef& in_descriptor = view.which == Which::a ? in_a : in_b;
    const ArgumentRef& argument = routine.has(in_descriptor.argument) ? in_descriptor : without_descriptor;
    if (MaybeError error = difference_error(argument, min.*value, max.*value)) return error;
  }
  return {};
}

struct CallField {
  Index CallValues::*value;
  std::string_view argument;
};
constexpr CallField call_fields[] = {
    {&CallValues::elements, "RULES"}, {&CallValues::kind, "UPLO"},     {&CallValues::shift, "DIAG"},
    {&CallValues::rows_a, "ROWS_A"},  {&CallValues::cols_a, "COLS_A"}, {&CallValues::rows_b, "ROWS_B"},
    {&CallValues::cols_b, "COLS_B"},
};

MaybeError call_difference(const Routine& routine, std::string_view argument) {
  if (routine.style != ErrorStyle::names)
    return ArgumentError{{}, "the routine, UPLO, DIAG or TRANS is not the same on all processes"};
  if (argument == "RULES" && !routine.has(argument))
    return ArgumentError{{}, "a letter or the size of the elements differs between processes"};
  return ArgumentError{{argument}, differs};
}

// Returns the first value that differs between processes.
MaybeError disagreement(const Routine& routine, const CallView& view, const CallValues& min, const CallValues& max) {
  if (MaybeError error = first_of({difference_error({"M"}, min.m, max.m), difference_error({"N"}, min.n, max.n)}))
    return error;
  for (const auto& [value, argument] : call_fields)
    if (min.*value != max.*value) return call_difference(routine, argument);
  for (const Which which : both)
    if (MaybeError error = matrix_difference(routine, view[which], min[which], max[which])) return error;
  return {};
}

// Compares the roster of process 0 with that of this process, which has looked up its own.
MaybeError roster_difference(const GridView& view, const MatrixValues& min, const MatrixValues& max) {
  if (min.roster == max.roster) return {};
  return ArgumentError{grid_name(view), ": the grid has other processes than on the first process of the context"};
}

// Checks that this process is not in a grid of which it does not pass the context.
MaybeError membership_error(const GridView& view, const MatrixValues& agreed, const Context& context) {
  const Roster* roster = view.grid.member() ? nullptr : context.rosters.find(agreed.roster);
  if (roster == nullptr || std::ranges::count(roster->ranks, context.channel().rank()) == 0) return {};
  return value_error(grid_name(view), view.ctxt, ", but this process is in " + grid_of_matrix(view));
}

OrError<CallValues> if_member(const CallView& view, const CallValues& agreed, const Context& context) {
  for (const Which which : both)
    if (MaybeError error = membership_error(view[which], agreed[which], context)) return *std::move(error);
  return agreed;
}

// Maximum number of broadcasts between two reductions. A reduction makes process 0 wait for the others; without
// reductions, process 0 could run ahead by any number of calls.
constexpr int max_broadcasts = 63;

}  // namespace

// The context covers both grids, so they have all processes of the context if their sizes are equal.
Protocol choose(const CallView& view, const Context& context) {
  const Channel& channel = context.channel();
  const auto has_all = [&](const Grid& grid) { return grid.member() && grid.size() == channel.size(); };
  if (channel.options().check != 0) return Protocol::reduction;
  if (has_all(view.a.grid) && has_all(view.b.grid)) return Protocol::local;
  return context.broadcasts > 0 ? Protocol::broadcast : Protocol::reduction;
}

OrError<CallValues> agree_locally(const CallView& view, Context& context) {
  OrError<CallValues> agreed = view.passed.values;
  for (const Which which : both) {
    if (view[which].roster >= 0) continue;
    OrError<Index> roster = translated_roster(view[which], context);
    if (auto* error = std::get_if<ArgumentError>(&roster)) return std::move(*error);
    std::get<CallValues>(agreed)[which].roster = std::get<Index>(roster);
  }
  return agreed;
}

OrError<CallValues> agree_by_broadcast(const Routine& routine, const CallView& view, Context& context,
                                       Progress& progress) {
  --context.broadcasts;
  const std::optional<ValueRange> compared = compare_with_first(view.passed.values, context.channel().comm(), progress);
  if (!compared) return agree_by_reduction(routine, view, context, progress);
  const auto& [min, max] = *compared;
  if (MaybeError error = disagreement(routine, view, min, max)) return *std::move(error);
  for (const Which which : both)
    if (MaybeError error = roster_difference(view[which], min[which], max[which])) return *std::move(error);
  return if_member(view, max, context);
}

OrError<CallValues> agree_by_reduction(const Routine& routine, const CallView& view, Context& context,
                                       Progress& progress) {
  const Outcome outcome = compare({unknown, view.passed.values}, context.channel().comm(), progress);
  OrError<CallValues> agreed = agreement_of(routine, view, outcome, context, progress);
  if (const auto* values = std::get_if<CallValues>(&agreed)) {
    const auto has_first = [&](Index id) { return std::ranges::count(context.rosters.find(id)->ranks, 0) > 0; };
    context.broadcasts = has_first(values->a.roster) && has_first(values->b.roster) ? max_broadcasts : 0;
  }
  return agreed;
}

OrError<CallValues> agreement_of(const Routine& routine, const CallView& view, const Outcome& outcome, Context& context,
                                 Progress& progress) {
  const CallValues &min = outcome.min.values, &max = outcome.max.values;
  if (MaybeError error = disagreement(routine, view, min, max)) return *std::move(error);
  CallValues agreed = max;
  const auto lacks_roster = [&](Which which) { return !knows_roster(min[which], max[which], context.rosters); };
  if (std::ranges::none_of(both, lacks_roster)) return if_member(view, agreed, context);

  // Members that named different rosters look them up again.
  const std::span<int> positions = context.positions();
  gather_positions(view.a.grid, view.b.grid, positions, context.channel(), progress);
  const std::size_t size = positions.size() / 2;
  for (const Which which : both) {
    if (!lacks_roster(which)) continue;
    const MatrixValues& values = agreed[which];
    const std::span<int> of_grid = which == Which::a ? positions.first(size) : positions.last(size);
    OrError<Index> roster = added_roster(view[which], of_grid, values.nprow * values.npcol, context.rosters);
    if (auto* error = std::get_if<ArgumentError>(&roster)) return std::move(*error);
    agreed[which].roster = std::get<Index>(roster);
  }
  return if_member(view, agreed, context);
}

}  // namespace xredist::core
