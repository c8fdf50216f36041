// SPDX-License-Identifier: BSD-3-Clause
// Matrices in files: what is written is compared byte by byte, and read on other layouts.
#include "xredist/file.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <mpi.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <complex>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "folder.hpp"
#include "move.hpp"
#include "random.hpp"

namespace xredist::testing {
namespace {

void barrier() { MPI_Barrier(MPI_COMM_WORLD); }

std::function<void()> before_writing;

class File : public ::testing::Test {
 protected:
  File() { EXPECT_EQ(xredist_set_option(MPI_COMM_WORLD, "buffer", "1M"), 0); }

  std::string path(const std::string& name) const { return folder_.path(name); }

  // Returns the number of files in the folder, which rank 0 counts.
  int files() const {
    barrier();
    int count = 0;
    if (rank() == 0) {
      FILE* const list = popen(("ls " + folder_.name() + " | wc -l").c_str(), "r");
      EXPECT_EQ(std::fscanf(list, "%d", &count), 1);
      pclose(list);
    }
    MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return count;
  }

  const Folder folder_;
};

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void create(const std::string& path, const std::string& bytes) {
  if (rank() == 0) std::ofstream(path, std::ios::binary) << bytes;
  barrier();
}

double element(std::int64_t i, std::int64_t j) { return static_cast<double>(1 + i + 1000 * j); }

// Returns the header of NumPy 1.24 for these sizes.
std::string header(const std::string& descr, const std::string& fortran_order, std::int64_t m, std::int64_t n) {
  std::string text = "{'descr': '" + descr + "', 'fortran_order': " + fortran_order + ", 'shape': (" +
                     std::to_string(m) + ", " + std::to_string(n) + "), }";
  text.resize(117, ' ');
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + text + "\n";
}

// Returns the elements of an m x n matrix, one after the other, with all bytes of each.
template <class T>
std::string elements(std::int64_t m, std::int64_t n, char order = 'F') {
  std::vector<T> all;
  for (std::int64_t k = 0; k < m * n; ++k)
    all.push_back(static_cast<T>(order == 'F' ? element(k % m, k / m) : element(k / n, k % n)));
  return {reinterpret_cast<const char*>(all.data()), all.size() * sizeof(T)};
}

Part filled(const xredist_layout& layout, std::int64_t m, std::int64_t n, std::int64_t spare = 0) {
  Part part(layout, m, n, rank(), spare);
  part.each([](double& x, std::int64_t i, std::int64_t j) { x = element(i, j); });
  return part;
}

int write(const xredist_layout& layout, const Part& part, const xredist_file& file) {
  return xredist_write(MPI_COMM_WORLD, &layout, part.data.data(), part.ld, &file);
}

// Returns the number of wrong elements on this process after the file has been read.
long wrong_after_reading(const xredist_layout& layout, const xredist_file& file) {
  Part part(layout, file.m, file.n, rank(), 2);
  EXPECT_EQ(outcome(xredist_read(MPI_COMM_WORLD, &layout, part.data.data(), part.ld, &file)), "");
  long count = 0;
  part.each([&](double x, std::int64_t i, std::int64_t j) { count += x != element(i, j); });
  for (std::size_t k = 0; k < part.data.size(); ++k)  // rows below the matrix
    if (static_cast<std::int64_t>(k) % part.ld >= std::ssize(part.rows)) count += part.data[k] != -1;
  for (std::size_t row = 0; row < part.rows.size(); ++row)  // gaps between intervals
    for (std::size_t k = row; part.rows[row] < 0 && k < part.data.size(); k += static_cast<std::size_t>(part.ld))
      count += part.data[k] != -1;
  return count;
}

// Layouts of all processes: blocks, rows, and columns in partitions of which the last process has nothing, and rows and
// columns in any order.
class Layouts {
 public:
  Layouts(std::int64_t m, std::int64_t n) {
    const int used = std::max(1, size() - 1);
    for (int k = 0; k <= size(); ++k) {
      rows_.push_back(m * std::min(k, used) / used);
      cols_.push_back(n * std::min(k, used) / used);
      if (k < size()) owners_.push_back((k + 1) % size());
    }
    row_slabs_ = {size(), rows_.data(), owners_.data()};
    col_slabs_ = {size(), cols_.data(), owners_.data()};
    Random random(size());
    const int height = size() % 2 == 0 ? 2 : 1;
    rows_in_any_order_ = Mixed(random, m, height);
    cols_in_any_order_ = Mixed(random, n, size() / height);
    all.push_back({.nprow = height, .npcol = size() / height, .mb = 64, .nb = 5});
    all.push_back({.nprow = size(), .npcol = 1, .mb = 3, .nb = 100, .rsrc = size() - 1});
    all.push_back({.nprow = size(), .npcol = 1, .nb = 1000, .rows = &row_slabs_});
    all.push_back({.nprow = 1, .npcol = size(), .mb = 1000, .cols = &col_slabs_});
    all.push_back({.nprow = height,
                   .npcol = size() / height,
                   .rows = &rows_in_any_order_.partition,
                   .cols = &cols_in_any_order_.partition});
  }
  Layouts(const Layouts&) = delete;
  Layouts& operator=(const Layouts&) = delete;

