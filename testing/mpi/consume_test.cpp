// SPDX-License-Identifier: BSD-3-Clause
// Executions that consume A: B is right, the memory of A goes back, and the neighbours of A in its pages stay.
#include <gtest/gtest.h>
#include <mpi.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "move.hpp"
#include "plans.hpp"
#include "random.hpp"
#include "ranks.hpp"
#include "xredist/array.h"

namespace xredist::testing {
namespace {

using Index = std::int64_t;

std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }
std::size_t size_of(Index count) { return static_cast<std::size_t>(count); }

// Memory of xredist_alloc, with guard bytes.
class Memory {
 public:
  static constexpr std::byte guard{0xA5};

  explicit Memory(std::size_t bytes, bool guarded = true) : bytes_(bytes) {
    memory_.reset(static_cast<std::byte*>(xredist_alloc(bytes)));
    if (guarded) std::memset(memory_.get(), static_cast<int>(guard), bytes);
  }
  std::byte* data() const { return memory_.get(); }
  std::size_t size() const { return bytes_; }

 private:
  struct Free {
    void operator()(std::byte* memory) const { xredist_free(memory); }
  };
  std::size_t bytes_;
  std::unique_ptr<std::byte, Free> memory_;
};

// Returns the number of pages in memory among the whole pages of [begin, end).
Index resident_pages(const std::byte* begin, const std::byte* end) {
  const std::size_t page = page_bytes();
  const auto first = (reinterpret_cast<std::uintptr_t>(begin) + page - 1) / page * page;
  const auto last = reinterpret_cast<std::uintptr_t>(end) / page * page;
  if (first >= last) return 0;
  std::vector<unsigned char> present((last - first) / page);
  const std::byte* const from = begin + (first - reinterpret_cast<std::uintptr_t>(begin));
  EXPECT_EQ(mincore(const_cast<std::byte*>(from), last - first, present.data()), 0);
  return std::ranges::count_if(present, [](unsigned char x) { return (x & 1) != 0; });
}

// One side of a matrix: its layout, where the submatrix begins (from 0), and the local array.
struct Side {
  xredist_layout layout{};
  std::vector<int> ranks{};
  Index m, n, row, col;                       // of the matrix; the first row and column of the submatrix
  std::size_t before, spare;                  // bytes before the array in its memory; rows between columns
  std::vector<Index> row_list{}, col_list{};  // of the submatrix, from 1; empty: neighbours

  std::vector<Index> rows{}, cols{};  // indices in the matrix, from 0
  Index ld() const { return std::max<Index>(std::ssize(rows) + static_cast<Index>(spare), 1); }

  void find() {
    layout.ranks = ranks.data();
    Index r = 0, c = 0;
    ASSERT_EQ(xredist_local_size(&layout, m, n, rank(), &r, &c), 0);
    rows.resize(size_of(r)), cols.resize(size_of(c));
    if (r == 0 || c == 0) return;
    ASSERT_EQ(xredist_local_to_global(&layout, m, n, rank(), rows.data(), cols.data()), 0);
    for (auto* list : {&rows, &cols})
      for (Index& index : *list) --index;
  }
  std::size_t bytes(std::size_t element) const { return before + size_of(ld()) * cols.size() * element + page_bytes(); }
  // Return the row and the column of the matrix at a position of the submatrix.
  Index row_at(Index i) const { return row_list.empty() ? row + i : row_list[size_of(i)] - 1; }
  Index col_at(Index j) const { return col_list.empty() ? col + j : col_list[size_of(j)] - 1; }
  // Calls visit(element, i, j) for the elements of the submatrix, which is height x width; i and j count in it.
  template <class Visit>
  void each(std::byte* memory, std::size_t element, Index height, Index width, Visit visit) const {
    std::vector<Index> row_positions(size_of(m), -1), col_positions(size_of(n), -1);
    for (Index i = 0; i < height; ++i) row_positions[size_of(row_at(i))] = i;
    for (Index j = 0; j < width; ++j) col_positions[size_of(col_at(j))] = j;
    for (std::size_t c = 0; c < cols.size(); ++c)
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const Index i = row_positions[size_of(rows[r])], j = col_positions[size_of(cols[c])];
        if (i >= 0 && j >= 0) visit(memory + before + (c * size_of(ld()) + r) * element, i, j);
      }
  }
};

// Writes an element, whose bytes follow from its indices.
void put(std::byte* to, std::size_t bytes, Index i, Index j) {
  for (std::size_t k = 0; k < bytes; ++k) to[k] = static_cast<std::byte>((i * 7919 + j * 104729 + Index(k)) % 251);
}
bool is(const std::byte* x, std::size_t bytes, Index i, Index j) {
  std::byte expected[64];
  put(expected, bytes, i, j);
  return std::memcmp(x, expected, bytes) == 0;
}

struct Case {
  Index m, n;  // of the submatrix of B
  std::size_t element;
  bool transposed;
  Side a, b;
};

