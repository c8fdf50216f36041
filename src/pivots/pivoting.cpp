// SPDX-License-Identifier: BSD-3-Clause
#include "pivots/pivoting.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <span>
#include <vector>

#include "layout/axis.hpp"
#include "pivots/grid_lines.hpp"
#include "pivots/interchanges.hpp"
#include "pivots/line_exchange.hpp"
#include "scalapack/blacs.hpp"
#include "scalapack/routine.hpp"

namespace xredist::core {
namespace {

// Interchanges that are composed at once: the memory for them is bounded.
constexpr Index max_interchanges = Index{1} << 15;

// An argument of a routine: its position, from 1, and its name.
struct Argument {
  int position;
  const char* name;
};

// Ends the program with a sentence that begins with the argument.
[[noreturn, gnu::format(printf, 3, 4)]] void fail(const PivotCall& call, const Argument& argument, const char* format,
                                                  ...) {
  char reason[200];
  va_list values;
  va_start(values, format);
  std::vsnprintf(reason, sizeof reason, format, values);
  va_end(values);
  std::fprintf(stderr, "xredist: %s: argument %d (%s)%s\n", call.routine, argument.position, argument.name, reason);
  std::fflush(stderr);
  blacs().abort(call.desca[ctxt_], argument.position);
  std::abort();
}

bool is(char letter, char upper) { return letter == upper || letter == upper - 'A' + 'a'; }

// The arguments that both routines have.
struct CommonArguments {
  Argument ia, ja, desca, ipiv;
};
constexpr CommonArguments of_laswp{{5, "IA"}, {6, "JA"}, {7, "DESCA"}, {10, "IPIV"}};
constexpr CommonArguments of_lapiv{{7, "IA"}, {8, "JA"}, {9, "DESCA"}, {10, "IPIV"}};

// The matrix of a call, whose lines along axis 0 (rows) or 1 (columns) are moved on this process.
class Lines {
 public:
  Lines(const PivotCall& call, const CommonArguments& arguments) : call_(call), arguments_(arguments), grid_(grid()) {
    for (int axis = 0; axis < 2; ++axis) check_axis(call.desca, axis, arguments.desca);
  }

  int axis() const { return is(call_.rowcol, 'R') ? 0 : 1; }
  const Grid& grid_of_call() const { return grid_; }
  Axis axis_of(const xredist_int* desc, int axis) const {
    return {desc[mb_ + axis], grid_.procs(axis), desc[rsrc_ + axis], 0};
  }
  Axis moved() const { return axis_of(call_.desca, axis()); }
  Index size() const { return call_.desca[m_ + axis()]; }

  // Checks the block and the source along an axis.
  void check_axis(const xredist_int* desc, int axis, const Argument& argument) const {
    check_entry(desc, mb_ + axis, 1, desc[mb_ + axis], argument);
    check_entry(desc, rsrc_ + axis, 0, grid_.procs(axis) - 1, argument);
  }

  // Checks that elements first to first + count - 1 of each line, from 1, are in the matrix.
  void check_elements(Index first, Index count) const {
    const int across = 1 - axis();
    const Index size = call_.desca[m_ + across];
    if (first < 1 || first - 1 + count > size)
      fail(call_, across == 0 ? arguments_.ia : arguments_.ja,
           ": the %s %lld to %lld are not in the matrix, which has %lld", across == 0 ? "rows" : "columns", wide(first),
           wide(first - 1 + count), wide(size));
    const Index rows = local_count(axis_of(call_.desca, 0), grid_.myrow, call_.desca[m_]);
    check_entry(call_.desca, lld_, std::max<Index>(1, rows), call_.desca[lld_], arguments_.desca);
  }

  // Checks that lines first to first + count - 1, from 1, are in the matrix.
  void check_lines(Index first, Index count, const Argument& argument) const {
    if (first < 1 || first - 1 + count > size())
      fail(call_, argument, ": the %s %lld to %lld are not in the matrix, which has %lld", name(), wide(first),
           wide(first - 1 + count), wide(size()));
  }

  // Returns a pivot from 0. `k` is the line, from 1, with which it is interchanged.
  Index pivot(Index value, Index k) const {
    if (value < 1 || value > size())
      fail(call_, arguments_.ipiv, ": the pivot of %s %lld is %lld, must be 1 to %lld", axis() == 0 ? "row" : "column",
           wide(k), wide(value), wide(size()));
    return value - 1;
  }

