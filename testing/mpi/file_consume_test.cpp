// SPDX-License-Identifier: BSD-3-Clause
// Writing a file with `consume`: the file is right, the memory of A goes back panel by panel, and all other bytes stay.
#include <gtest/gtest.h>
#include <mpi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "folder.hpp"
#include "move.hpp"
#include "ranks.hpp"
#include "xredist/file.h"

namespace xredist::testing {
namespace {

using Index = std::int64_t;

std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }
std::size_t size_of(Index count) { return static_cast<std::size_t>(count); }

struct Free {
  void operator()(double* memory) const { xredist_free(memory); }
};
using Memory = std::unique_ptr<double, Free>;
Memory new_memory(Index doubles) { return Memory(static_cast<double*>(xredist_alloc(size_of(doubles) * 8))); }

// Returns the number of resident pages among those of an array of xredist_alloc, which begins a page.
Index resident_pages(const double* begin, Index doubles) {
  std::vector<unsigned char> present((size_of(doubles) * 8 + page_bytes() - 1) / page_bytes());
  EXPECT_EQ(mincore(const_cast<double*>(begin), size_of(doubles) * 8, present.data()), 0);
  return std::ranges::count_if(present, [](unsigned char x) { return (x & 1) != 0; });
}

double element(Index i, Index j) { return static_cast<double>(1 + i + 10'000 * j); }

// The local part of an m x n matrix.
struct Local {
  const xredist_layout& layout;
  std::vector<Index> rows, cols;  // indices in the matrix, from 1
  Index ld;
  Memory memory;

  Local(const xredist_layout& of, Index m, Index n, Index spare) : layout(of) {
    Index r = 0, c = 0;
    EXPECT_EQ(xredist_local_size(&of, m, n, rank(), &r, &c), 0);
    rows.resize(size_of(r)), cols.resize(size_of(c));
    if (r > 0 && c > 0) xredist_local_to_global(&of, m, n, rank(), rows.data(), cols.data());
    ld = std::max<Index>(r + spare, 1);
    memory = new_memory(std::max<Index>(size(), 1));
  }
  Index size() const { return ld * std::ssize(cols); }
  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t c = 0; c < cols.size(); ++c)
      for (Index r = 0; r < ld; ++r) {
        double& x = memory.get()[static_cast<Index>(c) * ld + r];
        const bool inside = r < std::ssize(rows);
        visit(x, inside ? rows[size_of(r)] : 0, cols[c]);
      }
  }
};

class FileConsume : public ::testing::Test {
 protected:
  FileConsume() { EXPECT_EQ(xredist_set_option(MPI_COMM_WORLD, "buffer", "1M"), 0); }
  const Folder folder_;
};

// The pages of A in a call of the progress function, against those of the elements that have not left.
struct Progress {
  const double* a;
  Index doubles;
  Index calls = 0, most_beyond = 0;  // pages more than those of the elements that are left