// Returns a side of a matrix of about 2 MB, on any grid, at any offset in a page.
Side random_side(Random& random, Index m, Index n) {
  Side side;
  const GridShape grid = random_grid(random, size());
  side.ranks = grid.ranks;
  side.row = random.one_in(2) ? 0 : random.in(1, 40);
  side.col = random.one_in(2) ? 0 : random.in(1, 40);
  side.m = m + side.row + random.in(0, 9), side.n = n + side.col + random.in(0, 9);
  const auto block = [&](Index length) {
    return random.one_in(3) ? (length + 3) / 4 : random.one_in(2) ? random.in(1, 4) : random.in(5, 130);
  };
  side.layout = {.nprow = grid.nprow, .npcol = grid.npcol, .mb = block(m), .nb = block(n)};
  side.layout.rsrc = random.in(0, grid.nprow - 1), side.layout.csrc = random.in(0, grid.npcol - 1);
  side.before = size_of(random.below(5000)), side.spare = random.one_in(2) ? 0 : size_of(random.in(1, 700));
  return side;
}

// Has a side's submatrix the rows and columns of lists: with a few exchanged, or any; of A also some several times.
void list(Random& random, Side& side, Index height, Index width, bool repeats) {
  const auto listed = [&](Index length, Index count) {
    std::vector<Index> all(size_of(length));
    std::iota(all.begin(), all.end(), 1);
    if (random.one_in(2))
      random.shuffle(all);
    else
      std::swap(all.front(), all[size_of(count / 2)]);
    all.resize(size_of(count));
    if (repeats) all[size_of(count / 3)] = all[0];
    return all;
  };
  side.row = side.col = 0;
  if (random.one_in(2)) side.row_list = listed(side.m, height);
  if (side.row_list.empty() || random.one_in(2)) side.col_list = listed(side.n, width);
}

Case random_case(Random& random) {
  Case x;
  x.element = std::vector<std::size_t>{1, 4, 8, 8, 16, 24}[size_of(random.below(6))];
  const Index elements = Index{2'000'000} / static_cast<Index>(x.element);
  x.m = random.in(300, 3000), x.n = elements / x.m;
  if (random.one_in(4)) x.n = random.in(1, 9), x.m = elements / x.n;  // few columns are cut
  if (random.one_in(4)) std::swap(x.m, x.n);
  x.transposed = random.one_in(3);
  x.a = random_side(random, x.transposed ? x.n : x.m, x.transposed ? x.m : x.n);
  x.b = random_side(random, x.m, x.n);
  return x;
}

// Executes a case with consume. Returns what is wrong on this process.
std::string wrong_with(Case x) {
  x.a.find(), x.b.find();
  const Index height = x.transposed ? x.n : x.m, width = x.transposed ? x.m : x.n;
  const Memory a(x.a.bytes(x.element)), b(x.b.bytes(x.element));
  x.a.each(a.data(), x.element, height, width,
           [&](std::byte* e, Index i, Index j) { put(e, x.element, x.a.row_at(i), x.a.col_at(j)); });
  xredist_plan* plan = nullptr;
  const xredist_operation operation{.m = x.m,
                                    .n = x.n,
                                    .ia = x.a.row + 1,
                                    .ja = x.a.col + 1,
                                    .ib = x.b.row + 1,
                                    .jb = x.b.col + 1,
                                    .trans = x.transposed ? 'T' : 'N',
                                    .bytes = static_cast<Index>(x.element),
                                    .options = "packet=64K",  // packets as many as 8 MB have by default
                                    .rows_a = x.a.row_list.empty() ? nullptr : x.a.row_list.data(),
                                    .cols_a = x.a.col_list.empty() ? nullptr : x.a.col_list.data(),
                                    .rows_b = x.b.row_list.empty() ? nullptr : x.b.row_list.data(),
                                    .cols_b = x.b.col_list.empty() ? nullptr : x.b.col_list.data()};
  if (const std::string error = outcome(create_plan(MPI_COMM_WORLD, x.a.layout, x.b.layout, operation, &plan));
      !error.empty())
    return error;
  const xredist_job job{.plan = plan,
                        .a = a.data() + x.a.before,
                        .lda = x.a.ld(),
                        .b = b.data() + x.b.before,
                        .ldb = x.b.ld(),
                        .consume = 1};
  const std::string error = outcome(xredist_execute(&job));
  xredist_plan_destroy(plan);
  if (!error.empty()) return error;
  std::string wrong;
  x.b.each(b.data(), x.element, x.m, x.n, [&](std::byte* e, Index i, Index j) {
    if (x.transposed) std::swap(i, j);
    if (!is(e, x.element, x.a.row_at(i), x.a.col_at(j))) wrong = "an element of B";
    std::memset(e, static_cast<int>(Memory::guard), x.element);
  });
  x.a.each(a.data(), x.element, height, width,
           [&](std::byte* e, Index, Index) { std::memset(e, static_cast<int>(Memory::guard), x.element); });
  for (const Memory* memory : {&a, &b})
    if (std::any_of(memory->data(), memory->data() + memory->size(), [](std::byte y) { return y != Memory::guard; }))
      wrong += memory == &a ? " a neighbour of A" : " a neighbour of B";
  return wrong;
}