  // Returns this process's part of the elements first to first + count - 1, from 1, of all lines.
  LocalLines local(Index first, Index count) const {
    const int across = 1 - axis();
    const Axis elements = {call_.desca[mb_ + across], grid_.procs(across), call_.desca[rsrc_ + across], first - 1};
    const Interval held = local_range(elements, grid_.coordinate(across), count);
    const auto bytes = static_cast<Index>(call_.element_bytes);
    const Index row = bytes, col = bytes * call_.desca[lld_];
    const Index step = axis() == 0 ? col : row;
    return {call_.a + held.begin * step, axis() == 0 ? row : col, step, held.length(), call_.element_bytes};
  }

 private:
  static long long wide(Index value) { return value; }
  // Checks that an entry is `least` to `most`. An entry that has no maximum is its own `most`.
  void check_entry(const xredist_int* desc, int entry, Index least, Index most, const Argument& argument) const {
    const Index value = desc[entry];
    if (value < least)
      fail(call_, argument, ", entry %d (%s) is %lld, must be at least %lld", entry + 1, entry_names[entry],
           wide(value), wide(least));
    if (value > most)
      fail(call_, argument, ", entry %d (%s) is %lld, must be at most %lld", entry + 1, entry_names[entry], wide(value),
           wide(most));
  }
  const char* name() const { return axis() == 0 ? "rows" : "columns"; }
  Grid grid() const {
    const Grid grid = core::grid_of(call_.desca[ctxt_]);
    if (!grid.member())
      fail(call_, arguments_.desca, ", entry 2 (CTXT_) is %lld: this process is not in the grid",
           wide(call_.desca[ctxt_]));
    return grid;
  }

