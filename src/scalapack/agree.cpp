// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack/agree.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/compare.hpp"

namespace xredist::core {
namespace {

const char* grid_of_matrix(const Routine& routine, const GridView& view) {
  if (routine.has("DESC")) return "the grid of the matrix";
  return view.which == Which::a ? "the grid of A" : "the grid of B";
}

ArgumentRef grid_name(const GridView& view) { return {descriptor_name(view.which), ctxt_}; }

// ---- the ranks of the grids' processes

// Returns the process at each place of a grid, from the places of each process.
std::vector<int> inverted(const Routine& routine, const GridView& view, std::size_t grid, std::span<const Index> places,
                          Index grid_size) {
  std::vector<int> ranks(as_size(grid_size), -1);
  for (int process = 0; process < std::ssize(places); ++process) {
    const int place = place_in(grid, at(places, process));
    if (place < 0) continue;
    int& holder = at(ranks, place);
    if (holder >= 0)
      demand(routine, ArgumentError{grid_name(view),
                                    Text() << ": processes " << holder << " and " << process
                                           << " of the context are at the same place: their grids are not the same"});
    holder = process;
  }
  if (const auto missing = std::ranges::count(ranks, -1); missing > 0)
    demand(routine, ArgumentError{{"CTXT"},
                                  Text() << ": the context lacks " << missing << " of the " << grid_size
                                         << " processes of " << grid_of_matrix(routine, view)});
  return ranks;
}

// Sets the places of this process, which the maximum over all processes completes. Only the members of a grid know its
// processes.
void set_own_places(const View& view, Rosters& rosters, const Channel& channel) {
  const std::span<Index> places = rosters.places();
  std::ranges::fill(places, 0);
  at(places, channel.rank()) = packed_places(view.grids[0].grid, view.grids[1].grid);
}

void gather_places(const View& view, Rosters& rosters, const Channel& channel, Progress& progress) {
  set_own_places(view, rosters, channel);
  reduce(rosters.places().data(), channel.size(), MPI_INT64_T, MPI_MAX, channel.comm(), progress);
}

// Returns the values with the numbers of the rosters of new grids, from the places that have been gathered.
Values with_rosters(const Question& question, const View& view, Values agreed, const std::array<bool, 2>& is_new,
                    Rosters& rosters) {
  for (std::size_t k = 0; k < question.matrices.size(); ++k) {
    if (!is_new[k]) continue;
    MatrixValues& matrix = agreed.matrices[k];
    std::vector<int> ranks =
        inverted(question.routine, view.grids[k], k, rosters.places(), matrix.axes[0].procs * matrix.axes[1].procs);
    matrix.roster = rosters.add(std::move(ranks), view.grids[k].comm).id;
  }
  return agreed;
}

// ---- errors that all processes find alike

// Returns the argument that holds a value of an axis.
ArgumentRef argument_of(Which which, int axis, Index AxisValues::*value) {
  if (value == &AxisValues::first) return {first_name(which, axis)};
  const std::string_view descriptor = descriptor_name(which);
  if (value == &AxisValues::block) return {descriptor, mb_ + axis};
  if (value == &AxisValues::source) return {descriptor, rsrc_ + axis};
  return {descriptor, ctxt_, axis == 0 ? ": number of grid rows" : ": number of grid columns"};
}

MaybeError matrix_difference(const Routine& routine, const GridView& view, const MatrixValues& min,
                             const MatrixValues& max) {
  for (int k = 0; k < 2; ++k)
    if (at(min.axes, k).partition != at(max.axes, k).partition)
      return ArgumentError{{partition_name(routine, view.which, k)}, differs};
  if (!max.known())
    return ArgumentError{grid_name(view), Text()
                                              << ": no process of the context is in " << grid_of_matrix(routine, view)};
  for (const auto value : {&AxisValues::procs, &AxisValues::block, &AxisValues::source, &AxisValues::first})
    for (int k = 0; k < 2; ++k)
      if (const Index least = at(min.axes, k).*value, greatest = at(max.axes, k).*value; least != greatest)
        return difference_error({argument_of(view.which, k, value)}, least, greatest);
  return {};
}

// Returns the first value that differs between processes.
MaybeError disagreement(const Question& question, const View& view, const Values& min, const Values& max) {
  for (std::size_t k = 0; k < question.routine.fields.size(); ++k)
    if (min.fields[k] != max.fields[k])
      return difference_error(question.routine.fields[k], min.fields[k], max.fields[k]);
  for (std::size_t k = 0; k < question.matrices.size(); ++k)
    if (MaybeError error = matrix_difference(question.routine, view.grids[k], min.matrices[k], max.matrices[k]))
      return error;
  return {};
}

// Compares the roster of process 0 with that of this process, which has looked up its own.
MaybeError roster_difference(const GridView& view, const MatrixValues& min, const MatrixValues& max) {
  if (min.roster == max.roster) return {};
  return ArgumentError{grid_name(view), ": the grid has other processes than on the first process of the context"};
}

// Checks that this process is not in a grid of which it does not pass the context.
MaybeError membership_error(const Routine& routine, const GridView& view, const MatrixValues& agreed,
                            const Rosters& rosters) {
  const Roster* roster = view.grid.member() ? nullptr : rosters.find(agreed.roster);
  if (roster == nullptr || !roster->has_this) return {};
  return value_error(grid_name(view), view.ctxt,
                     Text() << ", but this process is in " << grid_of_matrix(routine, view));
}

void check_membership(const Question& question, const View& view, const Values& agreed, const Rosters& rosters) {
  for (std::size_t k = 0; k < question.matrices.size(); ++k)
    demand(question.routine, membership_error(question.routine, view.grids[k], agreed.matrices[k], rosters));
}

// ---- calls that differ

CallId call_id(const Question& question, const Rosters& rosters) {
  std::string_view name = question.routine.name;
  if (constexpr std::string_view prefix = "xredist_"; name.starts_with(prefix)) name.remove_prefix(prefix.size());
  return {packed_name(name), rosters.calls};
}

Text text_of(Text name, const CallId& call) { return call.number > 0 ? name << ", call " << call.number : name; }

// Returns "PDGEMR2D (100 x 80), call 17".
Text text_of(const Question& question, const CallId& call) {
  Text name = question.routine.name;
  const auto& fields = question.routine.fields;
  if (fields.size() > 1 && fields[0].name.argument == "M" && fields[1].name.argument == "N")
    name << " (" << question.fields[0] << " x " << question.fields[1] << ")";
  return text_of(name, call);
}

constexpr const char* first_is_in = "process 0 of the context is in ";

// Throws, on all processes, if they are in different routines, or have made different numbers of calls. Collective if
// they are.
void demand_same_call(const Question& question, const CallId& mine, const CallId& min, const CallId& max,
                      const Channel& channel, Progress& progress) {
  if (min == max) return;
  demand(question.routine,
         ArgumentError{{}, different_calls(first_is_in, text_of(question, mine), channel.comm(), progress)});
}

// Compares the call of process 0 with that of this process.
MaybeError call_difference(const Question& question, const CallId& mine, const CallId& first, int rank) {
  if (first == mine) return {};
  return ArgumentError{{},
                       Text() << first_is_in << text_of(std::string_view(unpacked_name(first.routine)), first)
                              << ", but process " << rank << " is in " << text_of(question, mine)};
}

// ---- protocols

// Returns the roster of the context's own grid, whose places are the ranks.
const Roster& own_roster(MPI_Comm grid, Rosters& rosters, const Channel& channel) {
  std::vector<int> ranks(as_size(channel.size()));
  std::iota(ranks.begin(), ranks.end(), 0);
  return rosters.add(std::move(ranks), grid);
}

// Both grids have all processes of the context, so all of them know, or do not know, the rosters: nothing is sent
// unless another grid than that of the context is new.
Values agree_locally(const Question& question, const View& view, Rosters& rosters, const Channel& channel,
                     Progress& progress) {
  Values agreed = view.passed.values;
  std::array<bool, 2> is_new{};
  for (std::size_t k = 0; k < question.matrices.size(); ++k) {
    const auto& [which, ctxt, grid, comm, roster] = view.grids[k];
    is_new[k] = roster < 0 && !rosters.is_context(comm);
    if (roster < 0 && !is_new[k]) agreed.matrices[k].roster = own_roster(comm, rosters, channel).id;
  }
  if (is_new[0] || is_new[1]) gather_places(view, rosters, channel, progress);
  return with_rosters(question, view, agreed, is_new, rosters);
}

// Maximum number of broadcasts between two reductions. A reduction makes process 0 wait for the others; without
// reductions, process 0 could run ahead by any number of calls.
constexpr int max_broadcasts = 63;

// Whether the reduction that compares the values gathers the places of the processes, too. Equal on all processes.
enum class Places { gathered, if_new };

// Returns the values on which all processes agree, by a reduction, and the places that are missing by another one.
Values values_by_reduction(const Question& question, const View& view, const Failure* mine, Places places,
                           Rosters& rosters, const Channel& channel, Progress& progress) {
  const CallId call = call_id(question, rosters);
  const bool gathers = places == Places::gathered;
  if (gathers) set_own_places(view, rosters, channel);
  const std::span<Index> words = rosters.words().first(gathers ? rosters.words().size() : compared_words);
  const auto [min, max] =
      compare({failing(mine, channel.comm()), call, view.passed.values}, words, channel.comm(), progress);
  throw_lowest(mine, min.failing, channel.comm(), progress);
  demand_same_call(question, call, min.call, max.call, channel, progress);
  demand(question.routine, disagreement(question, view, min.values, max.values));
  // Members that named different rosters look them up again. All processes come here, or none does.
  std::array<bool, 2> is_new{};
  for (std::size_t k = 0; k < question.matrices.size(); ++k) {
    const Index least = min.values.matrices[k].roster, greatest = max.values.matrices[k].roster;
    is_new[k] = least != greatest || rosters.find(greatest) == nullptr;
  }
  if (!gathers && (is_new[0] || is_new[1])) gather_places(view, rosters, channel, progress);
  const Values agreed = with_rosters(question, view, max.values, is_new, rosters);
  check_membership(question, view, agreed, rosters);
  return agreed;
}

Places places_of_call(const Rosters& rosters) { return rosters.empty() ? Places::gathered : Places::if_new; }

// Agrees by a reduction, and decides whether the next calls agree by broadcasts.
Values agree_anew(const Question& question, const View& view, Places places, Rosters& rosters, const Channel& channel,
                  Progress& progress) {
  const Values agreed = values_by_reduction(question, view, nullptr, places, rosters, channel, progress);
  const auto has_first = [&](const MatrixValues& matrix) { return rosters.find(matrix.roster)->has_first; };
  rosters.broadcasts = std::ranges::all_of(agreed.matrices, has_first) ? max_broadcasts : 0;
  return agreed;
}

// Process 0 broadcasts its values, because it was a member of both grids in an earlier call. If it is not a member of
// both grids of this call, or does not know their rosters, the processes agree anew: then a grid is probably new.
Values agree_by_broadcast(const Question& question, const View& view, Rosters& rosters, const Channel& channel,
                          Progress& progress) {
  --rosters.broadcasts;
  const CallId mine = call_id(question, rosters);
  const std::optional<ValueRange> compared = compare_with_first(mine, view.passed.values, channel.comm(), progress);
  if (!compared) return agree_anew(question, view, Places::gathered, rosters, channel, progress);
  const auto& [first, min, max] = *compared;
  demand(question.routine, call_difference(question, mine, first, channel.rank()));
  demand(question.routine, disagreement(question, view, min, max));
  for (std::size_t k = 0; k < question.matrices.size(); ++k)
    demand(question.routine, roster_difference(view.grids[k], min.matrices[k], max.matrices[k]));
  check_membership(question, view, max, rosters);
  return max;
}

}  // namespace

// All processes choose the same protocol: the context covers both grids, so they have all processes of the context if
// their sizes are equal.
Values agree(const Question& question, const View& view, Rosters& rosters, const Channel& channel, Progress& progress) {
  const auto has_all = [&](const GridView& of) { return of.grid.member() && of.grid.size() == channel.size(); };
  const Options::Check level = channel.options().check;
  if (level == Options::Check::reduction)
    return agree_anew(question, view, places_of_call(rosters), rosters, channel, progress);
  if (level == Options::Check::local && std::ranges::all_of(view.grids, has_all))
    return agree_locally(question, view, rosters, channel, progress);
  if (rosters.broadcasts > 0) return agree_by_broadcast(question, view, rosters, channel, progress);
  return agree_anew(question, view, places_of_call(rosters), rosters, channel, progress);
}

Values agree_by_reduction(const Question& question, const View& view, const Failure* mine, Rosters& rosters,
                          const Channel& channel, Progress& progress) {
  return values_by_reduction(question, view, mine, places_of_call(rosters), rosters, channel, progress);
}

}  // namespace xredist::core