  static void tell(std::int64_t done, std::int64_t all, void* context) {
    auto& here = *static_cast<Progress*>(context);
    const Index pages = resident_pages(here.a, here.doubles);
    const auto left = static_cast<Index>(static_cast<double>(here.doubles * 8) * static_cast<double>(all - done) /
                                         static_cast<double>(all) / static_cast<double>(page_bytes()));
    here.most_beyond = std::max(here.most_beyond, pages - left);
    ++here.calls;
  }
};

// Checks that a file has the matrix, which is read in another layout.
void expect_matrix(const std::string& name, Index m, Index n) {
  const xredist_layout other{.nprow = size(), .npcol = 1, .mb = 37, .nb = 16};
  const Local b(other, m, n, 0);
  const xredist_file file{.name = name.c_str(), .m = m, .n = n, .type = 'D'};
  ASSERT_EQ(outcome(xredist_read(MPI_COMM_WORLD, &other, b.memory.get(), b.ld, &file)), "");
  Index wrong = 0;
  b.each([&](double x, Index i, Index j) { wrong += i > 0 && x != element(i, j); });
  EXPECT_EQ(wrong, 0);
}

// Panels of a file in Fortran order are columns of A, and panels in C order are pieces of each column, whose first and
// last page have elements of two panels.
TEST_F(FileConsume, MemoryGoesBackPanelByPanel) {
#ifdef XREDIST_SANITIZED
  GTEST_SKIP() << "the sanitizer has memory of its own";
#endif
  constexpr Index m = 4096, of_process = 256;  // 8 MB
  const Index n = of_process * size();
  const xredist_layout columns{.nprow = 1, .npcol = size(), .mb = 64, .nb = 16};
  for (const char order : {'F', 'C'})
    for (const std::int64_t consume : {0, 1}) {
      const Local a(columns, m, n, 0);
      a.each([&](double& x, Index i, Index j) { x = element(i, j); });
      Progress progress{a.memory.get(), a.size()};
      const std::string name = folder_.path("a.npy");
      const xredist_file file{.name = name.c_str(),
                              .m = m,
                              .n = n,
                              .type = 'D',
                              .order = order,
                              .progress = Progress::tell,
                              .progress_context = &progress,
                              .consume = consume};
      ASSERT_EQ(outcome(xredist_write(MPI_COMM_WORLD, &columns, a.memory.get(), a.ld, &file)), "");
      const Index pages = a.size() * 8 / static_cast<Index>(page_bytes());
      EXPECT_GT(progress.calls, 4);
      if (consume == 0) {
        EXPECT_GE(progress.most_beyond, pages * 3 / 4);
        a.each([](double x, Index i, Index j) { ASSERT_EQ(x, element(i, j)); });
      } else {
        const Index panel = (Index{1} << 20) / static_cast<Index>(page_bytes());
        EXPECT_LE(progress.most_beyond, order == 'F' ? panel : panel + of_process) << order;
        EXPECT_LE(resident_pages(a.memory.get(), a.size()), 2) << order;
      }
      expect_matrix(name, m, n);
    }
}

// Elements outside of the submatrix, and gaps of the leading dimension, are in pages of elements that leave.
TEST_F(FileConsume, KeepsAllOtherElements) {
  const Index m = 700, n = 400 * size();
  const xredist_layout blocks{.nprow = 1, .npcol = size(), .mb = 40, .nb = 7};
  for (const Index spare : {0, 3, 1000})
    for (const char order : {'F', 'C'}) {
      const Local a(blocks, m, n, spare);
      a.each([](double& x, Index i, Index j) { x = i > 0 ? element(i, j) : -1; });
      const std::string name = folder_.path("a.npy");
      const xredist_file file{
          .name = name.c_str(), .m = m - 31, .n = n - 40, .i = 11, .j = 18, .type = 'D', .order = order, .consume = 1};
      ASSERT_EQ(outcome(xredist_write(MPI_COMM_WORLD, &blocks, a.memory.get(), a.ld, &file)), "");
      Index wrong = 0, gone = 0;
      a.each([&](double x, Index i, Index j) {
        const bool leaves = i >= 11 && i < 11 + m - 31 && j >= 18 && j < 18 + n - 40;
        gone += leaves && x == 0;
        wrong += leaves ? x != 0 && x != element(i, j) : x != (i > 0 ? element(i, j) : -1);
      });
      EXPECT_EQ(wrong, 0) << spare << order;
      EXPECT_GT(gone, 0) << spare << order;
      const Local b(blocks, m - 31, n - 40, 0);
      const xredist_file whole{.name = name.c_str(), .m = m - 31, .n = n - 40, .type = 'D'};
      ASSERT_EQ(outcome(xredist_read(MPI_COMM_WORLD, &blocks, b.memory.get(), b.ld, &whole)), "");
      b.each([&](double x, Index i, Index j) { wrong += x != element(i + 10, j + 17); });
      EXPECT_EQ(wrong, 0) << spare << order;
    }
}

// A local array in the order of the file, in the other order, and one whose elements share memory, which stays.
TEST_F(FileConsume, Arrays) {
  const std::array<Index, 3> shape{64, 50, 100 * size()};
  const std::array<xredist_axis, 3> axes{{{}, {}, {.procs = size()}}};
  const xredist_array_layout layout{.dims = 3, .axes = axes.data()};
  const Index doubles = 64 * 50 * 100;
  const std::array<Index, 3> reversed{100 * 50, 100, 1}, shared{1, 64, 0};
  for (const std::int64_t* strides : {static_cast<const std::int64_t*>(nullptr), reversed.data(), shared.data()}) {
    const Memory a = new_memory(doubles);
    for (Index k = 0; k < doubles; ++k) a.get()[k] = static_cast<double>(1 + k);
    const std::string name = folder_.path("u.npy");
    const xredist_array_file file{.name = name.c_str(), .shape = shape.data(), .type = 'D', .consume = 1};
    ASSERT_EQ(outcome(xredist_array_write(MPI_COMM_WORLD, &layout, a.get(), strides, &file)), "");
    if (strides == shared.data()) {
      for (Index k = 0; k < doubles; ++k) ASSERT_EQ(a.get()[k], static_cast<double>(1 + k));
      continue;
    }
    EXPECT_LE(resident_pages(a.get(), doubles), 2);
    const Memory b = new_memory(doubles);
    ASSERT_EQ(outcome(xredist_array_read(MPI_COMM_WORLD, &layout, b.get(), strides, &file)), "");
    for (Index k = 0; k < doubles; ++k) ASSERT_EQ(b.get()[k], static_cast<double>(1 + k));
  }
}

TEST_F(FileConsume, WrongArguments) {
  const xredist_layout one{.nprow = 1, .npcol = 1, .mb = 4, .nb = 4};
  const std::array<double, 4> a{};
  const std::string name = folder_.path("a.npy");
  xredist_file file{.name = name.c_str(), .m = 2, .n = 2, .type = 'D', .consume = 2};
  EXPECT_EQ(outcome(xredist_write(MPI_COMM_WORLD, &one, a.data(), 0, &file)), "invalid: consume is 2, must be 0 or 1");
  file.consume = rank() == 0 ? 1 : 0;
  const std::string sentence = outcome(xredist_write(MPI_COMM_WORLD, &one, a.data(), 0, &file));
  EXPECT_EQ(sentence, size() == 1 ? "" : "invalid: consume differs between processes: from 0 to 1");
}

TEST(Pages, GoBackWhenAllTheirBytesHaveBeenGivenUp) {
  const Index doubles = Index{1} << 18, in_page = static_cast<Index>(page_bytes()) / 8;
  const Memory a = new_memory(doubles);
  std::fill_n(a.get(), doubles, 1.0);
  xredist_pages* pages = nullptr;
  ASSERT_EQ(xredist_pages_create(a.get(), size_of(doubles) * 8, &pages), 0);
  ASSERT_NE(pages, nullptr);
  xredist_pages_give_up(pages, a.get() + in_page / 2, size_of(in_page) * 8);
  EXPECT_EQ(a.get()[0] + a.get()[in_page / 2] + a.get()[in_page], 3.0);
  xredist_pages_give_up(pages, a.get(), size_of(in_page / 2) * 8);
  EXPECT_EQ(a.get()[0] + a.get()[in_page - 1], 0.0);
  EXPECT_EQ(a.get()[in_page], 1.0);
  xredist_pages_give_up(pages, a.get() + doubles - in_page, size_of(2 * in_page) * 8);  // beyond the end
  EXPECT_EQ(a.get()[doubles - 1], 0.0);
  EXPECT_EQ(a.get()[doubles - in_page - 1], 1.0);
  xredist_pages_destroy(pages);
  EXPECT_EQ(a.get()[in_page], 1.0);
}

TEST(Pages, OfMemoryThatCannotGoBackAreNone) {
  std::vector<double> small(100, 1.0);
  auto* pages = reinterpret_cast<xredist_pages*>(small.data());
  EXPECT_EQ(xredist_pages_create(small.data(), 800, &pages), 0);
  EXPECT_EQ(pages, nullptr);
  xredist_pages_give_up(pages, small.data(), 800);
  xredist_pages_destroy(pages);
  EXPECT_EQ(small[50], 1.0);
  EXPECT_EQ(xredist_pages_create(nullptr, 0, &pages), 0);
  EXPECT_EQ(outcome(xredist_pages_create(small.data(), 800, nullptr)), "invalid: pages is NULL");
}

}  // namespace
}  // namespace xredist::testing
