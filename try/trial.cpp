// SPDX-License-Identifier: BSD-3-Clause
#include "trial.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "layout/overlap.hpp"
#include "results.hpp"
#include "scalapack/blacs.hpp"
#include "scalapack/loaded.hpp"
#include "scalapack/pblas_checks.hpp"
#include "scalapack/values.hpp"

namespace xredist::trial {
namespace {

using core::Axis, core::Cost, core::Grid, core::MatrixMove, core::MatrixValues, core::Row, core::Shape, core::unknown;
using core::ctxt_, core::lld_;

// The elements of a submatrix that this process holds, as offsets into its array.
struct Part {
  Index row = 0, rows = 0, col = 0, cols = 0, ld = 0, bytes = 0;

  bool empty() const { return rows == 0 || cols == 0; }
  Index begin(Index j) const { return (row + (col + j) * ld) * bytes; }  // of column j
  Index end() const { return empty() ? 0 : begin(cols - 1) + rows * bytes; }
};

// A matrix of a call, and the size of its submatrix.
struct Matrix {
  const core::MatrixArguments& arguments;
  core::SubmatrixSize size;
  Grid grid;

  // Returns an axis on a member of the grid.
  Axis axis(int k) const { return arguments.axis(k, grid.procs(k)); }
  // Returns the local indices of the submatrix along an axis on this process, a member of the grid.
  core::Interval held(int k) const { return local_range(axis(k), grid.coordinate(k), at(size, k).value); }
};

Matrix matrix_of(const Call& call, core::Which which) {
  const core::MatrixArguments& x = call.move.matrices[which == core::Which::a ? 0 : 1];
  return {x, call.move.size(which), core::grid_of(x.desc[ctxt_])};
}
Matrix a_of(const Call& call) { return matrix_of(call, core::Which::a); }
Matrix b_of(const Call& call) { return matrix_of(call, core::Which::b); }

Part part_of(const Matrix& x, Index bytes) {
  if (!x.grid.member()) return {};
  const core::Interval rows = x.held(0), cols = x.held(1);
  return {rows.begin, rows.length(), cols.begin, cols.length(), x.arguments.desc[lld_], bytes};
}

Part part_of_b(const Call& call) { return part_of(b_of(call), call.move.bytes); }

// Results are compared only if `own` cannot change what xredist reads.
bool overlap(const Call& call) {
  const Part a = part_of(a_of(call), call.move.bytes), b = part_of_b(call);
  if (a.empty() || b.empty()) return false;
  const auto *from = static_cast<const std::byte*>(call.move.a), *to = static_cast<const std::byte*>(call.move.b);
  return std::less()(from + a.begin(0), to + b.end()) && std::less()(to + b.begin(0), from + a.end());
}

// The reasons for which xredist does not carry out a call. The largest one of all processes counts. An argument that is
// invalid on rank r of n processes: invalid + n - 1 - r, so the lowest of these ranks counts.
enum Reason : Index { none, overlapping, of_pblas, differing, without_grid, invalid };

constexpr const char* sentences[] = {
    "", "A and B overlap in memory", "PBLAS alone supports its descriptors (first block of another size, or source -1)",
    "an argument differs between processes", "no process of the context is in the grid of A or B"};

// The arguments that all processes pass alike, as far as they know them.
struct Values {
  Index m, n, kind, shift;
  MatrixValues a, b;
};
using Words = std::array<Index, sizeof(Values) / sizeof(Index)>;

MatrixValues values_of(const Matrix& x) {
  if (!x.grid.member()) return {};
  MatrixValues values;
  for (int k = 0; k < 2; ++k) {
    const Axis axis = x.axis(k);
    at(values.axes, k) = {.procs = axis.procs, .block = axis.block(), .source = axis.source(), .first = axis.first + 1};
  }
  return values;
}

// The values of all processes, and the reason to leave the call out.
struct Agreement {
  std::string why;  // on rank 0; empty if the call is tried
  bool tried;
  Values values;
};

// Returns the error in the arguments of this process, which the drop-in would find.
core::MaybeError error_in(const Call& call) {
  if (call.pblas != nullptr) return pblas_error(call.routine, *call.pblas, call.move);
  return arguments_error(call.routine, call.move, a_of(call).grid, b_of(call).grid);
}

Agreement agree(const Call& call, MPI_Comm comm, int rank) {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  char sentence[256] = "";
  Index reason = none;
  if (!call.known) {
    reason = of_pblas;
  } else if (const core::MaybeError error = error_in(call)) {
    sentence_of(call.routine, *error).view().copy(sentence, sizeof sentence - 1);
    reason = invalid + size - 1 - rank;
  } else if (!only_xredist() && overlap(call)) {
    reason = overlapping;
  }
  const core::Region& region = call.move.region;
  const auto mine = std::bit_cast<Words>(Values{call.move.m, call.move.n, static_cast<Index>(region.kind), region.shift,
                                                values_of(a_of(call)), values_of(b_of(call))});
  struct {
    Index reason;
    Words max, negated;
  } all{reason, mine, mine};
  for (Index& value : all.negated)
    if (value != unknown) value = -value;
  PMPI_Allreduce(MPI_IN_PLACE, &all, sizeof all / sizeof(Index), MPI_INT64_T, MPI_MAX, comm);
  const auto values = std::bit_cast<Values>(all.max);
  reason = all.reason;
  if (reason >= invalid)
    PMPI_Bcast(sentence, sizeof sentence, MPI_CHAR, static_cast<int>(size - 1 - (reason - invalid)), comm);
  else if (!values.a.known() || !values.b.known())
    reason = without_grid;
  else if (!std::ranges::equal(all.max, all.negated, [](Index x, Index y) { return x == unknown || x == -y; }))
    reason = differing;
  return {reason >= invalid ? sentence : sentences[reason], reason == none, values};
}

// Returns the blocks that the library uses: an axis on one process is one block, as in the table of XREDIST_REPORT.
Shape shape_of(const MatrixValues& v, Index m, Index n) {
  if (!v.known()) return {};
  const auto block = [](const core::AxisValues& of, Index size) {
    return core::in_one_block({of.block, of.procs, of.source, of.first - 1}, size).block();
  };
  const auto& [rows, cols] = v.axes;
  return {block(rows, m), block(cols, n), rows.procs, cols.procs};
}

core::Case case_of(const Call& call, const Values& values) {
  const auto [rows, cols] = call.move.size(core::Which::a);
  return core::case_of(call.routine.name, call.move.m, call.move.n, shape_of(values.a, rows.value, cols.value),
                       shape_of(values.b, call.move.m, call.move.n));
}

// Returns a line of /proc/self/status in bytes, or -1.
Index status_bytes(std::string_view name) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/self/status", "r"), std::fclose);
  char line[256];
  while (file && std::fgets(line, sizeof line, file.get()) != nullptr)
    if (std::string_view(line).starts_with(name)) return std::atoll(line + name.size()) * 1024;
  return -1;
}

// Makes the peak of resident memory (VmHWM) the current value. Returns whether Linux does so.
bool reset_peak() {
  const int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool done = write(file, "5", 1) == 1;
  close(file);
  return done;
}

// Returns an array with the part of B, at the same offsets; elements elsewhere are undefined.
std::unique_ptr<std::byte[]> copy_of(const Part& part, const std::byte* from) {
  auto copy = std::make_unique_for_overwrite<std::byte[]>(core::as_size(std::max(part.end(), Index{1})));
  if (!part.empty())
    for (Index j = 0; j < part.cols; ++j)
      std::memcpy(copy.get() + part.begin(j), from + part.begin(j), core::as_size(part.rows * part.bytes));
  return copy;
}

template <class T>
Index different_sums(const Part& part, const std::byte* x, const std::byte* y, const std::byte* c, T beta) {
  using Real = decltype(std::abs(T()));
  // Each of at most three products and sums is rounded; those of complex numbers have four terms.
  constexpr Real unit = 8 * std::numeric_limits<Real>::epsilon();
  Index different = 0;
  for (Index j = 0; j < part.cols; ++j)
    for (Index i = 0; i < part.rows; ++i) {
      const Index at = part.begin(j) + i * part.bytes;
      T of_x, of_y, of_c{};
      std::memcpy(&of_x, x + at, sizeof of_x), std::memcpy(&of_y, y + at, sizeof of_y);
      if (std::memcmp(x + at, y + at, sizeof of_x) == 0) continue;
      if (beta != T()) std::memcpy(&of_c, c + at, sizeof of_c);
      const Real size = std::abs(of_x) + 2 * std::abs(beta * of_c);
      if (std::isfinite(size) && std::isfinite(std::abs(of_y)))
        different += !(std::abs(of_x - of_y) <= unit * size);
      else
        different += std::isfinite(std::abs(of_x)) || std::isfinite(std::abs(of_y));
    }
  return different;
}

Index different_bits(const Part& part, const std::byte* x, const std::byte* y) {
  Index different = 0;
  for (Index j = 0; j < part.cols; ++j) {
    if (std::memcmp(x + part.begin(j), y + part.begin(j), core::as_size(part.rows * part.bytes)) == 0) continue;
    for (Index at = part.begin(j); at < part.begin(j) + part.rows * part.bytes; at += part.bytes)
      different += std::memcmp(x + at, y + at, core::as_size(part.bytes)) != 0;
  }
  return different;
}

// Returns the number of elements that differ between x and y. `c`: B before the call.
Index differences(const Call& call, const Part& part, const std::byte* x, const std::byte* y, const std::byte* c) {
  if (part.empty()) return 0;
  if (call.pblas == nullptr) return different_bits(part, x, y);
  const auto sums = [&](auto beta) {
    std::memcpy(&beta, call.pblas->beta, sizeof beta);
    return different_sums(part, x, y, c, beta);
  };
  if (call.type == 'S') return sums(float());
  if (call.type == 'D') return sums(double());
  return call.type == 'C' ? sums(std::complex<float>()) : sums(std::complex<double>());
}

// Carries out both routines, in an order that alternates from call to call of a case.
void compare(const Call& call, MPI_Comm comm, bool with_memory, Index calls_before,
             const std::function<void(void*)>& own, const std::function<void(void*)>& xredist, Row& row) {
  int xredist_first = static_cast<int>(calls_before % 2);  // as the first process has counted
  PMPI_Bcast(&xredist_first, 1, MPI_INT, 0, comm);
  auto* const b = static_cast<std::byte*>(call.move.b);
  const Part part = part_of_b(call);
  const auto copy = copy_of(part, b), before = call.pblas != nullptr ? copy_of(part, b) : nullptr;
  if (xredist_first != 0) row.xredist = measure(comm, with_memory, xredist, part.empty() ? b : copy.get());
  row.own = measure(comm, with_memory, own, b);
  if (xredist_first == 0) row.xredist = measure(comm, with_memory, xredist, part.empty() ? b : copy.get());
  row.different = differences(call, part, b, copy.get(), before.get());
}

// Counts a call that the program's own routine carries out alone.
void leave_out(const core::Case& key, const std::string& why) {
  Results& found = results();
  const std::scoped_lock lock(found.mutex);
  Row row{.key = key};
  row.passed_on = 1;
  found.rows.add(row);
  found.left_out.count(key.routine, why);
}

// Carries out a call with both routines, and adds it to its row.
void try_both(const Call& call, Row row, MPI_Comm comm, bool first_process, const std::function<void(void*)>& own,
              const std::function<void(void*)>& xredist) {
  Results& found = results();
  std::unique_lock lock(found.mutex);
  const Row& earlier = found.rows[row.key];
  const Index calls_before = earlier.calls;
  const bool first = earlier.xredist.seconds == 0;
  lock.unlock();
  const double begin = run_seconds();
  if (only_xredist())
    row.xredist = measure(comm, first, xredist, call.move.b);
  else
    compare(call, comm, first, calls_before, own, xredist, row);
  row.calls = first_process;
  row.bytes = row.calls * elements_of(call.move.region, call.move.m, call.move.n) * call.move.bytes;
  double seconds[] = {row.own.seconds, row.xredist.seconds}, slowest[2];
  PMPI_Reduce(seconds, slowest, 2, MPI_DOUBLE, MPI_MAX, 0, comm);
  lock.lock();
  found.tuned.follow();
  found.rows.add(row);
  if (first_process) found.slowest.add({row.key, calls_before + 1, begin, slowest[0], slowest[1]});
}

}  // namespace

