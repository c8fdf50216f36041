// SPDX-License-Identifier: BSD-3-Clause
// The arguments of plans on a communicator: a matrix is an array of two axes, whose arguments are compared like those
// of any array. With a simulated MPI.
#include "api/compared_arrays.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/array_layout.hpp"
#include "api/array_operation.hpp"
#include "api/layout_arguments.hpp"
#include "api/matrix_operation.hpp"
#include "failure_of.hpp"
#include "random.hpp"
#include "world.hpp"

namespace xredist::testing {
namespace {

using namespace core;

// Compares the arguments of 3 processes, and returns the sentence of the failure of process 1; an empty one if all
// agree.
template <class ComparedOn>
std::string outcome(const ComparedOn& compared_on) {
  World world(one_node(3), 1, {}, 5);
  std::array<std::string, 3> sentences;
  world.run([&](const Process& process) {
    Turns turns;
    try {
      agreed_values(attempt([&] { return compared_on(own_rank()); }), process.channels.front()->comm(), turns);
    } catch (const Failure& failure) {
      at(sentences, own_rank()) = failure.what();
    }
  });
  EXPECT_EQ(sentences[0], sentences[1]);
  EXPECT_EQ(sentences[2], sentences[1]);
  return sentences[1];
}

struct Matrices {
  xredist_layout a{.nprow = 3, .npcol = 1, .mb = 2, .nb = 3}, b{.nprow = 1, .npcol = 3, .mb = 4, .nb = 5};
  xredist_operation operation = with_defaults({.m = 20, .n = 30, .type = 'D'});
};

TEST(ComparedArrays, NameEveryArgumentOfMatrices) {
  static const std::array<std::int64_t, 3> bounds{0, 10, 20};
  static const xredist_partition partition{2, bounds.data(), nullptr, {}};
  static const std::array others{2, 1, 0}, ascending{0, 1, 2};
  static const std::array<std::int64_t, 30> numbers{};
  const std::string letter = "a letter, an option or the size of the elements differs between processes";
  const std::vector<std::pair<std::string, void (*)(Matrices&)>> cases{
      {"", [](Matrices&) {}},
      {"a.nprow differs between processes: from 2 to 3", [](Matrices& x) { x.a.nprow = 2; }},
      {"operation.rows_a differs between processes", [](Matrices& x) { x.operation.rows_a = numbers.data(); }},
      {"operation.cols_a differs between processes", [](Matrices& x) { x.operation.cols_a = numbers.data(); }},
      {"operation.rows_b differs between processes", [](Matrices& x) { x.operation.rows_b = numbers.data(); }},
      {"operation.cols_b differs between processes", [](Matrices& x) { x.operation.cols_b = numbers.data(); }},
      {"a.mb differs between processes: from 2 to 3", [](Matrices& x) { x.a.mb = 3; }},
      {"a.rsrc differs between processes: from 0 to 1", [](Matrices& x) { x.a.rsrc = 1; }},
      {"a.nb differs between processes: from 2 to 3", [](Matrices& x) { x.a.nb = 2; }},
      {"b.mb differs between processes: from 2 to 4", [](Matrices& x) { x.b.mb = 2; }},
      {"b.rows differs between processes", [](Matrices& x) { x.b.rows = &partition; }},
      {"b.npcol differs between processes: from 2 to 3", [](Matrices& x) { x.b.npcol = 2; }},
      {"b.csrc differs between processes: from 0 to 2", [](Matrices& x) { x.b.csrc = 2; }},
      {"", [](Matrices& x) { x.a.ranks = ascending.data(); }},
      {"a.ranks differs between processes", [](Matrices& x) { x.a.ranks = others.data(); }},
      {"b.ranks differs between processes", [](Matrices& x) { x.b.ranks = others.data(); }},
      {"m differs between processes: from 19 to 20", [](Matrices& x) { x.operation.m = 19; }},
      {"n differs between processes: from 30 to 31", [](Matrices& x) { x.operation.n = 31; }},
      {"ia differs between processes: from 1 to 2", [](Matrices& x) { x.operation.ia = 2; }},
      {"ja differs between processes: from 1 to 3", [](Matrices& x) { x.operation.ja = 3; }},
      {"ib differs between processes: from 1 to 4", [](Matrices& x) { x.operation.ib = 4; }},
      {"jb differs between processes: from 1 to 5", [](Matrices& x) { x.operation.jb = 5; }},
      {letter, [](Matrices& x) { x.operation.type_b = 'S'; }},
      {letter, [](Matrices& x) { x.operation.trans = 'T'; }},
      {letter, [](Matrices& x) { x.operation.uplo = 'U'; }},
      {letter, [](Matrices& x) { x.operation.options = "route=direct"; }},
  };
  for (const auto& [sentence, change] : cases)
    EXPECT_EQ(outcome([&](int rank) {
                Matrices x;
                if (rank == 2) change(x);
                return compared(x.a, x.b, x.operation);
              }),
              sentence);
}

struct Arrays {
  std::array<xredist_axis, 4> of_a{{{3, 2, 0, nullptr, {}}, {}, {}, {}}}, of_b{{{}, {}, {3, 0, 0, nullptr, {}}, {}}};
  std::array<std::int64_t, 4> shape{6, 7, 8, 1}, first{1, 1, 1, 1};
  std::array<int, 4> order{2, 1, 0, 3};
  xredist_array_layout a{}, b{};
  xredist_array_operation operation{};

