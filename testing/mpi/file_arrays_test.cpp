// SPDX-License-Identifier: BSD-3-Clause
// Arrays of any number of axes in files: what is written is compared byte by byte, and read on other layouts.
#include <gtest/gtest.h>
#include <mpi.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include "array_model.hpp"
#include "failing_files.hpp"
#include "folder.hpp"
#include "plans.hpp"
#include "ranks.hpp"
#include "xredist/file.h"

namespace xredist::testing {
namespace {

class ArrayFile : public ::testing::Test {
 protected:
  ArrayFile() { EXPECT_EQ(xredist_set_option(MPI_COMM_WORLD, "buffer", "1M"), 0); }

  const Folder folder_;
  const std::string name_ = folder_.path("u.npy");
};

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void create(const std::string& path, const std::string& bytes) {
  if (rank() == 0) std::ofstream(path, std::ios::binary) << bytes;
  MPI_Barrier(MPI_COMM_WORLD);
}

// Returns the header of NumPy 1.24, of which the first part of `shape` has at most 8 characters.
std::string header(const std::string& descr, char order, const Integers& shape) {
  std::string text =
      "{'descr': '" + descr + "', 'fortran_order': " + (order == 'F' ? "True" : "False") + ", 'shape': (";
  for (std::size_t k = 0; k < shape.size(); ++k) text += (k == 0 ? "" : ", ") + std::to_string(shape[k]);
  text += shape.size() == 1 ? ",), }" : "), }";
  text.resize(std::max<std::size_t>(117, (text.size() + 21 + 10) / 64 * 64 + 53), ' ');
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(text.size() + 1) + '\0' + text + "\n";
}

// The bytes of an element.
std::string bytes_of_element(const Integers& element, std::int64_t bytes) {
  const double value = value_of(element);
  std::string text(static_cast<std::size_t>(bytes), static_cast<char>(element[0]));
  if (bytes == 4) {
    const auto single = static_cast<float>(value);
    std::memcpy(text.data(), &single, sizeof single);
  } else {
    std::memcpy(text.data(), &value, std::min<std::size_t>(text.size(), sizeof value));
  }
  return text;
}

struct Case {
  Side a, b;
  Integers shape, first_a, first_b, first_in_file, whole_a, whole_b, whole, gaps_a, gaps_b;
  char type = 'D', order = 'F';
  std::int64_t bytes = 8;
  bool strides = false;