TEST(Consume, RandomMatrices) {
  Random random(20'261'125);
  for (int k = 0; k < 32; ++k) EXPECT_EQ(wrong_with(random_case(random)), "") << "case " << k << " process " << rank();
}

// Elements that no list names stay, also between elements that leave.
TEST(Consume, RandomLists) {
  Random random(20'261'128);
  for (int k = 0; k < 24; ++k) {
    Case x = random_case(random);
    const Index height = x.transposed ? x.n : x.m, width = x.transposed ? x.m : x.n;
    if (!random.one_in(3)) list(random, x.a, height, width, random.one_in(4));
    if (!random.one_in(3)) list(random, x.b, x.m, x.n, false);
    EXPECT_EQ(wrong_with(x), "") << "case " << k << " process " << rank();
  }
}

// The first and the last page of A have neighbours, wherever A begins in its page.
TEST(Consume, KeepsNeighboursAtAllOffsets) {
  for (std::size_t offset = 0; offset < page_bytes(); offset += 136) {
    Case x{.m = 512, .n = 340 * size(), .element = 8, .transposed = false, .a = {}, .b = {}};
    x.a = {.layout = {.nprow = 1, .npcol = size(), .mb = 64, .nb = 16},
           .m = x.m,
           .n = x.n,
           .row = 0,
           .col = 0,
           .before = offset + 8 * size_of(rank()),
           .spare = 0};
    x.b = {.layout = {.nprow = size(), .npcol = 1, .mb = 32, .nb = 32},
           .m = x.m,
           .n = x.n,
           .row = 0,
           .col = 0,
           .before = 0,
           .spare = 0};
    for (Side* side : {&x.a, &x.b})
      side->ranks.resize(size_of(size())), std::iota(side->ranks.begin(), side->ranks.end(), 0);
    ASSERT_EQ(wrong_with(x), "") << "offset " << offset << " process " << rank();
  }
}

// ---- memory

// A process's memory in bytes, by the name of a line of /proc/self/status.
Index status_bytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name + ":")) return 1024 * std::stoll(line.substr(name.size() + 1));
  return 0;
}

// Samples the resident memory of all processes, which are on one node, from a thread of process 0.
class Sampler {
 public:
  Sampler() {
    const Index mine = getpid();
    std::vector<Index> all(size_of(size()));
    MPI_Allgather(&mine, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, MPI_COMM_WORLD);
    for (const Index pid : all) files_.push_back("/proc/" + std::to_string(pid) + "/statm");
    before_ = resident();
    if (rank() == 0) thread_ = std::thread([this] { run(); });
  }
  // Returns the maximum of the sum, in bytes above the sum at the beginning; 0 on other processes.
  Index stop() {
    stopped_ = true;
    if (thread_.joinable()) thread_.join();
    return most_ > 0 ? most_ - before_ : 0;
  }
  ~Sampler() { stop(); }

 private:
  Index resident() const {
    Index pages = 0, whole = 0, here = 0;
    for (const std::string& file : files_)
      if (std::ifstream(file) >> whole >> here) pages += here;
    return pages * static_cast<Index>(page_bytes());
  }
  void run() {
    for (; !stopped_; std::this_thread::sleep_for(std::chrono::milliseconds(1))) most_ = std::max(most_, resident());
  }

  std::vector<std::string> files_{};
  Index before_ = 0, most_ = 0;
  std::atomic<bool> stopped_ = false;
  std::thread thread_{};
};

// The peak of a move, in matrices.
struct Peak {
  double of_each;  // the sum of the peaks of all processes
  double at_once;  // the maximum of the sum, as sampled; on process 0
};

// The arrays for which the program asks for transparent huge pages, as numpy.empty does. Other arrays have them on
// systems where they are the default.
struct InHugePages {
  bool a = false, b = false;
};

void ask_for_huge_pages([[maybe_unused]] const Memory& memory) {
#ifdef MADV_HUGEPAGE
  const std::size_t into = reinterpret_cast<std::uintptr_t>(memory.data()) % page_bytes();
  ASSERT_EQ(into, 0);
  madvise(memory.data(), memory.size(), MADV_HUGEPAGE);  // fails where the system has none
#endif
}