  const PivotCall& call_;
  CommonArguments arguments_;
  Grid grid_;
};

// Interchanges lines all of which this process has.
void interchange_here(const Interchanges& interchanges, const LocalLines& local) {
  std::vector<LineSwap> swaps;
  swaps.reserve(interchanges.pivots.size());
  Index line = interchanges.first;
  for (const Index pivot : interchanges.pivots) {
    if (pivot != line) swaps.push_back({line * local.line_step, pivot * local.line_step});
    ++line;
  }
  if (!interchanges.forward) std::ranges::reverse(swaps);
  swap_lines(swaps, local);
}

// Applies interchanges of lines first + k, from 0, part by part. pivots_of(interval of k) returns the pivots.
template <class PivotsOf>
void apply(const Lines& lines, const LocalLines& local, Index first, Index count, bool forward, GridLines& state,
           PivotsOf pivots_of) {
  LineProcesses& processes = state.along[as_size(lines.axis())];
  const Axis axis = lines.moved();
  for (Index done = 0; done < count; done += max_interchanges) {
    const Index next = std::min(count, done + max_interchanges);
    const Interval part = forward ? Interval{done, next} : Interval{count - next, count - done};
    const Interchanges interchanges{first + part.begin, pivots_of(part), forward};
    if (axis.procs == 1)
      interchange_here(interchanges, local);
    else
      move_lines(composed(interchanges), axis, local, processes, state.memory);
  }
}

// A vector of pivots that lies along the processes of a grid.
struct PivotVector {
  Axis axis;  // begins with the first entry that is used
  const xredist_int* local;
  Index begin = 0;  // local index of the first entry at `local`
};

MPI_Datatype integer_type() { return sizeof(xredist_int) == 8 ? MPI_INT64_T : MPI_INT32_T; }

// Sends the values of process 0 of comm to all others, in parts whose numbers are integers of MPI.
void broadcast(std::span<xredist_int> values, MPI_Comm comm) {
  constexpr std::size_t max_values = std::size_t{1} << 30;
  for (; !values.empty(); values = values.subspan(std::min(max_values, values.size())))
    MPI_Bcast(values.data(), static_cast<int>(std::min(max_values, values.size())), integer_type(), 0, comm);
}

// Gathers entries of the vector on all processes along it. Each of these has its own part.
void gather(const PivotVector& vector, const Interval& part, MPI_Comm comm, int here, std::vector<Index>& gathered) {
  Axis axis = vector.axis;
  axis.first += part.begin;
  const Index procs = axis.procs, count = part.length();
  std::vector<int> counts(as_size(procs)), begins(as_size(procs));
  for (Index p = 0, begin = 0; p < procs; begin += at(counts, p++)) {
    at(counts, p) = static_cast<int>(local_range(axis, p, count).length());
    at(begins, p) = static_cast<int>(begin);
  }
  std::vector<xredist_int> all(as_size(count));
  const MPI_Datatype type = integer_type();
  MPI_Allgatherv(vector.local + (local_range(axis, here, count).begin - vector.begin), at(counts, here), type,
                 all.data(), counts.data(), begins.data(), type, comm);
  gathered.resize(as_size(count));
  for (Index k = 0; k < count; ++k) at(gathered, k) = at(all, at(begins, owner(axis, k))++);
}

void laswp_or_throw(const PivotCall& call, const LaswpArguments& arguments) {
  const xredist_int n = arguments.n, k1 = arguments.k1, k2 = arguments.k2;
  if (n == 0 || k2 < k1) return;
  const Lines lines(call, of_laswp);
  if (n < 0) fail(call, {3, "N"}, " is %lld, must be at least 0", static_cast<long long>(n));
  const Index first = lines.axis() == 0 ? call.ja : call.ia, count = Index{k2} - k1 + 1;
  lines.check_elements(first, n);
  lines.check_lines(k1, count, {8, "K1"});
  const Grid& grid = lines.grid_of_call();
  const xredist_int* const pivots = arguments.ipiv + local_count(lines.moved(), grid.coordinate(lines.axis()), k1 - 1);
  const LocalLines local = lines.local(first, n);
  GridLines& state = grid_lines(call.desca[ctxt_], grid);
  if (local.elements == 0) return;
  apply(lines, local, k1 - 1, count, is(call.direc, 'F'), state, [&](const Interval& part) {
    state.pivots.resize(as_size(part.length()));
    for (Index k = 0; k < part.length(); ++k)
      at(state.pivots, k) = lines.pivot(pivots[part.begin + k], k1 + part.begin + k);
    return std::span<const Index>(state.pivots);
  });
}

void lapiv_or_throw(const PivotCall& call, const LapivArguments& arguments) {
  const auto& [pivroc, m, n, ipiv, ip, jp, descip] = arguments;
  const bool rows = is(call.rowcol, 'R');
  const Index count = rows ? m : n, elements = rows ? n : m;
  if (count <= 1 || elements < 1) return;
  const Lines lines(call, of_lapiv);
  const Index first = rows ? call.ia : call.ja;
  lines.check_elements(rows ? call.ja : call.ia, elements);
  lines.check_lines(first, count, rows ? of_lapiv.ia : of_lapiv.ja);
  const int along = is(pivroc, 'C') ? 0 : 1;
  lines.check_axis(descip, along, {13, "DESCIP"});
  const Index index = along == 0 ? ip : jp;
  if (index < 1)
    fail(call, along == 0 ? Argument{11, "IP"} : Argument{12, "JP"}, " is %lld, must be at least 1",
         static_cast<long long>(index));
  const Grid& grid = lines.grid_of_call();
  GridLines& state = grid_lines(call.desca[ctxt_], grid);
  PivotVector vector{lines.axis_of(descip, along), ipiv};
  vector.axis.first = index - 1;
  const LocalLines local = lines.local(rows ? call.ja : call.ia, elements);
  if (along == lines.axis() && local.elements == 0) return;
  std::vector<xredist_int> copied;
  if (along != lines.axis()) {  // process row or column 0 has the pivots
    const Interval held = local_range(vector.axis, grid.coordinate(along), count);
    copied.resize(as_size(held.length()));
    if (grid.coordinate(1 - along) == 0) std::copy_n(ipiv + held.begin, held.length(), copied.begin());
    broadcast(copied, state.along[as_size(1 - along)].comm());
    vector.local = copied.data(), vector.begin = held.begin;
  }
  apply(lines, local, first - 1, count, is(call.direc, 'F'), state, [&](const Interval& part) {
    gather(vector, part, state.along[as_size(along)].comm(), grid.coordinate(along), state.pivots);
    for (Index k = 0; k < part.length(); ++k)
      at(state.pivots, k) = lines.pivot(at(state.pivots, k) - index + first, first + part.begin + k);
    return std::span<const Index>(state.pivots);
  });
}

template <class Arguments>
void run(const PivotCall& call, const Arguments& arguments,
         void (*routine)(const PivotCall&, const Arguments&)) noexcept {
  try {
    routine(call, arguments);
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "xredist: %s: out of memory\n", call.routine);
    std::fflush(stderr);
    blacs().abort(call.desca[ctxt_], 1);
  }
}

}  // namespace

void laswp(const PivotCall& call, const LaswpArguments& arguments) noexcept { run(call, arguments, laswp_or_throw); }

void lapiv(const PivotCall& call, const LapivArguments& arguments) noexcept { run(call, arguments, lapiv_or_throw); }

}  // namespace xredist::core