  xredist_array_file file(const std::string& name) const {
    xredist_array_file file{.name = name.c_str(), .shape = shape.data(), .order = order};
    file.first_in_file = first_in_file.data(), file.shape_in_file = whole.data();
    file.type = type, file.bytes = bytes;
    return file;
  }
};

Integers shifted(Integers x, const Integers& first) {
  for (std::size_t k = 0; k < x.size(); ++k) x[k] += first[k] - 1;
  return x;
}

// Returns the elements in the file, of `bytes` bytes each; those outside the subarray are 0.
std::string elements_in_file(const Case& x, std::int64_t bytes) {
  Integers strides(x.shape.size());
  std::int64_t stride = bytes;
  for (std::size_t k = 0; k < x.shape.size(); ++k) {
    const std::size_t axis = x.order == 'F' ? k : x.shape.size() - 1 - k;
    strides[axis] = stride;
    stride *= x.whole[axis];
  }
  std::string all(static_cast<std::size_t>(stride), '\0');
  for_elements(x.shape, [&](const Integers& element) {
    std::int64_t place = 0;
    for (std::size_t k = 0; k < element.size(); ++k) place += (element[k] + x.first_in_file[k] - 1) * strides[k];
    all.replace(static_cast<std::size_t>(place), static_cast<std::size_t>(bytes), bytes_of_element(element, bytes));
  });
  return all;
}

// Returns the local array of one side, where the elements of the subarray are filled in, and all other bytes are 'x'.
std::string local_array(const Case& x, const Local& local, const Integers& first, bool filled) {
  const auto bytes = static_cast<std::size_t>(x.bytes);
  std::string all(local.size() * bytes, 'x');
  if (!filled) return all;
  for_elements(x.shape, [&](const Integers& element) {
    if (const std::int64_t place = local.place(shifted(element, first)); place >= 0)
      all.replace(static_cast<std::size_t>(place) * bytes, bytes, bytes_of_element(element, x.bytes));
  });
  return all;
}

void write(const Case& x, const xredist_array_file& of) {
  const Local local(x.a, x.whole_a, x.gaps_a);
  const std::string a = local_array(x, local, x.first_a, true);
  const xredist_array_layout layout = x.a.layout();
  xredist_array_file file = of;
  file.first = x.first_a.data();
  const std::int64_t* const strides = x.strides ? local.strides.data() : nullptr;
  ASSERT_EQ(outcome(xredist_array_write(MPI_COMM_WORLD, &layout, a.data(), strides, &file)), "");
}

// Expects that reading fills the subarray, and nothing else.
void expect_read(const Case& x, const xredist_array_file& of) {
  const Local local(x.b, x.whole_b, x.gaps_b);
  std::string b = local_array(x, local, x.first_b, false);
  const xredist_array_layout layout = x.b.layout();
  xredist_array_file file = of;
  file.first = x.first_b.data();
  const std::int64_t* const strides = x.strides ? local.strides.data() : nullptr;
  ASSERT_EQ(outcome(xredist_array_read(MPI_COMM_WORLD, &layout, b.data(), strides, &file)), "");
  EXPECT_TRUE(b == local_array(x, local, x.first_b, true));
}

// Elements of 4096 bytes make several panels, and several writers, of a few thousand elements.
Case random_case(Random& random, int dims) {
  Case x;
  constexpr std::array longest{0, 2500, 50, 13, 7, 5, 4};
  for (int k = 0; k < dims; ++k) {
    const int limit = longest.at(static_cast<std::size_t>(dims));
    x.shape.push_back(random.one_in(40) ? 0 : random.one_in(6) ? 1 : random.in(limit / 2, limit));
    const auto first = [&] { return random.one_in(2) ? 1 : random.in(1, 4); };
    x.first_a.push_back(first()), x.first_b.push_back(first()), x.first_in_file.push_back(first());
    const auto whole = [&](const Integers& from) { return from.back() - 1 + x.shape.back() + random.in(0, 1); };
    x.whole_a.push_back(whole(x.first_a)), x.whole_b.push_back(whole(x.first_b));
    x.whole.push_back(whole(x.first_in_file));
    x.gaps_a.push_back(random.in(0, 2)), x.gaps_b.push_back(random.in(0, 2));
  }
  if (random.one_in(2)) x.first_in_file.assign(x.shape.size(), 1), x.whole = x.shape;
  x.a = random_side(random, x.whole_a), x.b = random_side(random, x.whole_b);
  x.strides = random.one_in(2);
  if (!x.strides) x.gaps_a = x.gaps_b = Integers(x.shape.size(), 0);
  x.order = random.one_in(2) ? 'C' : 'F';
  if (random.one_in(2)) x.type = 0, x.bytes = random.one_in(2) ? 4096 : random.one_in(2) ? 3 : 24;
  return x;
}

TEST_F(ArrayFile, IsThatOfNumpyOnAnyLayout) {
  Random random(20'261'125);
  for (int k = 0; k < 60; ++k) {
    const Case x = random_case(random, 1 + k % 6);
    xredist_array_file file = x.file(name_);
    const bool single = x.type == 'D' && k % 3 == 0 && x.shape.size() < 6;
    if (single) file.type_in_file = 'S';
    ASSERT_NO_FATAL_FAILURE(write(x, file)) << "case " << k;
    const std::int64_t bytes = single ? 4 : x.bytes;
    const std::string descr = single ? "<f4" : x.type == 'D' ? "<f8" : "|V" + std::to_string(x.bytes);
    if (rank() == 0) {
      EXPECT_TRUE(contents(name_) == header(descr, x.order, x.whole) + elements_in_file(x, bytes)) << "case " << k;
    }
    file.order = 0, file.shape_in_file = nullptr;  // the header tells
    ASSERT_NO_FATAL_FAILURE(expect_read(x, file)) << "case " << k;
    xredist_array_file_info info{};
    ASSERT_EQ(outcome(xredist_array_file_query(MPI_COMM_WORLD, name_.c_str(), &info)), "");
    EXPECT_EQ(Integers(info.shape, info.shape + info.dims), x.whole);
    EXPECT_EQ(info.order, x.order);
    EXPECT_EQ(info.bytes, bytes);
    EXPECT_EQ(std::string(info.descr), descr);
    ASSERT_FALSE(anywhere(HasFailure())) << "case " << k;
  }
}

// An update changes the subarray of a file that has other elements, and a raw file begins at an offset.
TEST_F(ArrayFile, KeepsTheRemainder) {
  Random random(5);
  for (int k = 0; k < 24; ++k) {
    const Case x = random_case(random, 1 + k % 6);
    const std::string raw(13, 'r');
    const bool has_header = k % 2 == 0;
    std::string before =
        has_header ? header(x.type == 'D' ? "<f8" : "|V" + std::to_string(x.bytes), x.order, x.whole) : raw;
    const std::size_t begin = before.size();
    std::string expected = before + elements_in_file(x, x.bytes);
    before += std::string(expected.size() - begin, 'y');
    create(name_, before);
    xredist_array_file file = x.file(name_);
    file.update = 'Y';
    if (!has_header) file.format = 'R', file.offset = std::ssize(raw);
    ASSERT_NO_FATAL_FAILURE(write(x, file)) << "case " << k;
    ASSERT_NO_FATAL_FAILURE(expect_read(x, file)) << "case " << k;
    if (rank() == 0) {
      const std::string after = contents(name_);
      ASSERT_EQ(after.size(), expected.size());
      std::size_t kept = 0;  // every byte is the one of an element or, outside the subarray, as it was
      for (std::size_t place = begin; place < after.size(); ++place)
        kept += after[place] == 'y' && expected[place] == '\0' ? 1 : after[place] != expected[place] ? 1'000'000 : 0;
      const auto count = [](const Integers& sizes) {
        std::int64_t product = 1;
        for (const std::int64_t n : sizes) product *= n;
        return static_cast<std::size_t>(product);
      };
      EXPECT_EQ(kept, (count(x.whole) - count(x.shape)) * static_cast<std::size_t>(x.bytes)) << "case " << k;
    }
  }
}

// On four processes, each panel is two indices of the last axis, of which two processes each write one.
TEST_F(ArrayFile, OfALargeArray) {
  Case x;
  x.shape = x.whole = x.whole_a = x.whole_b = {128, 128, 6, 22};
  x.first_a = x.first_b = x.first_in_file = {1, 1, 1, 1}, x.gaps_a = x.gaps_b = {0, 0, 0, 0};
  x.a.axes.resize(4), x.b.axes.resize(4);
  x.a.axes[1].procs = size(), x.a.axes[1].block = 5;
  x.b.axes[0].procs = size(), x.b.axes[0].block = XREDIST_EVEN;
  x.a.order = {0, 1, 2, 3}, x.b.order = {3, 2, 1, 0};
  x.a.ranks.resize(static_cast<std::size_t>(size()));
  std::iota(x.a.ranks.begin(), x.a.ranks.end(), 0);
  x.b.ranks = x.a.ranks;
  std::vector<std::int64_t> told;
  for (const char order : {'F', 'C'}) {
    x.order = order;
    xredist_array_file file = x.file(name_);
    if (rank() == 0) {
      file.progress = [](std::int64_t done, std::int64_t all, void* context) {
        EXPECT_EQ(all, 128 * 128 * 6 * 22 * 8);
        static_cast<std::vector<std::int64_t>*>(context)->push_back(done);
      };
      file.progress_context = &told;
    }
    ASSERT_NO_FATAL_FAILURE(write(x, file));
    if (rank() == 0) {
      EXPECT_TRUE(contents(name_) == header("<f8", order, x.whole) + elements_in_file(x, 8)) << order;
      ASSERT_GT(told.size(), 4U);
      EXPECT_EQ(told.back(), 128 * 128 * 6 * 22 * 8);
      EXPECT_EQ(std::ranges::adjacent_find(told, std::greater_equal()), told.end());
    }
    told.clear();
    ASSERT_NO_FATAL_FAILURE(expect_read(x, file));
    told.clear();
  }
}

// A file with holes: the end of 70,000 x 70,000 x 9 doubles is beyond 2^38 bytes.
TEST_F(ArrayFile, ReachesBeyond2To32Bytes) {
  for (const char order : {'F', 'C'}) {
    Case x;
    x.shape = x.whole_a = x.whole_b = {2, 3, 4};
    x.first_a = x.first_b = {1, 1, 1}, x.gaps_a = x.gaps_b = {0, 0, 0};
    x.whole = {70'000, 70'000, 9}, x.first_in_file = {69'999, 69'998, 6};
    x.a.axes.resize(3), x.b.axes.resize(3);
    x.a.order = {0, 1, 2}, x.b.order = {2, 0, 1};
    x.a.axes[2].procs = x.b.axes[1].procs = size();
    for (int k = 0; k < size(); ++k) x.a.ranks.push_back(k);
    x.b.ranks = x.a.ranks;
    x.order = order;
    ASSERT_NO_FATAL_FAILURE(write(x, x.file(name_)));
    ASSERT_NO_FATAL_FAILURE(expect_read(x, x.file(name_)));
    if (rank() == 0) {
      EXPECT_EQ(std::filesystem::file_size(name_), 128 + 8 * std::uintmax_t{70'000} * 70'000 * 9);
      std::ifstream file(name_, std::ios::binary);
      file.seekg(-8, std::ios::end);
      double last = 0;
      file.read(reinterpret_cast<char*>(&last), sizeof last);
      EXPECT_EQ(last, value_of({1, 2, 3}));
    }
  }
}

// NumPy's array without dimensions is an array of one element.
TEST_F(ArrayFile, WithoutDimensions) {
  const double value = 42;
  create(name_, header("<f8", 'C', {}) + std::string(reinterpret_cast<const char*>(&value), sizeof value));
  const xredist_axis axis{};
  const xredist_array_layout layout{.dims = 1, .axes = &axis};
  const std::int64_t one = 1;
  double b = 0;
  const xredist_array_file file{.name = name_.c_str(), .shape = &one, .type = 'D'};
  EXPECT_EQ(outcome(xredist_array_read(MPI_COMM_WORLD, &layout, &b, nullptr, &file)), "");
  if (rank() == 0) {
    EXPECT_EQ(b, value);
  }
  xredist_array_file_info info{};
  EXPECT_EQ(outcome(xredist_array_file_query(MPI_COMM_WORLD, name_.c_str(), &info)), "");
  EXPECT_EQ(info.dims, 0);
  EXPECT_EQ(info.shape[0], 0);
}

// Slabs along the first of three axes, and what a call with one of them passes.
struct Slabs {
  std::array<xredist_axis, 3> axes{};
  xredist_array_layout layout{.dims = 3, .axes = axes.data()};
  Integers shape{2 * size(), 3, 4}, strides{1, 2, 6};
  xredist_array_file file{};
  std::vector<double> local = std::vector<double>(24, 7);
  const double* data = local.data();

  explicit Slabs(const std::string& name) {
    axes[0].procs = size();
    file.name = name.c_str(), file.shape = shape.data(), file.type = 'D';
  }
  Slabs(const Slabs&) = delete;
  Slabs& operator=(const Slabs&) = delete;

  std::string written() const {
    return outcome(xredist_array_write(MPI_COMM_WORLD, &layout, data, strides.data(), &file));
  }
  std::string read() {
    return outcome(xredist_array_read(MPI_COMM_WORLD, &layout, local.data(), strides.data(), &file));
  }
};

// The last process passes what is wrong. All have its sentence.
TEST_F(ArrayFile, ErrorsNameTheAxis) {
  const auto sentence = [&](auto change) {
    Slabs x(name_);
    if (rank() == size() - 1) change(x);
    return x.written();
  };
  const auto in_last = [](const std::string& text) { return "invalid: " + of_process(size() - 1, text); };
  const Integers zero{1, 0, 1}, five{1, 5, 1}, small{2 * size(), 3, 3};
  const Integers bounds{0, 3};
  const xredist_partition three{1, bounds.data(), nullptr};
  EXPECT_EQ(sentence([](Slabs&) {}), "");
  EXPECT_EQ(sentence([](Slabs& x) { x.shape[1] = -1; }), in_last("shape[1] is -1, must be at least 0"));
  EXPECT_EQ(sentence([&](Slabs& x) { x.file.first = zero.data(); }), in_last("first[1] is 0, must be at least 1"));
  EXPECT_EQ(sentence([&](Slabs& x) { x.file.first_in_file = zero.data(); }),
            in_last("first_in_file[1] is 0, must be at least 1"));
  EXPECT_EQ(sentence([](Slabs& x) {
              x.shape = {1 << 20, 1 << 20, 1 << 20};
            }),
            in_last("shape[2] is 1048576: with the axes before it these are 2^59 elements or more"));
  EXPECT_EQ(sentence([](Slabs& x) { x.file.shape = nullptr; }), in_last("file.shape is NULL"));
  EXPECT_EQ(sentence([](Slabs& x) { x.file.name = nullptr; }), in_last("file.name is NULL"));
  EXPECT_EQ(sentence([](Slabs& x) { x.file.reserved[0] = 1; }),
            in_last("file.reserved is not 0: set members by name, or make all bytes of the struct 0 first"));
  EXPECT_EQ(sentence([](Slabs& x) { x.layout.dims = 16; }), in_last("layout.dims is 16, must be in 1 .. 15"));
  EXPECT_EQ(sentence([](Slabs& x) { x.axes[2].procs = 2; }),
            in_last("layout.axes[2].procs is 2: with the axes before it the grid needs more than the " +
                    std::to_string(size()) + " processes of the communicator"));
  EXPECT_EQ(sentence([](Slabs& x) { x.axes[1].source = 1; }), in_last("layout.axes[1].source is 1, must be in 0 .. 0"));
  EXPECT_EQ(sentence([&](Slabs& x) { x.axes[2].partition = &three; }),
            in_last("shape[2] is 4: with first[2] = 1 it reaches beyond layout.axes[2].partition, which ends at 3"));
  EXPECT_EQ(sentence([&](Slabs& x) { x.layout.shape = small.data(); }),
            in_last("shape[2] is 4: with first[2] = 1 it reaches beyond layout.shape[2], which ends at 3"));
  EXPECT_EQ(sentence([](Slabs& x) { x.strides[2] = -1; }), in_last("strides[2] is -1, must be in 0 .. 2^40"));
  EXPECT_EQ(sentence([](Slabs& x) { x.data = nullptr; }), in_last("a is NULL on a process that holds a part of it"));
  EXPECT_EQ(outcome(xredist_array_write(MPI_COMM_WORLD, nullptr, nullptr, nullptr, nullptr)), "invalid: file is NULL");
  Slabs x(name_);
  EXPECT_EQ(outcome(xredist_array_write(MPI_COMM_WORLD, nullptr, nullptr, nullptr, &x.file)),
            "invalid: layout is NULL");
  ASSERT_EQ(x.written(), "");  // the file of the first call has other sizes on other numbers of processes
  if (rank() == size() - 1) x.strides[1] = 1;
  EXPECT_EQ(x.read(), in_last("strides[1] is 1: elements of B would share memory"));
  x.strides[1] = 2;
  x.file.first_in_file = five.data();
  EXPECT_EQ(x.read(),
            "invalid: shape[1] is 3: with first_in_file[1] = 5 it reaches beyond the array in the file, which has 3");
  EXPECT_EQ(std::ranges::count(x.local, 7), 24);
}

// One element, so far from the first one that its local array would have 2^63 bytes or more.
TEST_F(ArrayFile, EndsWithinTheAddressesOfMemory) {
  constexpr std::int64_t far = std::int64_t{1} << 40;
  const std::string name = folder_.path("far" + std::to_string(rank()) + ".npy"),
                    rule = "the local array would have 2^63 bytes or more";
  const std::array<xredist_axis, 3> axes{};
  const xredist_array_layout whole{.dims = 3, .axes = axes.data()};
  const Integers one{1, 1, 1}, first{far, far, far}, many{1 << 20, 1 << 20, 1 << 20};
  const xredist_array_file file{.name = name.c_str(), .shape = one.data(), .first = first.data(), .type = 'D'};
  double a[] = {1, 2, 3};
  EXPECT_EQ(outcome(xredist_array_write(MPI_COMM_SELF, &whole, a + 1, nullptr, &file)), "invalid: a: " + rule);
  xredist_array_layout too_large = whole;
  too_large.shape = many.data();
  const xredist_array_file near{.name = name.c_str(), .shape = one.data(), .type = 'D'};
  EXPECT_EQ(outcome(xredist_array_write(MPI_COMM_SELF, &too_large, a + 1, nullptr, &near)),
            "invalid: layout.shape[2] is 1048576: with the axes before it these are 2^59 elements or more");
  const xredist_layout matrix{1, 1, 4, 4};
  const xredist_file of_matrix{.name = name.c_str(), .m = 1, .n = 1, .i = far, .j = (1 << 24) + 1, .type = 'D'};
  EXPECT_EQ(outcome(xredist_write(MPI_COMM_SELF, &matrix, a + 1, 0, &of_matrix)), "invalid: a: " + rule);
  EXPECT_EQ(outcome(xredist_write(MPI_COMM_SELF, &matrix, a + 1, far, &of_matrix)),
            "invalid: lda is 1099511627776: " + rule);
}

TEST_F(ArrayFile, ValuesThatDifferAreNamed) {
  if (size() < 2) GTEST_SKIP() << "needs 2 processes";
  const auto sentence = [&](auto change) {
    Slabs x(name_);
    if (rank() == size() - 1) change(x);
    return x.written();
  };
  const Integers ones{1, 1, 1}, two{1, 1, 2}, larger{2 * size(), 5, 4};
  const std::array order{0, 2, 1};
  std::vector<int> ranks(static_cast<std::size_t>(size()));
  std::iota(ranks.rbegin(), ranks.rend(), 0);
  EXPECT_EQ(sentence([&](Slabs& x) { x.file.first = ones.data(); }), "");  // the default
  EXPECT_EQ(sentence([](Slabs& x) { x.layout.dims = 2; }),
            "invalid: layout.dims differs between processes: from 2 to 3");
  EXPECT_EQ(sentence([](Slabs& x) { x.axes[1].block = 2; }),
            "invalid: layout.axes[1].block differs between processes: from 0 to 2");
  EXPECT_EQ(sentence([&](Slabs& x) { x.layout.shape = larger.data(); }),
            "invalid: layout.shape is NULL on some processes only");
  EXPECT_EQ(sentence([&](Slabs& x) { x.layout.order = order.data(); }),
            "invalid: layout.order[1] differs between processes: from 1 to 2");
  EXPECT_EQ(sentence([&](Slabs& x) { x.layout.ranks = ranks.data(); }),
            "invalid: layout.ranks differs between processes");
  EXPECT_EQ(sentence([](Slabs& x) { x.shape[2] = 3; }), "invalid: shape[2] differs between processes: from 3 to 4");
  EXPECT_EQ(sentence([&](Slabs& x) { x.file.first = two.data(); }),
            "invalid: first[2] differs between processes: from 1 to 2");
  EXPECT_EQ(sentence([&](Slabs& x) { x.file.first_in_file = two.data(); }),
            "invalid: first_in_file[2] differs between processes: from 1 to 2");
  EXPECT_EQ(sentence([&](Slabs& x) { x.file.shape_in_file = larger.data(); }),
            "invalid: shape_in_file[1] differs between processes: from 3 to 5");
  EXPECT_EQ(sentence([](Slabs& x) { x.file.order = 'C'; }), "invalid: order differs between processes");
}

// The last process is in another function than the others, which only the names of the functions tell.
TEST_F(ArrayFile, FunctionsThatDifferAreNamed) {
  if (size() < 2) GTEST_SKIP() << "needs 2 processes";
  Slabs x(name_);
  const xredist_layout rows{.nprow = size(), .npcol = 1, .mb = 1, .nb = 1};
  const xredist_file matrix{.name = name_.c_str(), .m = size(), .n = 1, .type = 'D'};
  const auto expected = [](const std::string& first, const std::string& last) {
    return "invalid: process 0 of the communicator is in " + first + ", but process " + std::to_string(size() - 1) +
           " is in " + last;
  };
  const bool last = rank() == size() - 1;
  const auto of_matrix = [&] { return outcome(xredist_write(MPI_COMM_WORLD, &rows, x.data, 0, &matrix)); };
  EXPECT_EQ(last ? x.written() : of_matrix(), expected("xredist_write", "xredist_array_write"));
  EXPECT_EQ(last ? x.read() : x.written(), expected("xredist_array_write", "xredist_array_read"));
  EXPECT_EQ(x.written(), "");
}

TEST_F(ArrayFile, OfOtherDimensionsIsRefused) {
  Slabs x(name_);
  const auto sentence = [&] {
    const std::string text = x.read();
    EXPECT_EQ(std::ranges::count(x.local, 7), 24) << "B has changed: " << text;
    return text;
  };
  create(name_, header("<f8", 'F', {12, 2 * size()}) + std::string(static_cast<std::size_t>(192 * size()), '\0'));
  EXPECT_EQ(sentence(), "file: " + name_ + ": has an array with 2 dimensions, layout.dims is 3");
  create(name_, header("<f8", 'F', x.shape) + std::string(static_cast<std::size_t>(192 * size() - 1), '\0'));
  EXPECT_EQ(sentence(), "file: " + name_ + ": has " + std::to_string(127 + 192 * size()) +
                            " bytes, the array ends at byte " + std::to_string(128 + 192 * size()));
  const xredist_layout rows{.nprow = size(), .npcol = 1, .mb = 1, .nb = 1};
  const xredist_file matrix{.name = name_.c_str(), .m = size(), .n = 1, .type = 'D'};
  EXPECT_EQ(outcome(xredist_read(MPI_COMM_WORLD, &rows, x.local.data(), 0, &matrix)),
            "file: " + name_ + ": has an array with 3 dimensions, must have at most 2");
  xredist_file_info info{};
  EXPECT_EQ(outcome(xredist_file_query(MPI_COMM_WORLD, name_.c_str(), &info)),
            "file: " + name_ + ": has an array with 3 dimensions, must have at most 2");
}

// A file that grows beyond a limit on one process fails on all, and leaves the old file.
TEST_F(ArrayFile, WithoutRoomLeavesTheOldOne) {
  std::array<xredist_axis, 3> axes{};
  axes[1].procs = size();
  const xredist_array_layout layout{.dims = 3, .axes = axes.data()};
  const Integers shape{200, 10 * size(), 100};  // on several processes, the last writer is one that has the limit
  std::vector<double> a(200'000, 1);
  create(name_, "old");
  const xredist_array_file file{.name = name_.c_str(), .shape = shape.data(), .type = 'D', .order = 'C'};
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit limit = before;
  if (rank() > 0 || size() == 1) limit.rlim_cur = 1 << 20;  // rank 0 creates the file, of full size
  setrlimit(RLIMIT_FSIZE, &limit);
  const std::string sentence = outcome(xredist_array_write(MPI_COMM_WORLD, &layout, a.data(), nullptr, &file));
  setrlimit(RLIMIT_FSIZE, &before);
  if (size() == 1 || size() >= 5) {  // one writer of less than 8 MB is rank 0
    EXPECT_EQ(sentence.substr(0, 5), "file:");
  }
  EXPECT_FALSE(anywhere(sentence.empty() != (size() > 1 && size() < 5)));
  if (rank() == 0) {
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.name()), {}), 1);
    EXPECT_EQ(contents(name_) == "old", !sentence.empty());
  }
}

// Each allocation of a call fails once on a process: all processes return the same code and sentence, no temporary file
// stays, and the next call succeeds.
TEST_F(ArrayFile, SurvivesALackOfMemory) {
  if (size() > 3) GTEST_SKIP() << "as on three processes, but slowly";
  std::array<xredist_axis, 3> along_x{}, along_z{};
  along_x[0].procs = size(), along_x[0].block = XREDIST_EVEN;
  along_z[2].procs = size();
  const xredist_array_layout x{.dims = 3, .axes = along_x.data()}, z{.dims = 3, .axes = along_z.data()};
  const Integers shape{6, 2, 12};  // elements of 4096 bytes, in two panels
  constexpr std::size_t all = std::size_t{6} * 2 * 12 * 4096;
  std::string a(all, 'a'), b(all, 'b');
  const xredist_array_file file{.name = name_.c_str(), .shape = shape.data(), .bytes = 4096};
  const int victim = size() == 2 ? 0 : size() - 1;
  for (const bool writes : {true, false}) {
    const auto call = [&] {
      return writes ? xredist_array_write(MPI_COMM_WORLD, &x, a.data(), nullptr, &file)
                    : xredist_array_read(MPI_COMM_WORLD, &z, b.data(), nullptr, &file);
    };
    EXPECT_GT(fail_each_allocation_of(call, victim, XREDIST_SUCCESS, folder_), 40);
    if (writes && rank() == 0) {
      EXPECT_EQ(contents(name_).size(), 128 + all);
    }
  }
  Integers held(3);
  EXPECT_EQ(xredist_array_local_shape(&z, shape.data(), rank(), held.data()), 0);
  EXPECT_EQ(std::ranges::count(b, 'a'), held[0] * held[1] * held[2] * 4096);
}

// Without memory for the counts of pages, an array that is written as its last use keeps its pages.
TEST_F(ArrayFile, SurvivesALackOfMemoryAsItConsumes) {
  if (size() > 2) GTEST_SKIP() << "as on two processes, but slowly";
  std::array<xredist_axis, 3> axes{};
  axes[2].procs = size();
  const xredist_array_layout layout{.dims = 3, .axes = axes.data()};
  const Integers shape{6, 2, 24 * size()};  // 1.2 MB of each process
  std::string a(std::size_t{6} * 2 * 24 * 4096, 'a');
  const xredist_array_file file{.name = name_.c_str(), .shape = shape.data(), .bytes = 4096, .consume = 1};
  const auto call = [&] {
    std::ranges::fill(a, 'a');
    return xredist_array_write(MPI_COMM_WORLD, &layout, a.data(), nullptr, &file);
  };
  EXPECT_GT(fail_each_allocation_of(call, size() - 1, XREDIST_SUCCESS, folder_), 20);
  EXPECT_LT(std::ranges::count(a, 'a'), std::ssize(a) / 20);
  if (rank() == 0) {
    EXPECT_EQ(std::ranges::count(contents(name_).substr(128), 'a'), std::ssize(a) * size());
  }
}

}  // namespace
}  // namespace xredist::testing
