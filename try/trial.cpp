// SPDX-License-Identifier: BSD-3-Clause
#include "trial.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string_view>

#include "results.hpp"
#include "scalapack/blacs.hpp"

namespace xredist::trial {
namespace {

using core::Axis, core::Cost, core::Grid, core::Row, core::Shape;

enum Entry { dtype_, ctxt_, m_, n_, mb_, nb_, rsrc_, csrc_, lld_ };

Index bytes_of(char type) { return type == 'Z' ? 16 : type == 'C' || type == 'D' ? 8 : 4; }

// The elements of a submatrix that this process holds, as offsets into its array.
struct Part {
  Index row = 0, rows = 0, col = 0, cols = 0, ld = 0, bytes = 0;

  bool empty() const { return rows == 0 || cols == 0; }
  Index begin(Index j) const { return (row + (col + j) * ld) * bytes; }  // of column j
  Index end() const { return empty() ? 0 : begin(cols - 1) + rows * bytes; }
};

// Descriptors and submatrices that either routine would refuse, or that only PBLAS knows, are not tried.
bool valid(const Operand& x, Index m, Index n, const Grid& grid) {
  const int* const desc = x.desc;
  const auto in_grid = [](int source, int procs) { return source >= 0 && source < procs; };
  if (desc[dtype_] != 1 || desc[mb_] < 1 || desc[nb_] < 1 || !in_grid(desc[rsrc_], grid.nprow) ||
      !in_grid(desc[csrc_], grid.npcol))
    return false;
  const Axis rows(desc[mb_], grid.nprow, desc[rsrc_], 0);
  return x.i > 0 && x.j > 0 && x.i - 1 + m <= desc[m_] && x.j - 1 + n <= desc[n_] &&
         desc[lld_] >= std::max(local_count(rows, grid.myrow, desc[m_]), Index{1});
}

Part part_of(const Operand& x, Index m, Index n, Index bytes) {
  const Grid grid = core::grid_of(x.desc[ctxt_]);
  if (!grid.member()) return {};
  const Axis rows(x.desc[mb_], grid.nprow, x.desc[rsrc_], x.i - 1),
      cols(x.desc[nb_], grid.npcol, x.desc[csrc_], x.j - 1);
  const Index row = local_count(rows, grid.myrow, x.i - 1), col = local_count(cols, grid.mycol, x.j - 1);
  return {row,          local_count(rows, grid.myrow, x.i - 1 + m) - row,
          col,          local_count(cols, grid.mycol, x.j - 1 + n) - col,
          x.desc[lld_], bytes};
}

Index rows_of_a(const Call& call) { return call.transposed ? call.n : call.m; }
Index cols_of_a(const Call& call) { return call.transposed ? call.m : call.n; }

Part part_of_b(const Call& call) { return part_of(call.b, call.m, call.n, bytes_of(call.type)); }

// Results are compared only if `own` cannot change what xredist reads.
bool overlap(const Call& call) {
  const Part a = part_of(call.a, rows_of_a(call), cols_of_a(call), bytes_of(call.type)), b = part_of_b(call);
  if (a.empty() || b.empty()) return false;
  const auto *from = static_cast<const std::byte*>(call.a.data), *to = static_cast<const std::byte*>(call.b.data);
  return std::less()(from + a.begin(0), to + b.end()) && std::less()(to + b.begin(0), from + a.end());
}

// The values of which the processes of a call take the maximum. A process outside a grid has -1 for its matrix.
struct Agreement {
  Shape a{-1, -1, -1, -1}, b{-1, -1, -1, -1};
  Index passed_on = 0;
};
static_assert(sizeof(Agreement) == 9 * sizeof(Index));

Agreement agree(const Call& call, MPI_Comm comm) {
  Agreement agreed;
  const auto describe = [&](const Operand& operand, Index m, Index n, Shape& shape) {
    const Grid grid = core::grid_of(operand.desc[ctxt_]);
    if (!grid.member()) return;
    shape = {operand.desc[mb_], operand.desc[nb_], grid.nprow, grid.npcol};
    if (!valid(operand, m, n, grid)) agreed.passed_on = 1;
  };
  describe(call.a, rows_of_a(call), cols_of_a(call), agreed.a);
  describe(call.b, call.m, call.n, agreed.b);
  if (agreed.passed_on == 0 && !only_xredist() && overlap(call)) agreed.passed_on = 1;
  PMPI_Allreduce(MPI_IN_PLACE, &agreed, sizeof agreed / sizeof(Index), MPI_INT64_T, MPI_MAX, comm);
  if (agreed.a.nprow < 0 || agreed.b.nprow < 0) agreed.passed_on = 1;  // an invalid context
  return agreed;
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

// Times a routine, which all processes begin together. `with_memory`: also measures by how much it raises the peak of
// resident memory. Free memory of the heap goes back to the system first, or the routine that comes second would find
// pages of the first.
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
  if (call.beta == nullptr) return different_bits(part, x, y);
  const auto sums = [&](auto beta) {
    std::memcpy(&beta, call.beta, sizeof beta);
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
  auto* const b = static_cast<std::byte*>(const_cast<void*>(call.b.data));
  const Part part = part_of_b(call);
  const auto copy = copy_of(part, b), before = call.beta != nullptr ? copy_of(part, b) : nullptr;
  if (xredist_first != 0) row.xredist = measure(comm, with_memory, xredist, part.empty() ? b : copy.get());
  row.own = measure(comm, with_memory, own, b);
  if (xredist_first == 0) row.xredist = measure(comm, with_memory, xredist, part.empty() ? b : copy.get());
  row.different = differences(call, part, b, copy.get(), before.get());
}

}  // namespace

void attempt(const Call& call, const std::function<void(void*)>& own, const std::function<void(void*)>& xredist) {
  void* const b = const_cast<void*>(call.b.data);
  const bool member = call.whole_world || core::grid_of(call.ctxt).member();
  if (inside() || !member || call.m < 1 || call.n < 1 || own_is_xredist()) return own(b);
  inside() = true;
  const MPI_Comm comm = call.whole_world ? MPI_COMM_WORLD : core::communicator(call.ctxt);
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  const Agreement agreed = agree(call, comm);
  Row row{.key = core::case_of(call.routine, call.m, call.n, agreed.a, agreed.b)};
  if (agreed.passed_on != 0) {
    own(b);
    row.passed_on = rank == 0;
  } else {
    Results& found = results();
    std::unique_lock lock(found.mutex);
    const Row& earlier = found.rows[row.key];
    const Index calls_before = earlier.calls;
    const bool first = earlier.xredist.seconds == 0;
    lock.unlock();
    if (only_xredist())
      row.xredist = measure(comm, first, xredist, b);
    else
      compare(call, comm, first, calls_before, own, xredist, row);
    row.calls = rank == 0;
    row.bytes = row.calls * elements_of(call.region, call.m, call.n) * bytes_of(call.type);
  }
  const std::scoped_lock lock(results().mutex);
  results().rows.add(row);
  inside() = false;
}

// ScaLAPACK's own routine calls other names of this library: PDGEMR2D calls Cpdgemr2d.
bool& inside() {
  thread_local bool is_inside = false;
  return is_inside;
}

void* next(const char* name) {
  void* const own = dlsym(RTLD_NEXT, name);
  if (own == nullptr) {
    std::fprintf(stderr, "xredist-try: the program calls %s, but none of its libraries has this routine\n", name);
    std::abort();
  }
  Dl_info info;
  Results& found = results();
  const std::scoped_lock lock(found.mutex);
  if (found.own_library.empty() && dladdr(own, &info) != 0) found.own_library = info.dli_fname;
  return own;
}

}  // namespace xredist::trial