// Free memory of the heap goes back to the system first, or the routine that comes second would find pages of the
// first.
Cost measure(MPI_Comm comm, bool with_memory, const std::function<void(void*)>& routine, void* b) {
  Cost cost;
  Index before = -1;
  if (with_memory && malloc_trim(0) >= 0 && reset_peak()) before = status_bytes("VmRSS:");
  PMPI_Barrier(comm);
  const double start = PMPI_Wtime();
  routine(b);
  cost.seconds = PMPI_Wtime() - start;
  if (before >= 0) cost.memory = std::max(status_bytes("VmHWM:") - before, Index{0});
  return cost;
}

void attempt(const Call& call, const std::function<void(void*)>& own, const std::function<void(void*)>& xredist) {
  void* const b = call.move.b;
  if (inside() || own_is_xredist() || (call.ctxt && !core::grid_of(*call.ctxt).member())) return own(b);
  const MPI_Comm comm = call.ctxt ? core::communicator(*call.ctxt) : MPI_COMM_WORLD;
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  inside() = true;
  // Without elements the routines return without communication, so no process may wait for another one here.
  const bool empty = call.move.m == 0 || call.move.n == 0;
  const Agreement agreed = empty ? Agreement{"M or N is 0", false, {}} : agree(call, comm, rank);
  const core::Case key =
      empty ? core::case_of(call.routine.name, call.move.m, call.move.n, {}, {}) : case_of(call, agreed.values);
  if (agreed.tried) {
    try_both(call, {.key = key}, comm, rank == 0, own, xredist);
  } else {
    if (rank == 0) leave_out(key, agreed.why);  // first: `own` may end the program
    own(b);
  }
  inside() = false;
}

// ScaLAPACK's own routine calls other names of this library: PDGEMR2D calls Cpdgemr2d.
bool& inside() {
  thread_local bool is_inside = false;
  return is_inside;
}

void* next(const char* name) {
  void* const own = core::next_definition(name);
  if (own != nullptr) return own;
  std::fprintf(stderr, "xredist-try: the program calls %s, but none of its libraries has this routine\n", name);
  std::abort();
}

void* next_that_moves(const char* name) {
  void* const own = next(name);
  Dl_info info;
  Results& found = results();
  const std::scoped_lock lock(found.mutex);
  if (found.own_library.empty() && dladdr(own, &info) != 0) found.own_library = info.dli_fname;
  return own;
}

}  // namespace xredist::trial