  std::vector<xredist_layout> all;

 private:
  // Intervals of random owners and places.
  struct Mixed {
    Mixed() = default;
    Mixed(Random& random, std::int64_t length, int procs) : bounds{0} {
      while (bounds.back() < length) {
        bounds.push_back(std::min(length, bounds.back() + 1 + random.below(length / 9 + 1)));
        owners.push_back(random.in(0, procs - 1));
      }
      places = random_places(random, bounds, owners);
      partition = {std::ssize(owners), bounds.data(), owners.data(), places.data()};
    }
    std::vector<std::int64_t> bounds, places;
    std::vector<int> owners;
    xredist_partition partition{};
  };

  std::vector<std::int64_t> rows_, cols_;
  std::vector<int> owners_;
  xredist_partition row_slabs_, col_slabs_;
  Mixed rows_in_any_order_, cols_in_any_order_;
};

// Many panels of columns with one and two writers, panels of rows of one column, and matrices without elements.
TEST_F(File, IsThatOfNumpyOnAnyLayout) {
  constexpr std::int64_t sizes[][2] = {{7, 5}, {900, 700}, {1200, 1000}, {100'003, 2}, {1, 1}, {0, 5}, {5, 0}};
  for (const auto& [m, n] : sizes) {
    const Layouts layouts(m, n);
    const std::string name = path("a.npy");
    const xredist_file file{.name = name.c_str(), .m = m, .n = n, .type = 'D'};
    for (std::size_t k = 0; k < layouts.all.size(); ++k) {
      const xredist_layout &layout = layouts.all[k], &other = layouts.all[(k + 1) % layouts.all.size()];
      ASSERT_EQ(outcome(write(layout, filled(layout, m, n, 3), file)), "");
      if (rank() == 0) {
        EXPECT_TRUE(contents(name) == header("<f8", "True", m, n) + elements<double>(m, n)) << m << " x " << n;
      }
      EXPECT_EQ(files(), 1);
      EXPECT_EQ(wrong_after_reading(other, file), 0) << m << " x " << n;
    }
  }
}

// Without a leading dimension, a local matrix has the rows up to the end of the submatrix: here all of them, of which
// the last four that move come first in memory.
TEST_F(File, LeadingDimensionEndsWithTheSubmatrix) {
  const std::int64_t m = 8 * size();
  const LaterHalfFirst halves(size());
  const xredist_partition rows = halves.get();
  const xredist_layout layout{.nprow = size(), .npcol = 1, .nb = 1000, .rows = &rows};
  const std::string name = path("rows.npy");
  const xredist_file file{.name = name.c_str(), .m = 4 * size(), .n = 3, .i = 4 * size() + 1, .type = 'D'};
  const Part part = filled(layout, m, 3);
  ASSERT_EQ(outcome(xredist_write(MPI_COMM_WORLD, &layout, part.data.data(), 0, &file)), "");
  Part read(layout, m, 3);
  ASSERT_EQ(outcome(xredist_read(MPI_COMM_WORLD, &layout, read.data.data(), 0, &file)), "");
  read.each([&](double x, std::int64_t i, std::int64_t j) { EXPECT_EQ(x, i < 4 * size() ? -1 : element(i, j)); });
  std::string in_file = header("<f8", "True", 4 * size(), 3);
  const std::string all = elements<double>(m, 3);
  for (std::int64_t j = 0; j < 3; ++j)
    in_file += all.substr(static_cast<std::size_t>(j * m + m / 2) * 8, static_cast<std::size_t>(m / 2) * 8);
  if (rank() == 0) {
    EXPECT_TRUE(contents(name) == in_file);
  }
}

// Each process passes a function or none. The last call tells that all bytes have moved.
TEST_F(File, TellsItsProgress) {
  constexpr std::int64_t m = 1200, n = 1000;
  const Layouts layouts(m, n);
  const std::string name = path("told.npy");
  std::vector<std::int64_t> told;
  xredist_file file{.name = name.c_str(), .m = m, .n = n, .type = 'D', .type_in_file = 'S'};
  if (rank() == 0) {
    file.progress = [](std::int64_t done, std::int64_t all, void* context) {
      EXPECT_EQ(all, m * n * 4);  // in the file
      static_cast<std::vector<std::int64_t>*>(context)->push_back(done);
    };
    file.progress_context = &told;
  }
  const auto check = [&] {
    if (rank() == 0) {
      ASSERT_GT(told.size(), 1U);
      EXPECT_GT(told.front(), 0);
      EXPECT_EQ(told.back(), m * n * 4);
    }
    EXPECT_EQ(std::ranges::adjacent_find(told, std::greater_equal()), told.end());
    told.clear();
  };
  ASSERT_EQ(outcome(write(layouts.all[0], filled(layouts.all[0], m, n), file)), "");
  check();
  EXPECT_EQ(wrong_after_reading(layouts.all[1], file), 0);
  check();
}

TEST_F(File, OfTheOtherOrder) {
  constexpr std::int64_t m = 900, n = 700;
  const Layouts layouts(m, n);
  const std::string name = path("c.npy"), bytes = header("<f8", "False", m, n) + elements<double>(m, n, 'C');
  create(name, bytes);
  const xredist_file file{.name = name.c_str(), .m = m, .n = n, .type = 'D'};
  xredist_file of_c = file, bits = file;
  of_c.order = 'C';
  bits.type = 0, bits.bytes = 8, bits.descr = "<f8";
  for (const xredist_layout& layout : layouts.all) {
    EXPECT_EQ(wrong_after_reading(layout, file), 0);
    EXPECT_EQ(wrong_after_reading(layout, bits), 0);
    ASSERT_EQ(outcome(write(layout, filled(layout, m, n), of_c)), "");
    if (rank() == 0) {
      EXPECT_TRUE(contents(name) == bytes);
    }
  }
}

TEST_F(File, OfOtherTypes) {
  constexpr std::int64_t m = 60, n = 50;
  const Layouts layouts(m, n);
  const std::string name = path("s.npy");
  xredist_file file{.name = name.c_str(), .m = m, .n = n, .type = 'D', .type_in_file = 'S'};
  ASSERT_EQ(outcome(write(layouts.all[0], filled(layouts.all[0], m, n), file)), "");
  if (rank() == 0) {
    EXPECT_TRUE(contents(name) == header("<f4", "True", m, n) + elements<float>(m, n));
  }
  file.type_in_file = 0;
  EXPECT_EQ(wrong_after_reading(layouts.all[2], file), 0);
  create(name, header("<i4", "False", m, n) + elements<std::int32_t>(m, n, 'C'));
  EXPECT_EQ(wrong_after_reading(layouts.all[1], file), 0);
  create(name, header("<c16", "True", m, n) + elements<std::complex<double>>(m, n));
  EXPECT_EQ(wrong_after_reading(layouts.all[3], file), 0);
}

// The submatrix A(2:, 3:) and the submatrix (4:, 2:) of a larger file, of which the remainder stays.
TEST_F(File, KeepsTheRemainderOfALargerMatrix) {
  constexpr std::int64_t rows = 40, cols = 30, m = 21, n = 17;
  const Layouts layouts(50, 40);
  for (const char order : {'F', 'C'}) {
    const std::string name = path("larger.npy");
    std::string expected = header("<f8", order == 'F' ? "True" : "False", rows, cols);
    const std::size_t begin = expected.size();
    expected += elements<double>(rows, cols, order);
    create(name, expected);
    const xredist_file file{
        .name = name.c_str(), .m = m, .n = n, .i = 2, .j = 3, .row = 4, .col = 2, .type = 'D', .update = 'Y'};
    ASSERT_EQ(outcome(write(layouts.all[0], filled(layouts.all[0], 50, 40), file)), "");
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        const double x = element(i + 1, j + 2);
        const std::int64_t place = order == 'F' ? i + 3 + rows * (j + 1) : (i + 3) * cols + j + 1;
        std::memcpy(expected.data() + begin + 8 * place, &x, sizeof x);
      }
    if (rank() == 0) {
      EXPECT_TRUE(contents(name) == expected) << order;
    }
    Part part(layouts.all[1], 50, 40);
    ASSERT_EQ(outcome(xredist_read(MPI_COMM_WORLD, &layouts.all[1], part.data.data(), part.ld, &file)), "");
    part.each([&](double x, std::int64_t i, std::int64_t j) {
      const bool inside = i >= 1 && i < 1 + m && j >= 2 && j < 2 + n;
      EXPECT_EQ(x, inside ? element(i, j) : -1) << i << ", " << j;
    });
  }
}

TEST_F(File, WithoutHeaderBeginsAtAnOffset) {
  constexpr std::int64_t m = 30, n = 20;
  const Layouts layouts(m, n);
  const std::string name = path("raw");
  create(name, "head");
  xredist_file file{.name = name.c_str(), .m = m, .n = n, .type = 'D', .format = 'R', .update = 'Y', .offset = 4};
  ASSERT_EQ(outcome(write(layouts.all[0], filled(layouts.all[0], m, n), file)), "");
  if (rank() == 0) {
    EXPECT_TRUE(contents(name) == "head" + elements<double>(m, n));
  }
  EXPECT_EQ(wrong_after_reading(layouts.all[2], file), 0);
  file.order = 'C', file.update = 'N';
  ASSERT_EQ(outcome(write(layouts.all[0], filled(layouts.all[0], m, n), file)), "");
  if (rank() == 0) {
    EXPECT_TRUE(contents(name) == std::string(4, '\0') + elements<double>(m, n, 'C'));
  }
  EXPECT_EQ(wrong_after_reading(layouts.all[3], file), 0);
}

// Files with holes. The last columns of 70,000 x 70,000 doubles begin beyond 2^32 bytes.
TEST_F(File, ReachesBeyond2To32Bytes) {
  constexpr std::int64_t m = 70'000, n = 3;
  const Layouts layouts(m, n);
  const std::string name = path("large.npy"), raw = path("raw");
  const xredist_file file{.name = name.c_str(), .m = m, .n = n, .col = 69'998, .type = 'D', .rows = m, .cols = 70'000};
  ASSERT_EQ(outcome(write(layouts.all[0], filled(layouts.all[0], m, n), file)), "");
  EXPECT_EQ(wrong_after_reading(layouts.all[1], file), 0);
  xredist_file_info info{};
  ASSERT_EQ(outcome(xredist_file_query(MPI_COMM_WORLD, name.c_str(), &info)), "");
  EXPECT_EQ(info.rows, m);
  EXPECT_EQ(info.cols, 70'000);
  EXPECT_EQ(info.type, 'D');
  EXPECT_EQ(info.order, 'F');
  EXPECT_EQ(info.offset, 128);
  EXPECT_EQ(std::string(info.descr), "<f8");
  for (const std::int64_t offset : {(1ll << 31) - 5, (1ll << 32) - 5}) {
    const xredist_file at{.name = raw.c_str(), .m = 9, .n = 2, .type = 'D', .format = 'R', .offset = offset};
    ASSERT_EQ(outcome(write(layouts.all[1], filled(layouts.all[1], 9, 2), at)), "");
    EXPECT_EQ(wrong_after_reading(layouts.all[0], at), 0);
  }
}

TEST_F(File, ThatDoesNotFitIsRefusedByAllProcesses) {
  constexpr std::int64_t m = 6, n = 4;
  const xredist_layout layout{.nprow = size(), .npcol = 1, .mb = 1, .nb = 1};
  const std::string name = path("x.npy"), whole = elements<double>(m, n);
  xredist_file file{.name = name.c_str(), .m = m, .n = n, .type = 'D'};
  Part part(layout, m, n);
  const auto sentence = [&] {
    const std::string text = outcome(xredist_read(MPI_COMM_WORLD, &layout, part.data.data(), part.ld, &file));
    part.each([&](double x, std::int64_t, std::int64_t) { EXPECT_EQ(x, -1) << "B has changed: " << text; });
    const std::size_t begin = text.find(folder_.name());
    return begin == text.npos ? text : text.substr(0, begin) + text.substr(begin + folder_.name().size() + 1);
  };
  EXPECT_NE(sentence().find("file: x.npy cannot be opened: "), std::string::npos) << sentence();
  create(name, "");
  EXPECT_EQ(sentence(), "file: x.npy: is not a file of NumPy");
  create(name, std::string(300, 'x'));
  EXPECT_EQ(sentence(), "file: x.npy: is not a file of NumPy");
  create(name, header("<f8", "True", m, n) + whole.substr(1));
  EXPECT_EQ(sentence(), "file: x.npy: has 319 bytes, the matrix ends at byte 320");
  create(name, header("<f8", "True", m, n).substr(0, 90));
  EXPECT_EQ(sentence(), "file: x.npy: its header is not one of NumPy: the file ends within it");
  create(name, header("<i8", "True", m, n) + whole);
  EXPECT_EQ(sentence(), "invalid: x.npy has elements of '<i8', which cannot be converted from or to type = 'D'");
  create(name, header(">f8", "True", m, n) + whole);
  EXPECT_EQ(sentence(), "invalid: x.npy has elements of '>f8', which cannot be converted from or to type = 'D'");
  create(name, header("|O", "True", m, n) + whole);
  EXPECT_EQ(sentence(), "file: x.npy: has elements of the type '|O', which cannot be read");
  std::string structures = header("<f8", "True", m, n);
  structures.replace(structures.find("'<f8'"), 5, "[('x', '<f4'), ('y', '<f4')]");
  structures.erase(117 + 10, 23);  // blanks
  create(name, structures.insert(structures.size(), whole));
  EXPECT_EQ(sentence(), "file: x.npy: its elements are structures, which cannot be read");
  create(name, header("<f8", "True", m, n) + whole);
  file.row = 2;
  EXPECT_EQ(sentence(), "invalid: m is 6: with row = 2 it reaches beyond the matrix in the file, which has 6");
  file.row = 1, file.type_in_file = 'S';
  EXPECT_EQ(sentence(), "invalid: x.npy has elements of '<f8', type_in_file is 'S'");
  file.type_in_file = 0;
  file.name = folder_.name().c_str();
  EXPECT_NE(sentence().find("is not a regular file"), std::string::npos) << sentence();
  file.name = name.c_str();
  EXPECT_EQ(wrong_after_reading(layout, file), 0);
}

// Plans of files have half of the option "buffer". Other plans of the communicator, which a process makes or executes
// while a file is written, have the whole.
TEST_F(File, LeavesTheOptionsOfOtherPlans) {
  if (size() < 2) GTEST_SKIP() << "one process needs no buffers";
  constexpr std::int64_t n = 1000;
  const auto buffer_bytes = [] {
    const xredist_layout from{1, size(), n, 1}, to{size(), 1, 1, n};
    xredist_plan* plan = nullptr;
    xredist_plan_info info{};
    EXPECT_EQ(outcome(create_plan(MPI_COMM_WORLD, from, to, {.m = n, .n = n, .type = 'D'}, &plan)), "");
    EXPECT_EQ(outcome(xredist_plan_query(plan, &info)), "");
    xredist_plan_destroy(plan);
    return info.buffer_bytes;
  };
  const std::int64_t before = buffer_bytes();
  ASSERT_GT(before, 0);
  const xredist_layout layout{.nprow = size(), .npcol = 1, .mb = 1, .nb = 1};
  const std::string name = path("x.npy");
  const xredist_file file{.name = name.c_str(), .m = 50, .n = 40, .type = 'D'};
  const Part part = filled(layout, 50, 40);
  std::int64_t within = -1;
  before_writing = [&] { within = buffer_bytes(); };
  EXPECT_EQ(outcome(write(layout, part, file)), "");
  before_writing = nullptr;
  if (rank() == 0) {  // which creates the file, at least
    EXPECT_EQ(within, before);
  } else if (within >= 0) {
    EXPECT_EQ(within, before);
  }
}

// The error of one process is that of all.
TEST_F(File, InvalidArgumentsAreNamed) {
  const xredist_layout layout{.nprow = size(), .npcol = 1, .mb = 1, .nb = 1};
  const std::string name = path("x.npy"), other = path("y.npy");
  const xredist_file good{.name = name.c_str(), .m = size(), .n = 4, .type = 'D'};
  const Part part = filled(layout, size(), 4);
  const bool last = rank() == size() - 1;
  const auto in_last = [](const char* text) { return "invalid: " + of_process(size() - 1, text); };
  const auto sentence = [&](auto change) {
    xredist_file file = good;
    change(file);
    return outcome(write(layout, part, file));
  };
  EXPECT_EQ(sentence([&](xredist_file& x) { x.m = last ? -1 : x.m; }), in_last("m is -1, must be at least 0"));
  EXPECT_EQ(sentence([&](xredist_file& x) { x.name = last ? nullptr : x.name; }), in_last("file.name is NULL"));
  EXPECT_EQ(sentence([](xredist_file& x) { x.format = 'X'; }), "invalid: format is 'X', must be N or R");
  EXPECT_EQ(sentence([](xredist_file& x) { x.offset = 4; }), "invalid: offset is 4, must be 0 for format N");
  EXPECT_EQ(sentence([](xredist_file& x) { x.rows = 1, x.row = 2; }).substr(0, 8), "invalid:");
  EXPECT_EQ(sentence([](xredist_file& x) { x.type = 0, x.bytes = 8, x.descr = "<f4"; }),
            "invalid: descr is '<f4', must describe an element of 8 bytes");
  EXPECT_EQ(outcome(xredist_write(MPI_COMM_WORLD, &layout, last ? nullptr : part.data.data(), 0, &good)),
            in_last("a is NULL on a process that holds a part of it"));
  EXPECT_EQ(outcome(xredist_write(MPI_COMM_WORLD, &layout, part.data.data(), 0, nullptr)), "invalid: file is NULL");
  EXPECT_EQ(outcome(xredist_write(MPI_COMM_WORLD, nullptr, part.data.data(), 0, &good)), "invalid: layout is NULL");
  EXPECT_EQ(files(), 0);
}

// The last process passes other values than the others.
TEST_F(File, ValuesThatDifferAreNamed) {
  if (size() < 2) GTEST_SKIP() << "needs 2 processes";
  const xredist_layout good_layout{.nprow = size(), .npcol = 1, .mb = 2, .nb = 2};
  const std::string name = path("x.npy"), other = path("y.npy");
  const std::int64_t bounds[] = {0, 4};
  const int owners[] = {0};
  const xredist_partition whole{1, bounds, owners};
  std::vector<int> ranks(static_cast<std::size_t>(size()));
  for (int k = 0; k < size(); ++k) ranks[static_cast<std::size_t>(k)] = size() - 1 - k;
  struct Difference {
    const char* sentence;  // before " differs between processes"
    std::function<void(xredist_layout&, xredist_file&)> change;
    const char* values = "";
  };
  const Part part(xredist_layout{.nprow = 1, .npcol = 1, .mb = 100, .nb = 100}, 4 * size(), 8, 0);
  for (const auto& [sentence, change, values] : std::vector<Difference>{
           {"layout.npcol", [](auto&x, auto&) { std::swap(x.nprow, x.npcol); }, nullptr},
           {"layout.cols", [&](auto&x, auto&) { x.cols = &whole; }},
           {"layout.mb", [](auto&x, auto&) { x.mb = 3; }, ": from 2 to 3"},
           {"layout.nb", [](auto&x, auto&) { x.nb = 1; }, ": from 1 to 2"},
           {"layout.rsrc", [](auto&x, auto&) { x.rsrc = 1; }, ": from 0 to 1"},
           {"layout.ranks", [&](auto&x, auto&) { x.ranks = ranks.data(); }},
           {"file.name", [&](auto&, auto&x) { x.name = other.c_str(); }},
           {"m", [](auto&, auto&x) { x.m = 1; }, ": from 1 to 2"},
           {"n", [](auto&, auto&x) { x.n = 5; }, ": from 4 to 5"},
           {"i", [](auto&, auto&x) { x.i = 2; }, ": from 1 to 2"},
           {"j", [](auto&, auto&x) { x.j = 2; }, ": from 1 to 2"},
           {"row", [](auto&, auto&x) { x.row = 3; }, ": from 1 to 3"},
           {"col", [](auto&, auto&x) { x.col = 3; }, ": from 1 to 3"},
           {"type", [](auto&, auto&x) { x.type = 'C'; }},
           {"type_in_file", [](auto&, auto&x) { x.type_in_file = 'S'; }},
           {"format", [](auto&, auto&x) { x.format = 'R'; }},
           {"order", [](auto&, auto&x) { x.order = 'C'; }},
           {"update", [](auto&, auto&x) { x.update = 'Y'; }},
           {"rows", [](auto&, auto&x) { x.rows = 9; }, ": from 2 to 9"},
           {"cols", [](auto&, auto&x) { x.cols = 9; }, ": from 4 to 9"},
       }) {
    xredist_layout layout = good_layout;
    xredist_file file{.name = name.c_str(), .m = 2, .n = 4, .type = 'D'};
    if (rank() == size() - 1) change(layout, file);
    const std::string found = outcome(xredist_write(MPI_COMM_WORLD, &layout, part.data.data(), 0, &file));
    if (values != nullptr) {
      EXPECT_EQ(found, std::string("invalid: ") + sentence + " differs between processes" + values);
    } else {
      EXPECT_EQ(found, "invalid: layout.nprow differs between processes: from 1 to " + std::to_string(size()));
    }
  }
  for (const bool described : {false, true}) {
    xredist_file file{.name = name.c_str(), .m = 2, .n = 4, .bytes = 8};
    if (rank() == size() - 1) (described ? file.descr = "<i8" : nullptr), file.bytes = described ? 8 : 4;
    EXPECT_EQ(outcome(xredist_write(MPI_COMM_WORLD, &good_layout, part.data.data(), 0, &file)),
              described ? "invalid: descr differs between processes"
                        : "invalid: bytes differs between processes: from 4 to 8");
  }
  EXPECT_EQ(files(), 0);
}

// The name is below a file, below a folder that does not exist, or a folder: also root may not write there.
TEST_F(File, ThatCannotBeCreatedIsAnErrorOfAllProcesses) {
  const xredist_layout layout{.nprow = size(), .npcol = 1, .mb = 1, .nb = 1};
  const Part part = filled(layout, 5, 4);
  create(path("file"), "old");
  for (const std::string& name : {path("file/x.npy"), path("none/x.npy"), folder_.name()}) {
    const xredist_file file{.name = name.c_str(), .m = 5, .n = 4, .type = 'D'};
    EXPECT_EQ(outcome(write(layout, part, file)).substr(0, 5), "file:") << name;
  }
  EXPECT_EQ(files(), 1);
}

// A path that has as many characters, within the folder, with folders that rank 0 makes. `name`: characters of the last
// part.
std::string long_path(const std::string& folder, std::size_t length, std::size_t name) {
  std::string path = folder;
  while (path.size() + 1 + name < length) {
    const std::size_t room = length - path.size() - 1 - name;  // with a slash
    path += "/" + std::string(room > 250 ? 200 : room - 1, 'd');
  }
  if (rank() == 0) std::filesystem::create_directories(path);
  barrier();
  return path + "/" + std::string(name, 'f');
}

// Names have at most 255 characters and paths at most 4095 (NAME_MAX, PATH_MAX without the end of the text).
TEST_F(File, OfAnyNameThatTheSystemPermits) {
  constexpr std::int64_t m = 9, n = 7;
  const Layouts layouts(m, n);
  const std::size_t shortest = folder_.name().size();
  for (const auto& [length, part] : {std::pair<std::size_t, std::size_t>{shortest + 256, 255},
                                     {shortest + 227, 226},
                                     {255, 20},
                                     {257, 20},
                                     {PATH_MAX - 1, 255},
                                     {PATH_MAX - 1, 1},
                                     {PATH_MAX - 1, 100}}) {
    const std::string name = long_path(folder_.name(), length, part);
    ASSERT_EQ(name.size(), length);
    xredist_file file{.name = name.c_str(), .m = m, .n = n, .type = 'D'};
    for (const char update : {'N', 'N', 'Y'}) {  // a new file, one that replaces it, and an update
      file.update = update;
      ASSERT_EQ(outcome(write(layouts.all[0], filled(layouts.all[0], m, n), file)), "") << length << ", " << part;
      EXPECT_EQ(wrong_after_reading(layouts.all[1], file), 0);
    }
    xredist_file_info info{};
    EXPECT_EQ(outcome(xredist_file_query(MPI_COMM_WORLD, name.c_str(), &info)), "");
    EXPECT_EQ(info.rows, m);
    barrier();
    if (rank() == 0) {
      EXPECT_EQ(std::distance(std::filesystem::directory_iterator(std::filesystem::path(name).parent_path()), {}), 1);
      std::filesystem::remove(name);
    }
  }
}

// A sentence has room for the end of a long path, and for the reason.
TEST_F(File, OfANameThatTheSystemDoesNotPermit) {
  const Layouts layouts(5, 4);
  for (const std::string& name : {path(std::string(256, 'f')), long_path(folder_.name(), PATH_MAX, 9),
                                  long_path(folder_.name(), PATH_MAX - 1, 9) + "x"}) {
    const xredist_file file{.name = name.c_str(), .m = 5, .n = 4, .type = 'D'};
    Part part = filled(layouts.all[0], 5, 4);
    const std::string shown = name.size() > 300 ? "..." + name.substr(name.size() - 300) : name;
    const std::string sentence = "file: " + shown + " cannot be opened: " + std::strerror(ENAMETOOLONG);
    EXPECT_EQ(outcome(write(layouts.all[0], part, file)), sentence);
    EXPECT_EQ(outcome(xredist_read(MPI_COMM_WORLD, &layouts.all[0], part.data.data(), part.ld, &file)), sentence);
    xredist_file_info info{};
    EXPECT_EQ(outcome(xredist_file_query(MPI_COMM_WORLD, name.c_str(), &info)), sentence);
  }
  const std::string none = long_path(folder_.name(), 2000, 100);
  const xredist_file file{.name = none.c_str(), .m = 5, .n = 4, .type = 'D'};
  Part part = filled(layouts.all[0], 5, 4);
  EXPECT_EQ(outcome(xredist_read(MPI_COMM_WORLD, &layouts.all[0], part.data.data(), part.ld, &file)),
            "file: ..." + none.substr(1700) + " cannot be opened: " + std::strerror(ENOENT));
}

mode_t mode_of(const std::string& name) {
  struct stat status {};
  EXPECT_EQ(stat(name.c_str(), &status), 0) << name;
  return status.st_mode & 07777;
}

// As after open(), for a new file and for one that is overwritten. `during`: the temporary file has no reader that the
// old file had not.
TEST_F(File, HasTheModeOfTheOneThatItReplaces) {
  const Layouts layouts(5, 4);
  const std::string name = path("a.npy");
  const xredist_file file{.name = name.c_str(), .m = 5, .n = 4, .type = 'D'};
  const Part part = filled(layouts.all[0], 5, 4);
  mode_t during = 0;
  before_writing = [&] {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.name()))
      if (entry.path().extension() == ".tmp") during |= mode_of(entry.path());
  };
  for (const mode_t mask : {0022, 0002, 0077, 0777}) {
    const mode_t before = umask(mask);
    EXPECT_EQ(outcome(write(layouts.all[0], part, file)), "");
    umask(before);
    if (rank() == 0) {
      EXPECT_EQ(mode_of(name), 0666 & ~mask);
      std::filesystem::remove(name);
    }
    barrier();
  }
  create(name, "old");
  for (const mode_t mode : {0600, 0660, 0640, 0666, 0777, 0200, 0444}) {
    if (mode == 0444 && geteuid() != 0) continue;  // only root may overwrite it
    if (rank() == 0) {
      EXPECT_EQ(chmod(name.c_str(), mode), 0);
    }
    barrier();
    during = 0;
    EXPECT_EQ(outcome(write(layouts.all[0], part, file)), "");
    if (rank() == 0) {
      EXPECT_EQ(mode_of(name), mode);
      EXPECT_EQ(during, 0600U);
    }
  }
  before_writing = nullptr;
  if (geteuid() != 0) return;
  if (rank() == 0) {
    EXPECT_EQ(chown(name.c_str(), 12345, 54321), 0);
  }
  barrier();
  EXPECT_EQ(outcome(write(layouts.all[0], part, file)), "");
  if (rank() == 0) {
    struct stat status {};
    EXPECT_EQ(stat(name.c_str(), &status), 0);
    EXPECT_EQ(status.st_uid, 12345U);
    EXPECT_EQ(status.st_gid, 54321U);
    EXPECT_EQ(status.st_mode & 07777, 0444U);
  }
}

// A file that the user may not overwrite, in a folder in which he may replace it. Root becomes another user.
TEST_F(File, ThatMayNotBeOverwrittenIsAnErrorOfAllProcesses) {
  const Layouts layouts(5, 4);
  const std::string name = path("a.npy");
  create(name, "old");
  if (rank() == 0) {
    EXPECT_EQ(chmod(name.c_str(), 0444), 0);
    EXPECT_EQ(chmod(folder_.name().c_str(), 0777), 0);
  }
  barrier();
  const uid_t before = geteuid();
  if (before == 0) {
    EXPECT_EQ(seteuid(12345), 0);
  }
  const xredist_file file{.name = name.c_str(), .m = 5, .n = 4, .type = 'D'};
  const Part part = filled(layouts.all[0], 5, 4);
  EXPECT_EQ(outcome(write(layouts.all[0], part, file)),
            "file: " + name + " cannot be replaced: " + std::strerror(EACCES));
  // The file of another user and group becomes one of this user: the group has the permissions of others.
  if (before == 0 && rank() == 0) {
    EXPECT_EQ(seteuid(0), 0);
    EXPECT_EQ(chmod(name.c_str(), 06666), 0);
    EXPECT_EQ(chown(name.c_str(), 11, 22), 0);
    EXPECT_EQ(chmod(name.c_str(), 06662), 0);
    EXPECT_EQ(seteuid(12345), 0);
  }
  if (before == 0) {
    EXPECT_EQ(outcome(write(layouts.all[0], part, file)), "");
    EXPECT_EQ(seteuid(0), 0);
    barrier();
    if (rank() == 0) {
      EXPECT_EQ(mode_of(name), 0622U);
    }
  }
  EXPECT_EQ(files(), 1);
}

// Limits the size of the files that this process writes, so that a write fails in the middle as on a full disk. If
// there are several processes, rank 0 has no limit: it would fail as it creates the file.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    if (rank() > 0 || size() == 1) limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_;
};

TEST_F(File, WithoutRoomLeavesTheOldOne) {
  constexpr std::int64_t m = 1200, n = 1000;
  const Layouts layouts(m, n);
  const std::string name = path("a.npy");
  create(name, "old");
  const xredist_file file{.name = name.c_str(), .m = m, .n = n, .type = 'D'};
  const Part part = filled(layouts.all[0], m, n);
  std::signal(SIGXFSZ, SIG_IGN);
  {
    const FileSizeLimit limit(2 << 20);
    EXPECT_EQ(outcome(write(layouts.all[0], part, file)).substr(0, 5), "file:");
  }
  std::signal(SIGXFSZ, SIG_DFL);
  EXPECT_EQ(files(), 1);
  if (rank() == 0) {
    EXPECT_EQ(contents(name), "old");
  }
  EXPECT_EQ(outcome(write(layouts.all[0], part, file)), "");
  EXPECT_EQ(wrong_after_reading(layouts.all[2], file), 0);
}

#ifdef __linux__
TEST_F(File, OnAFullDiskLeavesTheOldOne) {
  constexpr std::int64_t m = 900, n = 800;
  int mounted = rank() == 0 && mount("none", folder_.name().c_str(), "tmpfs", 0, "size=3m") == 0;
  MPI_Bcast(&mounted, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (mounted == 0) GTEST_SKIP() << "this user may not mount a file system";
  const Layouts layouts(m, n);
  const std::string name = path("a.npy");
  create(name, "old");
  const xredist_file file{.name = name.c_str(), .m = m, .n = n, .type = 'D'};
  EXPECT_EQ(outcome(write(layouts.all[0], filled(layouts.all[0], m, n), file)).substr(0, 5), "file:");
  EXPECT_EQ(files(), 1);
  if (rank() == 0) {
    EXPECT_EQ(contents(name), "old");
    EXPECT_EQ(umount(folder_.name().c_str()), 0);
  }
  barrier();
}
#endif

}  // namespace
}  // namespace xredist::testing

// Takes the place of the system's function in the library, too.
extern "C" __attribute__((visibility("default"))) ssize_t pwrite(int file, const void* from, std::size_t bytes,
                                                                 off_t offset) {
  if (xredist::testing::before_writing) xredist::testing::before_writing();
  static const auto next = reinterpret_cast<decltype(&pwrite)>(dlsym(RTLD_NEXT, "pwrite"));
  return next(file, from, bytes, offset);
}