// Measures an execution of a plan for local arrays of doubles. The buffers are not counted if an execution before has
// allocated them.
Peak measured(const xredist_plan* plan, Index elements_a, Index elements_b, std::int64_t consume, InHugePages huge) {
  const Index whole = total(elements_a * Index{sizeof(double)});
  Sampler sampler;
  const Index before = status_bytes("VmRSS");
  const Memory a(size_of(elements_a) * sizeof(double) + 1, false), b(size_of(elements_b) * sizeof(double) + 1, false);
  if (huge.a) ask_for_huge_pages(a);
  if (huge.b) ask_for_huge_pages(b);
  auto* const x = reinterpret_cast<double*>(a.data());
  for (Index k = 0; k < elements_a; ++k) x[k] = 1.0 + static_cast<double>(k % 1000);
  MPI_Barrier(MPI_COMM_WORLD);
  std::ofstream("/proc/self/clear_refs") << 5;  // sets the high-water mark back
  const xredist_job job{.plan = plan, .a = a.data(), .b = b.data(), .consume = consume};
  EXPECT_EQ(outcome(xredist_execute(&job)), "");
  const Index peak = status_bytes("VmHWM") - before;
  if (consume == 1) {
    xredist_plan_info info{};
    EXPECT_EQ(xredist_plan_query(plan, &info), 0);
    const Index neighbours = Index{huge.a ? 3 : 1} << 20;  // a huge page of A may have the begin of B
    EXPECT_LE(peak, info.peak_bytes + info.peak_bytes / 20 + info.buffer_bytes + neighbours);
    EXPECT_GE(peak, info.peak_bytes * 8 / 10);
    const Index pages = elements_a * Index{sizeof(double)} / static_cast<Index>(page_bytes());
    EXPECT_LE(resident_pages(a.data(), a.data() + size_of(elements_a) * sizeof(double)), pages / 100 + 2);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const auto in_matrices = [&](Index bytes) { return static_cast<double>(bytes) / static_cast<double>(whole); };
  return {in_matrices(total(peak)), in_matrices(sampler.stop())};
}

Peak measured(const xredist_layout& from, const xredist_layout& to, Index m, Index n, std::int64_t consume,
              bool transposed = false, InHugePages huge = {}) {
  Index rows_a = 0, cols_a = 0, rows_b = 0, cols_b = 0;
  EXPECT_EQ(xredist_local_size(&from, transposed ? n : m, transposed ? m : n, rank(), &rows_a, &cols_a), 0);
  EXPECT_EQ(xredist_local_size(&to, m, n, rank(), &rows_b, &cols_b), 0);
  xredist_plan* plan = nullptr;
  const xredist_operation operation{.m = m, .n = n, .type = 'D', .trans = transposed ? 'T' : 'N'};
  EXPECT_EQ(outcome(create_plan(MPI_COMM_WORLD, from, to, operation, &plan)), "");
  const Peak peak = measured(plan, rows_a * cols_a, rows_b * cols_b, consume, huge);
  xredist_plan_destroy(plan);
  return peak;
}

Peak measured(const char* from, const std::array<int, 3>& grid_from, const char* to, const std::array<int, 3>& grid_to,
              const std::array<Index, 3>& shape, InHugePages huge = {}) {
  std::array<xredist_axis, 3> axes_a{}, axes_b{};
  EXPECT_EQ(xredist_axes(from, 3, grid_from.data(), axes_a.data()), 0);
  EXPECT_EQ(xredist_axes(to, 3, grid_to.data(), axes_b.data()), 0);
  const xredist_array_layout a{.dims = 3, .axes = axes_a.data()}, b{.dims = 3, .axes = axes_b.data()};
  const auto elements = [&](const xredist_array_layout& layout) {
    std::array<Index, 3> local{};
    EXPECT_EQ(xredist_array_local_shape(&layout, shape.data(), rank(), local.data()), 0);
    return local[0] * local[1] * local[2];
  };
  const xredist_array_operation operation{.shape = shape.data(), .type = 'D'};
  xredist_plan* plan = nullptr;
  EXPECT_EQ(outcome(xredist_array_plan_create(MPI_COMM_WORLD, &a, &b, &operation, &plan)), "");
  const Peak peak = measured(plan, elements(a), elements(b), 1, huge);
  xredist_plan_destroy(plan);
  return peak;
}

struct Shape {
  int nprow, npcol;
};
Shape square() {
  int side = 1;
  for (int k = 1; k * k <= size(); ++k)
    if (size() % k == 0) side = k;
  return {side, size() / side};
}

// 32 MB for each of 4 processes; less where the way that the messages take is set. XREDIST_TEST_PEAKS=1 prints the
// peaks.
TEST(Consume, PeakIsOneMatrix) {
#ifdef XREDIST_SANITIZED
  GTEST_SKIP() << "the sanitizer has memory of its own";
#endif
  const auto [p, q] = square();
  const bool fast = std::getenv("XREDIST_ROUTE") == nullptr && std::getenv("XREDIST_PERMITS") == nullptr && size() == 4;
  const Index n = 4096, m = (fast ? 1024 : 512) * size();
  const xredist_layout blocks{.nprow = p, .npcol = q, .mb = 64, .nb = 64};
  const xredist_layout other_blocks{.nprow = p, .npcol = q, .mb = 96, .nb = 32};
  const xredist_layout row{.nprow = 1, .npcol = size(), .mb = 64, .nb = 64};
  const xredist_layout slabs{.nprow = size(), .npcol = 1, .mb = m / size(), .nb = 64};
  const xredist_layout columns{.nprow = 1, .npcol = size(), .mb = 64, .nb = n / size() + 1};
  const xredist_layout one{.nprow = 1, .npcol = 1, .mb = 64, .nb = 64};
  const auto show = [](const char* name, const Peak& peak) {
    if (rank() == 0 && std::getenv("XREDIST_TEST_PEAKS") != nullptr)
      std::printf("%-20s %.3f matrices, %.3f at once\n", name, peak.of_each, peak.at_once);
  };
  const auto expect = [&](const char* name, const Peak& peak, double limit, bool each = true) {
    show(name, peak);
    if (!fast) limit += 0.2;  // for buffers that no execution before has touched
    if (each) {
      EXPECT_LT(peak.of_each, limit) << name;
    }
    EXPECT_LT(peak.at_once, limit) << name;
  };
  measured(blocks, other_blocks, m, n, 0);
  const Peak without = measured(blocks, other_blocks, m, n, 0);
  show("without consume", without);
  EXPECT_GT(without.of_each, 1.9);
  expect("blocks", measured(blocks, other_blocks, m, n, 1), 1.15);
  expect("grids", measured(blocks, row, m, n, 1), 1.15);
  expect("rows to grid", measured(slabs, blocks, m, n, 1), 1.15);
  expect("columns to rows", measured(columns, slabs, m, n, 1), 1.15);
  expect("rows to columns", measured(slabs, columns, m, n, 1), 1.15);
  expect("one to all", measured(one, blocks, m, n, 1), 1.15, false);
  expect("all to one", measured(blocks, one, m, n, 1), 1.15, false);
  const std::array<Index, 3> shape{64, 64, m * n / 4096};
  expect("pencils x to y", measured("(*, BLOCK, BLOCK)", {1, p, q}, "(BLOCK, *, BLOCK)", {p, 1, q}, shape), 1.15);
  expect("pencils y to z", measured("(BLOCK, *, BLOCK)", {p, 1, q}, "(BLOCK, BLOCK, *)", {p, q, 1}, shape), 1.15);
  expect("pencils z to x", measured("(BLOCK, BLOCK, *)", {p, q, 1}, "(*, BLOCK, BLOCK)", {1, p, q}, shape), 1.15);
  const xredist_layout vector_blocks{.nprow = size(), .npcol = 1, .mb = 100'000, .nb = 1};
  const xredist_layout other_vector_blocks{.nprow = size(), .npcol = 1, .mb = 70'000, .nb = 1};
  expect("a vector", measured(vector_blocks, other_vector_blocks, m * n, 1, 1), 1.15);
  expect("20 columns", measured(vector_blocks, other_vector_blocks, m * n / 20, 20, 1), 1.15);
  expect("transposed", measured(blocks, other_blocks, n, m, 1, true), fast ? 1.35 : 1.6);
}

// 16 MB for each process. The limits are those of small pages, and the buffers.
TEST(Consume, PeakIsOneMatrixInHugePages) {
#ifdef XREDIST_SANITIZED
  GTEST_SKIP() << "the sanitizer has memory of its own";
#endif
  const auto [p, q] = square();
  const Index n = 4096, m = 512 * size();
  const xredist_layout blocks{.nprow = p, .npcol = q, .mb = 64, .nb = 64};
  const xredist_layout rows{.nprow = size(), .npcol = 1, .mb = m / size(), .nb = 64};
  const xredist_layout columns{.nprow = 1, .npcol = size(), .mb = 64, .nb = n / size() + 1};
  const xredist_layout one{.nprow = 1, .npcol = 1, .mb = 64, .nb = 64};
  const xredist_layout long_columns{.nprow = size(), .npcol = 1, .mb = 100'000, .nb = 1};
  const xredist_layout other_long_columns{.nprow = size(), .npcol = 1, .mb = 70'000, .nb = 1};
  const std::array<Index, 3> shape{64, 64, m * n / 4096};
  measured(blocks, rows, m, n, 0);
  for (const InHugePages huge : {InHugePages{.b = true}, {.a = true}, {.a = true, .b = true}}) {
    const auto name = [&](const char* move) {
      return std::string(move) + (huge.a ? ", A" : "") + (huge.b ? ", B" : "") + " in huge pages";
    };
    const auto expect = [&](const char* move, const Peak& peak, double limit) {
      if (rank() == 0 && std::getenv("XREDIST_TEST_PEAKS") != nullptr)
        std::printf("%-40s %.3f matrices, %.3f at once\n", name(move).c_str(), peak.of_each, peak.at_once);
      EXPECT_LT(peak.at_once, limit) << name(move);
    };
    expect("rows to columns", measured(rows, columns, m, n, 1, false, huge), 1.4);
    expect("one to all", measured(one, blocks, m, n, 1, false, huge), 1.4);
    expect("pencils", measured("(*, BLOCK, BLOCK)", {1, p, q}, "(BLOCK, *, BLOCK)", {p, 1, q}, shape, huge), 1.4);
    expect("20 columns", measured(long_columns, other_long_columns, m * n / 20, 20, 1, false, huge), 1.5);
    expect("transposed", measured(rows, columns, n, m, 1, true, huge), 1.8);
  }
}

// ---- arrays

using Integers = std::array<Index, 3>;

// A process's part of an array of three axes in blocks, on a grid.
struct Pencils {
  std::array<xredist_axis, 3> axes{};
  std::array<int, 3> order;
  Integers begin{}, extents{}, strides{};

  Pencils(const char* pattern, const std::array<int, 3>& grid, const std::array<int, 3>& fastest, const Integers& shape)
      : order(fastest) {
    EXPECT_EQ(xredist_axes(pattern, 3, grid.data(), axes.data()), 0);
    const xredist_array_layout here = layout();
    EXPECT_EQ(xredist_array_local_shape(&here, shape.data(), rank(), extents.data()), 0);
    int rest = rank();
    for (std::size_t k = 3; k-- > 0; rest /= grid[k]) begin[k] = rest % grid[k] * ((shape[k] + grid[k] - 1) / grid[k]);
    Index stride = 1;
    for (const int axis : order) {
      strides[size_of(axis)] = stride;
      stride *= extents[size_of(axis)];
    }
  }
  xredist_array_layout layout() const { return {.dims = 3, .axes = axes.data(), .order = order.data()}; }
  Index size() const { return extents[0] * extents[1] * extents[2]; }
  // Calls visit(element, its value) for all elements.
  template <class Visit>
  void each(double* data, const Integers& shape, Visit visit) const {
    for (Index z = 0; z < extents[2]; ++z)
      for (Index y = 0; y < extents[1]; ++y)
        for (Index x = 0; x < extents[0]; ++x)
          visit(data[x * strides[0] + y * strides[1] + z * strides[2]],
                static_cast<double>(begin[0] + x + shape[0] * (begin[1] + y + shape[1] * (begin[2] + z))));
  }
};

// Moves an array with consume. Returns the number of wrong elements of B and of pages of A that are in memory.
// `own_strides`: the layout of A does not say the order of the axes in memory.
std::pair<Index, Index> moved(const Pencils& from, const Pencils& to, const Integers& shape, bool own_strides) {
  constexpr std::size_t element = sizeof(double);
  const Memory a(size_of(from.size()) * element + 1, false), b(size_of(to.size()) * element + 1, false);
  auto *const x = reinterpret_cast<double*>(a.data()), *const y = reinterpret_cast<double*>(b.data());
  from.each(x, shape, [](double& e, double value) { e = value; });
  xredist_array_layout layout_a = from.layout();
  const xredist_array_layout layout_b = to.layout();
  if (own_strides) layout_a.order = nullptr;
  const xredist_array_operation operation{.shape = shape.data(), .type = 'D'};
  xredist_plan* plan = nullptr;
  EXPECT_EQ(outcome(xredist_array_plan_create(MPI_COMM_WORLD, &layout_a, &layout_b, &operation, &plan)), "");
  xredist_job job{.plan = plan, .a = x, .b = y, .consume = 1};
  if (own_strides) job.strides_a = from.strides.data();
  EXPECT_EQ(outcome(xredist_execute(&job)), "");
  xredist_plan_destroy(plan);
  Index wrong = 0;
  to.each(y, shape, [&](const double& e, double value) { wrong += e != value; });
  return {wrong, resident_pages(a.data(), a.data() + size_of(from.size()) * element)};
}

TEST(Consume, Pencils) {
  const auto [p, q] = square();
  const Integers shape{96, 90 * p, 44 * q};
  const std::array<int, 3> fortran{0, 1, 2};
  const Pencils along_x("(*, BLOCK, BLOCK)", {1, p, q}, fortran, shape);
  const Pencils along_y("(BLOCK, *, BLOCK)", {p, 1, q}, fortran, shape);
  const Pencils along_z("(BLOCK, BLOCK, *)", {p, q, 1}, fortran, shape);
  const Pencils y_first("(BLOCK, *, BLOCK)", {p, 1, q}, {1, 0, 2}, shape);
  const Pencils z_first("(BLOCK, BLOCK, *)", {p, q, 1}, {2, 1, 0}, shape);
  const std::pair<Index, Index> right{0, 0};
  for (const bool own_strides : {false, true})
    for (const auto& [from, to] : std::vector<std::pair<const Pencils*, const Pencils*>>{{&along_x, &along_y},
                                                                                         {&along_y, &along_z},
                                                                                         {&along_z, &along_x},
                                                                                         {&along_x, &y_first},
                                                                                         {&y_first, &z_first},
                                                                                         {&z_first, &along_x}})
      EXPECT_EQ(moved(*from, *to, shape, own_strides), right) << "process " << rank();
}

// All elements of A are one: its only page is read until the end.
TEST(Consume, KeepsElementsThatShareMemory) {
  const Integers shape{64, 64, 64};
  const Pencils one("(*, *, *)", {1, 1, 1}, {0, 1, 2}, shape);
  const xredist_array_layout layout = one.layout();
  const xredist_array_operation operation{.shape = shape.data(), .type = 'D'};
  xredist_plan* plan = nullptr;
  ASSERT_EQ(outcome(xredist_array_plan_create(MPI_COMM_SELF, &layout, &layout, &operation, &plan)), "");
  std::vector<double> a(size_of(64 * 64 * 64), 5), b = a;
  const Integers strides{1, 64, 0};
  const xredist_job job{.plan = plan, .a = a.data(), .b = b.data(), .strides_a = strides.data(), .consume = 1};
  EXPECT_EQ(outcome(xredist_execute(&job)), "");
  EXPECT_EQ(std::ranges::count(b, 5), std::ssize(b));
  xredist_plan_destroy(plan);
}

// Each element of A is sent to all processes: A is read until the end.
TEST(Consume, KeepsElementsOfSeveralCopies) {
  const Integers shape{512, 512 * size(), 1};
  const Pencils split("(*, BLOCK, *)", {1, size(), 1}, {0, 1, 2}, shape),
      whole("(*, *, *)", {1, 1, 1}, {0, 1, 2}, shape);
  const xredist_array_layout a = split.layout();
  xredist_array_layout b = whole.layout();
  b.copies = size();
  const xredist_array_operation operation{.shape = shape.data(), .type = 'D'};
  xredist_plan* plan = nullptr;
  ASSERT_EQ(outcome(xredist_array_plan_create(MPI_COMM_WORLD, &a, &b, &operation, &plan)), "");
  xredist_plan_info info{};
  ASSERT_EQ(xredist_plan_query(plan, &info), 0);
  const Index elements = 512 * 512;
  if (size() > 1) {  // there are several copies
    EXPECT_EQ(info.peak_bytes, 8 * elements * (1 + size()));
  }
  Memory from(size_of(8 * elements)), to(size_of(8 * elements * size()));
  auto* const own = reinterpret_cast<double*>(from.data());
  std::iota(own, own + elements, static_cast<double>(elements * rank()));
  const xredist_job job{.plan = plan, .a = from.data(), .b = to.data(), .consume = 1};
  EXPECT_EQ(outcome(xredist_execute(&job)), "");
  Index wrong = 0;
  for (Index k = 0; k < elements * size(); ++k)
    wrong += reinterpret_cast<const double*>(to.data())[k] != static_cast<double>(k);
  EXPECT_EQ(wrong, 0);
  xredist_plan_destroy(plan);
}

// ---- lists

// Of four pages of each column, the list names the first and the third.
TEST(Consume, KeepsPagesThatAListLeavesOut) {
  const Index page = static_cast<Index>(page_bytes() / sizeof(double)), m = 4 * page, n = 128;
  std::vector<Index> rows(size_of(2 * page));
  for (Index k = 0; k < 2 * page; ++k) rows[size_of(k)] = 1 + (k < page ? k : k + page);
  const Memory a(size_of(m * n) * sizeof(double), false), b(size_of(2 * page * n) * sizeof(double), false);
  auto *const x = reinterpret_cast<double*>(a.data()), *const y = reinterpret_cast<double*>(b.data());
  std::iota(x, x + m * n, 1.0);
  const xredist_layout one{.nprow = 1, .npcol = 1, .mb = m, .nb = n};
  xredist_plan* plan = nullptr;
  const xredist_operation operation{.m = 2 * page, .n = n, .type = 'D', .rows_a = rows.data()};
  ASSERT_EQ(outcome(create_plan(MPI_COMM_SELF, one, one, operation, &plan)), "");
  const xredist_job job{.plan = plan, .a = x, .lda = m, .b = y, .consume = 1};
  EXPECT_EQ(outcome(xredist_execute(&job)), "");
  xredist_plan_destroy(plan);
  Index wrong = 0;
  for (Index j = 0; j < n; ++j)
    for (Index k = 0; k < 2 * page; ++k) wrong += y[k + j * 2 * page] != static_cast<double>(rows[size_of(k)] + j * m);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(resident_pages(a.data(), a.data() + a.size()), 2 * n);
}

// ---- batches

// The pages of A go back before a member is complete, because the program may then write to A.
TEST(Consume, MembersOfABatch) {
  const Index m = 512, n = 512 * size();
  const xredist_layout from{.nprow = 1, .npcol = size(), .mb = 64, .nb = 16};
  const xredist_layout to{.nprow = size(), .npcol = 1, .mb = 32, .nb = 32};
  Move consumed(MPI_COMM_WORLD, from, to, m, n), kept(MPI_COMM_WORLD, from, to, m, n, 0.5);
  xredist_job jobs[] = {
      {.plan = consumed.plan,
       .a = consumed.a.data.data(),
       .lda = consumed.a.ld,
       .b = consumed.b.data.data(),
       .ldb = consumed.b.ld,
       .consume = 1},
      {.plan = kept.plan, .a = kept.a.data.data(), .lda = kept.a.ld, .b = kept.b.data.data(), .ldb = kept.b.ld}};
  xredist_request* request = nullptr;
  ASSERT_EQ(outcome(xredist_start(2, jobs, &request)), "");
  for (const int member : {1, 0}) {
    ASSERT_EQ(outcome(xredist_wait_member(request, member)), "");
    Move& move = member == 0 ? consumed : kept;
    std::ranges::fill(move.a.data, -7);
  }
  ASSERT_EQ(outcome(xredist_wait(&request)), "");
  for (Move* move : {&consumed, &kept}) {
    EXPECT_EQ(std::ranges::count(move->a.data, -7), std::ssize(move->a.data));
    move->b.each([&](double& x, Index i, Index j) { EXPECT_EQ(x, move->element(i, j)); });
  }
}

// ---- memory that does not go back

// Executes a copy on this process alone, where `a` is of m x n doubles. Returns whether A is as it was.
bool stays(double* a, Index m, Index n) {
  for (Index k = 0; k < m * n; ++k) a[k] = static_cast<double>(k);
  std::vector<double> b(size_of(m * n));
  const xredist_layout one{.nprow = 1, .npcol = 1, .mb = m, .nb = n};
  xredist_plan* plan = nullptr;
  EXPECT_EQ(outcome(create_plan(MPI_COMM_SELF, one, one, {.m = m, .n = n, .type = 'D'}, &plan)), "");
  const xredist_job job{.plan = plan, .a = a, .b = b.data(), .consume = 1};
  EXPECT_EQ(outcome(xredist_execute(&job)), "");
  xredist_plan_destroy(plan);
  bool same = true;
  for (Index k = 0; k < m * n; ++k) {
    EXPECT_EQ(b[size_of(k)], static_cast<double>(k));
    same = same && a[k] == static_cast<double>(k);
  }
  return same;
}

TEST(Consume, ReturnsPrivateMemoryOnly) {
  constexpr Index m = 512, n = 512;
  constexpr std::size_t bytes = m * n * sizeof(double);
  std::vector<double> allocated(size_of(m * n));
  EXPECT_FALSE(stays(allocated.data(), m, n));  // malloc
  void* const shared = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  EXPECT_TRUE(stays(static_cast<double*>(shared), m, n));
  munmap(shared, bytes);
  std::FILE* const file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  ASSERT_EQ(ftruncate(fileno(file), bytes), 0);
  void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, fileno(file), 0);
  ASSERT_NE(mapped, MAP_FAILED);
  EXPECT_TRUE(stays(static_cast<double*>(mapped), m, n));
  munmap(mapped, bytes);
  std::fclose(file);
  double* const locked = static_cast<double*>(xredist_alloc(bytes));
  if (syscall(SYS_mlock, locked, bytes) == 0) {  // AddressSanitizer's mlock() does nothing
    EXPECT_TRUE(stays(locked, m, n));
  }
  xredist_free(locked);
  EXPECT_TRUE(stays(allocated.data(), 100, 100));  // small
}

// ---- arguments

TEST(Consume, Arguments) {
  const xredist_layout one{.nprow = 1, .npcol = 1, .mb = 4, .nb = 4};
  xredist_plan* plan = nullptr;
  ASSERT_EQ(outcome(create_plan(MPI_COMM_SELF, one, one, {.m = 4, .n = 4, .type = 'D'}, &plan)), "");
  std::vector<double> a(16, 1), b(16, 2);
  xredist_job job{.plan = plan, .a = a.data(), .b = b.data(), .consume = 2};
  EXPECT_EQ(outcome(xredist_execute(&job)), "invalid: consume is 2, must be 0 or 1");
  job.consume = 1;
  EXPECT_EQ(outcome(xredist_plan_tune(plan, &job)),
            "invalid: consume is 1: a plan that is tuned is executed several times, from the same A");
  EXPECT_EQ(outcome(xredist_execute(&job)), "");
  EXPECT_EQ(b, a);
  xredist_plan_destroy(plan);
  EXPECT_EQ(xredist_alloc(0), nullptr);
  EXPECT_EQ(std::string(xredist_error()), "bytes is 0, must be at least 1");
  EXPECT_EQ(xredist_alloc(~std::size_t{0} / 2), nullptr);
  EXPECT_EQ(std::string(xredist_error()), "out of memory: 9223372036854775807 bytes wanted");
  EXPECT_EQ(xredist_alloc(~std::size_t{0}), nullptr);
  EXPECT_EQ(std::string(xredist_error()), "out of memory: 18446744073709551615 bytes wanted");
  xredist_free(nullptr);
}

}  // namespace
}  // namespace xredist::testing