  Arrays() {
    a.dims = b.dims = 3;
    a.axes = of_a.data(), b.axes = of_b.data();
    operation.shape = shape.data(), operation.type = 'D';
  }
  Arrays(const Arrays&) = delete;
  Arrays& operator=(const Arrays&) = delete;
};

TEST(ComparedArrays, NameEveryArgumentOfArrays) {
  const std::string elements = "a letter, an option or the size of the elements differs between processes";
  const std::vector<std::pair<std::string, void (*)(Arrays&)>> cases{
      {"", [](Arrays& x) { x.operation.first_a = x.first.data(); }},
      {"a.axes[0].block differs between processes: from 2 to 3", [](Arrays& x) { x.of_a[0].block = 3; }},
      {"b.axes[2].block differs between processes: from -1 to 0", [](Arrays& x) { x.of_b[2].block = XREDIST_EVEN; }},
      {"a.order[0] differs between processes: from 0 to 2", [](Arrays& x) { x.a.order = x.order.data(); }},
      {"b.order[0] differs between processes: from 0 to 2", [](Arrays& x) { x.b.order = x.order.data(); }},
      {"a.shape is NULL on some processes only", [](Arrays& x) { x.a.shape = x.shape.data(); }},
      {"b.shape is NULL on some processes only", [](Arrays& x) { x.b.shape = x.shape.data(); }},
      {"a.dims differs between processes: from 3 to 4", [](Arrays& x) { x.a.dims = x.b.dims = 4; }},
      {"b.ranks differs between processes", [](Arrays& x) { x.b.ranks = x.order.data(); }},
      {"b.copies differs between processes: from 1 to 2", [](Arrays& x) { x.b.copies = 2; }},
      {"operation.shape[1] differs between processes: from 6 to 7", [](Arrays& x) { x.shape[1] = 6; }},
      {"operation.first_a[2] differs between processes: from 1 to 2",
       [](Arrays& x) { x.first[2] = 2, x.operation.first_a = x.first.data(); }},
      {"operation.first_b[0] differs between processes: from 1 to 2",
       [](Arrays& x) { x.first[0] = 2, x.operation.first_b = x.first.data(); }},
      {elements, [](Arrays& x) { x.operation.type_b = 'Z'; }},
      {elements, [](Arrays& x) { x.operation.options = "route=direct"; }},
  };
  for (const auto& [sentence, change] : cases)
    EXPECT_EQ(outcome([&](int rank) {
                Arrays x;
                if (rank == 2) change(x);
                return compared(x.a, x.b, x.operation);
              }),
              sentence);
}

// Layouts that have a shape on all processes.
TEST(ComparedArrays, NameTheSizeOfTheWholeArray) {
  EXPECT_EQ(outcome([](int rank) {
              Arrays x;
              std::array whole = x.shape;
              if (rank == 2) whole[1] = 9;
              x.b.shape = whole.data();
              return compared(x.a, x.b, x.operation);
            }),
            "b.shape[1] differs between processes: from 7 to 9");
}

// A grid of some of the processes in any order, blocks or a partition along each axis: the local arrays of the matrix
// as an array have the elements that its layout gives to each process.
TEST(AsArray, HasTheElementsOfTheMatrix) {
  Random random(3);
  for (int trial = 0; trial < 300; ++trial) {
    const int nprow = random.in(1, 4), npcol = random.in(1, 4);
    const Index m = random.in(0, 30), n = random.in(0, 30);
    std::vector<int> ranks;
    for (int k = 0; k < nprow * npcol; ++k) ranks.push_back(2 * (nprow * npcol - k));
    const std::vector<std::int64_t> bounds{0, m / 3, m};
    const std::vector<int> owners{random.in(0, nprow - 1), random.in(0, nprow - 1)};
    const xredist_partition partition{2, bounds.data(), owners.data(), {}};
    const xredist_layout matrix{.nprow = nprow,
                                .npcol = npcol,
                                .mb = random.in(1, 9),
                                .nb = random.in(1, 9),
                                .rsrc = random.in(0, nprow - 1),
                                .csrc = random.in(0, npcol - 1),
                                .ranks = random.one_in(2) ? ranks.data() : nullptr,
                                .rows = random.one_in(2) ? &partition : nullptr};
    const AsArray array(matrix);
    EXPECT_EQ(layout_error("a", &array.get(), 100), std::nullopt);
    const Layout axes = layout_of(matrix, 1, 1);
    const std::array shape{m, n};
    for (int rank = -1; rank <= 2 * nprow * npcol + 1; ++rank) {
      std::array<Index, 2> local{}, expected{};
      set_local_shape(array.get(), shape.data(), rank, local.data());
      const std::vector<int> all = ranks_of(matrix);
      if (const auto found = std::ranges::find(all, rank); found != all.end()) {
        const Index position = found - all.begin();
        for (Index i = 0; i < m; ++i) expected[0] += owner(axes.rows, i) == position / npcol;
        for (Index j = 0; j < n; ++j) expected[1] += owner(axes.cols, j) == position % npcol;
      }
      EXPECT_EQ(local, expected) << "process " << rank;
    }
  }
}

TEST(Arguments, NamesHaveEntriesOfLists) {
  EXPECT_EQ(text_of({"desca", 4}), "desca");
  EXPECT_EQ(text_of({"a", -1, ".copies"}), "a.copies");
  EXPECT_EQ(text_of({"a", 12, ".axes[].block"}), "a.axes[12].block");
  EXPECT_EQ(text_of({"grid", 0, "[]"}), "grid[0]");
}

}  // namespace
}  // namespace xredist::testing
