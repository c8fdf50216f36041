// SPDX-License-Identifier: BSD-3-Clause
// Plans of arrays of any number of axes, over MPI: every element, with a model that knows each axis alone.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "array_model.hpp"
#include "plans.hpp"
#include "ranks.hpp"
#include "sentences.hpp"
#include "xredist/array.h"

namespace xredist::testing {
namespace {

struct ArrayCase {
  Side a, b;
  Integers whole_a, whole_b, shape, first_a, first_b, gaps_a, gaps_b;
  std::vector<Integers> lists_a{}, lists_b{};  // of each axis, from 1; empty: neighbours
  double alpha = 1, beta = 0;
  bool strides = false;
};

// Returns an element of the subarray as an element of the array, from 0.
Integers in_array(Integers element, const Integers& first, const std::vector<Integers>& lists) {
  for (std::size_t k = 0; k < element.size(); ++k) {
    const std::int64_t i = element[k];
    element[k] = (lists[k].empty() ? first[k] + i : lists[k][static_cast<std::size_t>(i)]) - 1;
  }
  return element;
}

// Returns lists as an operation takes them.
std::vector<const std::int64_t*> told(const std::vector<Integers>& lists) {
  std::vector<const std::int64_t*> all;
  for (const Integers& list : lists) all.push_back(list.empty() ? nullptr : list.data());
  return all;
}

// Moves an array of doubles. Returns the number of elements of B on this process that are wrong.
int wrong_elements(const ArrayCase& x) {
  const Local local_a(x.a, x.whole_a, x.gaps_a), local_b(x.b, x.whole_b, x.gaps_b);
  std::vector<double> a(local_a.size(), -1), b(local_b.size(), 3), expected = b;
  for_elements(x.shape, [&](const Integers& element) {
    const Integers in_a = in_array(element, x.first_a, x.lists_a), in_b = in_array(element, x.first_b, x.lists_b);
    if (const std::int64_t place = local_a.place(in_a); place >= 0) a[static_cast<std::size_t>(place)] = value_of(in_a);
    if (const std::int64_t place = local_b.place(in_b); place >= 0)
      expected[static_cast<std::size_t>(place)] = x.beta * 3 + x.alpha * value_of(in_a);
  });
  const xredist_array_layout layout_a = x.a.layout(), layout_b = x.b.layout();
  const std::vector<const std::int64_t*> lists_a = told(x.lists_a), lists_b = told(x.lists_b);
  xredist_array_operation operation{.shape = x.shape.data(),
                                    .first_a = x.first_a.data(),
                                    .first_b = x.first_b.data(),
                                    .type = 'D',
                                    .lists_a = lists_a.data(),
                                    .lists_b = lists_b.data()};
  xredist_plan* plan = nullptr;
  EXPECT_EQ(outcome(xredist_array_plan_create(MPI_COMM_WORLD, &layout_a, &layout_b, &operation, &plan)), "");
  xredist_job job{.plan = plan, .a = a.data(), .b = b.data(), .alpha = &x.alpha, .beta = &x.beta};
  if (x.strides) job.strides_a = local_a.strides.data(), job.strides_b = local_b.strides.data();
  EXPECT_EQ(outcome(xredist_execute(&job)), "");
  xredist_plan_destroy(plan);
  int wrong = 0;
  for (std::size_t k = 0; k < b.size(); ++k) wrong += b[k] != expected[k];
  return wrong;
}

// Returns some elements of an axis in any order, or nothing; with `repeats`, some of them several times.
Integers random_list(Random& random, std::int64_t length, std::int64_t count, bool repeats) {
  if (!random.one_in(3)) return {};
  Integers all(static_cast<std::size_t>(length));
  std::iota(all.begin(), all.end(), 1);
  random.shuffle(all);
  all.resize(static_cast<std::size_t>(count));
  for (std::size_t k = 1; repeats && k < all.size(); ++k)
    if (random.one_in(3)) all[k] = all[0];
  return all;
}

// Returns the shape of an array that ends with the subarray, as one of a layout without a shape does.
Integers ends_of(const Integers& shape, const Integers& first, const std::vector<Integers>& lists) {
  Integers ends = shape;
  for (std::size_t k = 0; k < ends.size(); ++k)
    ends[k] = lists[k].empty() ? first[k] - 1 + shape[k] : *std::ranges::max_element(lists[k]);
  return ends;
}

ArrayCase random_array_case(Random& random) {
  ArrayCase x;
  const int dims = random.in(1, 5);
  constexpr std::array longest{0, 90, 20, 10, 6, 5};
  for (int k = 0; k < dims; ++k) {
    const int limit = longest[static_cast<std::size_t>(dims)];
    x.shape.push_back(random.one_in(30) ? 0 : random.in(1, limit));
    x.first_a.push_back(random.one_in(2) ? 1 : random.in(1, 4));
    x.first_b.push_back(random.one_in(2) ? 1 : random.in(1, 4));
    x.gaps_a.push_back(random.in(0, 2));
    x.gaps_b.push_back(random.in(0, 2));
    x.whole_a.push_back(x.first_a.back() - 1 + x.shape.back() + random.in(0, 2));
    x.whole_b.push_back(x.first_b.back() - 1 + x.shape.back() + random.in(0, 2));
    x.lists_a.push_back(random_list(random, x.whole_a.back(), x.shape.back(), random.one_in(2)));
    x.lists_b.push_back(random_list(random, x.whole_b.back(), x.shape.back(), false));
    if (!x.lists_a.back().empty()) x.first_a.back() = 1;
    if (!x.lists_b.back().empty()) x.first_b.back() = 1;
  }
  const bool ends_a = random.one_in(3), ends_b = random.one_in(3);
  if (ends_a) x.whole_a = ends_of(x.shape, x.first_a, x.lists_a);
  if (ends_b) x.whole_b = ends_of(x.shape, x.first_b, x.lists_b);
  x.a = random_side(random, x.whole_a);
  x.b = random_side(random, x.whole_b);
  if (ends_a) x.a.shape.clear();
  if (ends_b) x.b.shape.clear();
  x.strides = random.one_in(2);
  if (!x.strides) x.gaps_a = x.gaps_b = Integers(x.shape.size(), 0);
  if (random.one_in(3)) x.alpha = 2, x.beta = random.one_in(2) ? 0 : 0.5;
  return x;
}

TEST(Arrays, EveryElementArrives) {
  Random random(20'260'101);
  for (int k = 0; k < 500; ++k) {
    const ArrayCase x = random_array_case(random);
    ASSERT_EQ(wrong_elements(x), 0) << "case " << k << " on process " << rank();
  }
}

// The whole array on every process, in as many steps as a process has senders; and from the first copy back.
TEST(Arrays, WholeOnEveryProcess) {
  std::array<xredist_axis, 2> split{}, whole{};
  split[1].procs = size(), split[1].block = 2;
  const xredist_array_layout a{.dims = 2, .axes = split.data()}, b{.dims = 2, .axes = whole.data(), .copies = size()};
  const Integers shape{3, 2 * size()};
  const xredist_array_operation operation{.shape = shape.data(), .type = 'D', .options = "route=direct"};
  xredist_plan *there = nullptr, *back = nullptr;
  ASSERT_EQ(outcome(xredist_array_plan_create(MPI_COMM_WORLD, &a, &b, &operation, &there)), "");
  ASSERT_EQ(outcome(xredist_array_plan_create(MPI_COMM_WORLD, &b, &a, &operation, &back)), "");
  xredist_plan_info info{};
  ASSERT_EQ(xredist_plan_query(there, &info), 0);
  EXPECT_EQ(info.steps, size() - 1);
  EXPECT_EQ(info.bytes_sent, 48 * (size() - 1));
  std::vector<double> mine(6), all(6 * static_cast<std::size_t>(size())), expected = all;
  std::iota(mine.begin(), mine.end(), 6 * rank());
  std::iota(expected.begin(), expected.end(), 0);
  const xredist_job job{.plan = there, .a = mine.data(), .b = all.data()};
  ASSERT_EQ(outcome(xredist_execute(&job)), "");
  EXPECT_EQ(all, expected);
  if (rank() > 0) std::ranges::fill(all, -1);  // nobody reads the other copies
  const std::vector<double> before = mine;
  std::ranges::fill(mine, -2);
  const xredist_job returned{.plan = back, .a = all.data(), .b = mine.data()};
  ASSERT_EQ(outcome(xredist_execute(&returned)), "");
  EXPECT_EQ(mine, before);
  xredist_plan_destroy(there);
  xredist_plan_destroy(back);
}

// A grid of n processes along one axis of three.
struct Pencil {
  std::array<xredist_axis, 3> axes{};
  xredist_array_layout layout{};

  explicit Pencil(int axis) {
    axes.at(static_cast<std::size_t>(axis)).procs = size();
    layout.dims = 3, layout.axes = axes.data();
  }
};

// The arguments of a correct call, which a row changes.
struct ArrayCall {
  Pencil a{0}, b{2};
  Integers shape{6, 5, 4}, first{1, 1, 1};
  xredist_array_operation o{.shape = shape.data(), .first_a = first.data(), .type = 'D'};

  ArrayCall() = default;
  ArrayCall(const ArrayCall&) = delete;
  ArrayCall& operator=(const ArrayCall&) = delete;

  std::string error() const {
    xredist_plan* plan = nullptr;
    const std::string result = outcome(xredist_array_plan_create(MPI_COMM_WORLD, &a.layout, &b.layout, &o, &plan));
    EXPECT_EQ(plan != nullptr, result.empty());
    xredist_plan_destroy(plan);
    return result;
  }
};

TEST(Arrays, ErrorsNameTheAxis) {
  using X = ArrayCall;
  const std::string more = "the grid needs more than the " + std::to_string(size()) + " processes of the communicator";
  static constexpr std::array twice{0, 2, 2}, beyond{0, 1, 3};
  static constexpr std::array ranks{0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  static const Integers zeros{0, 1, 1}, low{1, 3, 1}, small{6, 5, 3}, huge{6, std::int64_t{1} << 41, 4},
      many{1 << 20, 1 << 20, 1 << 20};
  expect_rows<ArrayCall>(
      {
          {[](X&) {}, ""},
          {[](X& x) { x.a.layout.dims = 16; }, "a.dims is 16, must be in 1 .. 15"},
          {[](X& x) { x.b.layout.dims = 2; }, "b.dims is 2, must be a.dims = 3"},
          {[](X& x) { x.a.layout.axes = nullptr; }, "a.axes is NULL"},
          {[](X& x) { x.b.axes[1].procs = -1; }, "b.axes[1].procs is -1, must be at least 1, or 0 for 1"},
          {[](X& x) { x.a.axes[1].procs = 2; },
           "a.axes[1].procs is 2: with a.axes[0].procs = " + std::to_string(size()) + " " + more},
          {[](X& x) { x.a.axes[0].procs = 100; }, "a.axes[0].procs is 100: " + more},
          {[](X& x) { x.b.layout.copies = 2; }, "b.copies is 2: with the axes before it " + more},
          {[](X& x) { x.a.layout.copies = -1; }, "a.copies is -1, must be at least 1, or 0 for 1"},
          {[](X& x) { x.a.axes[2].block = -2; }, "a.axes[2].block is -2, must be at least 0, or XREDIST_EVEN"},
          {[](X& x) { x.a.axes[2].source = 1; }, "a.axes[2].source is 1, must be in 0 .. 0"},
          {[](X& x) { x.a.axes[0].block = XREDIST_EVEN, x.a.axes[0].source = 1; },
           "a.axes[0].source is 1, must be in 0 .. 0"},
          {[](X& x) { x.a.layout.order = twice.data(); }, "a.order[2] is 2, an axis that comes before"},
          {[](X& x) { x.a.layout.order = beyond.data(); }, "a.order[2] is 3, must be an axis, 0 .. 2"},
          {[](X& x) { x.a.layout.ranks = ranks.data(); },
           size() > 1 ? "a.ranks[1] is 0, which an earlier position has already" : ""},
          {[](X& x) { x.o.first_b = zeros.data(); }, "operation.first_b[0] is 0, must be at least 1"},
          {[](X& x) { x.a.layout.shape = small.data(), x.o.first_a = low.data(); },
           "operation.shape[1] is 5: with operation.first_a[1] = 3 it reaches beyond a.shape[1], which ends at 5"},
          {[](X& x) { x.o.shape = huge.data(); }, "operation.shape[1] is 2199023255552, must be at most 1099511627776"},
          {[](X& x) { x.o.shape = many.data(); },
           "operation.shape[2] is 1048576: with the axes before it these are 2^59 elements or more"},
          {[](X& x) { x.o.shape = nullptr; }, "operation.shape is NULL"},
          {[](X& x) { x.o.conj = 'T'; }, "operation.conj is 'T', must be N or R"},
          {[](X& x) { x.o.type = 0; }, "type and bytes are 0, one of them must be set"},
      },
      &ArrayCall::error);
}

TEST(Arrays, ErrorsNameTheEntryOfAList) {
  using Operation = xredist_array_operation;
  using X = ArrayCall;
  static Integers list{1, 5, 3, 2, 4};
  static const std::array<const std::int64_t*, 3> lists{nullptr, list.data(), nullptr};
  static const Integers shape{6, 5, 4}, second{1, 2, 1};
  const auto error = [](std::size_t k, std::int64_t entry, const std::int64_t* const* Operation::*side, bool ends) {
    list = {1, 5, 3, 2, 4};
    list[k] = entry;
    X x;
    x.o.*side = lists.data();
    if (ends) x.a.layout.shape = x.b.layout.shape = shape.data();
    return x.error();
  };
  for (const auto side : {&Operation::lists_a, &Operation::lists_b}) {
    const std::string name = side == &Operation::lists_a ? "a" : "b";
    EXPECT_EQ(error(0, 1, side, true), "");
    EXPECT_EQ(error(0, 6, side, false), "");
    EXPECT_EQ(error(0, 6, side, true),
              "invalid: operation.lists_" + name + "[1][0] is 6: beyond " + name + ".shape[1], which ends at 5");
    EXPECT_EQ(error(4, 0, side, false), "invalid: operation.lists_" + name + "[1][4] is 0, must be at least 1");
  }
  EXPECT_EQ(error(4, 5, &Operation::lists_a, true), "");
  EXPECT_EQ(error(4, 5, &Operation::lists_b, true),
            "invalid: operation.lists_b[1][4] is 5, as entry [1] is: no element of B may be written twice");
  list[4] = 4;
  static const Integers negative{6, -1, 4};
  expect_rows<ArrayCall>(
      {
          {[](X& x) { x.o.shape = negative.data(), x.o.lists_a = x.o.lists_b = lists.data(); },
           "operation.shape[1] is -1, must be at least 0"},
          {[](X& x) { x.o.lists_a = lists.data(), x.o.first_a = second.data(); },
           "operation.first_a[1] is 2, must be 1 with operation.lists_a[1]"},
      },
      &ArrayCall::error);
}

// If a layout has no shape, BLOCK divides the elements up to the greatest entry.
TEST(Arrays, EndWithTheGreatestEntry) {
  const std::int64_t n = 2 * size();
  Integers list(static_cast<std::size_t>(size()));
  for (std::size_t k = 0; k < list.size(); ++k) list[k] = n - 2 * static_cast<std::int64_t>(k);
  const std::int64_t* const lists[] = {list.data()};
  const std::int64_t shape[] = {size()};
  const xredist_axis split{.procs = size()};
  const xredist_array_layout layout{.dims = 1, .axes = &split};
  xredist_plan* plan = nullptr;
  ASSERT_EQ(outcome(xredist_array_plan_create(
                MPI_COMM_WORLD, &layout, &layout,
                std::array{xredist_array_operation{.shape = shape, .type = 'D', .lists_a = lists}}.data(), &plan)),
            "");
  const double a[] = {2.0 * rank() + 1, 2.0 * rank() + 2};
  double b = 0;
  ASSERT_EQ(outcome(execute_job({.plan = plan, .a = a, .b = &b})), "");
  EXPECT_EQ(b, n - 2 * rank());
  xredist_plan_destroy(plan);
}

TEST(Arrays, LocalShapesEndWithThePartition) {
  static constexpr std::int64_t bounds[] = {0, 3};
  static constexpr int owners[] = {0};
  const xredist_partition three{1, bounds, owners};
  const xredist_axis axes[] = {{}, {1, 0, 0, &three}};
  const xredist_array_layout layout{2, axes};
  std::int64_t local[2] = {};
  const Integers whole{6, 3}, longer{6, 4};
  EXPECT_EQ(xredist_array_local_shape(&layout, whole.data(), 0, local), 0) << xredist_error();
  EXPECT_EQ(local[1], 3);
  EXPECT_NE(xredist_array_local_shape(&layout, longer.data(), 0, local), 0);
  EXPECT_STREQ(xredist_error(), "shape[1] is 4: the partition ends at 3");
}

TEST(Arrays, ErrorsInJobsNameTheStride) {
  Pencil a(0), b(2);
  const Integers shape{6, 5, 4};
  const xredist_array_operation operation{.shape = shape.data(), .type = 'D'};
  xredist_plan* plan = nullptr;
  ASSERT_EQ(xredist_array_plan_create(MPI_COMM_WORLD, &a.layout, &b.layout, &operation, &plan), 0);
  xredist_plan_info info{};
  ASSERT_EQ(xredist_plan_query(plan, &info), 0);
  EXPECT_EQ(info.rows_a, 0);
  EXPECT_EQ(info.rows_b, 0);
  const bool holds_a = rank() * ((6 + size() - 1) / size()) < 6, holds_b = rank() * ((4 + size() - 1) / size()) < 4;
  std::vector<double> memory(1000);
  const xredist_job right{.plan = plan, .a = memory.data(), .b = memory.data() + 500};
  const auto error = [](const xredist_job& job) { return outcome(xredist_execute(&job)); };
  xredist_job job = right;
  job.lda = 6;
  EXPECT_EQ(error(job), "invalid: lda is 6, must be 0: the plan is of arrays");
  const Integers negative{1, -6, 30}, shared{1, 5, 30};
  job = right;
  job.strides_a = negative.data();
  if (holds_a) {
    EXPECT_EQ(error(job), "invalid: strides_a[1] is -6, must be in 0 .. 2^40");
  }
  job = right;
  job.strides_b = shared.data();
  if (holds_b) {
    EXPECT_EQ(error(job), "invalid: strides_b[1] is 5: elements of B would share memory");
  }
  job = right;
  job.b = nullptr;
  if (holds_b) {
    EXPECT_EQ(error(job), "invalid: b is NULL on a process that holds a part of it");
  }
  EXPECT_EQ(error(right), "");
  xredist_plan_destroy(plan);
}

// Products of sizes and strides may exceed 64 bits.
TEST(Arrays, StridesEndWithinTheAddressesOfMemory) {
  Pencil a(0), b(1);
  const Integers shape{size(), size(), 1 << 24}, far{1, size(), std::int64_t{1} << 40};
  const xredist_array_operation operation{.shape = shape.data(), .type = 'D'};
  xredist_plan* plan = nullptr;
  ASSERT_EQ(xredist_array_plan_create(MPI_COMM_WORLD, &a.layout, &b.layout, &operation, &plan), 0);
  double element = 0;
  xredist_job job{.plan = plan, .a = &element, .b = &element, .strides_a = far.data()};
  const std::string rule = "[2] is 1099511627776: the local array would have 2^63 bytes or more";
  EXPECT_EQ(outcome(xredist_execute(&job)), "invalid: strides_a" + rule);
  std::swap(job.strides_a, job.strides_b);
  EXPECT_EQ(outcome(xredist_execute(&job)), "invalid: strides_b" + rule);
  xredist_plan_destroy(plan);
}

// Local arrays without strides, of a subarray at the far end of three axes.
TEST(Arrays, WithoutGapsEndWithinTheAddressesOfMemory) {
  constexpr std::int64_t longest = std::int64_t{1} << 40;
  const std::array<xredist_axis, 3> axes{};
  const xredist_array_layout whole{.dims = 3, .axes = axes.data()};
  const Integers shape{1, 1, 1}, far{longest, longest, longest}, last{1 << 30, 1 << 30, 1};
  const auto result = [&](const Integers* first_a, const Integers* first_b) {
    xredist_array_operation operation{.shape = shape.data(), .type = 'D'};
    if (first_a != nullptr) operation.first_a = first_a->data();
    if (first_b != nullptr) operation.first_b = first_b->data();
    std::array<double, 3> a{1, 2, 3}, b{4, 5, 6};
    xredist_plan* plan = nullptr;
    EXPECT_EQ(outcome(xredist_array_plan_create(MPI_COMM_SELF, &whole, &whole, &operation, &plan)), "");
    const std::string of_execution = outcome(execute_job({.plan = plan, .a = a.data() + 1, .b = b.data() + 1}));
    const Integers near{0, 0, 0};  // the program has one element of its array
    EXPECT_EQ(
        outcome(execute_job(
            {.plan = plan, .a = a.data() + 1, .b = b.data() + 1, .strides_a = near.data(), .strides_b = near.data()})),
        "");
    EXPECT_EQ(b, (std::array{4.0, 2.0, 6.0}));
    xredist_plan_destroy(plan);
    return of_execution;
  };
  const std::string rule = ": the local array would have 2^63 bytes or more";
  EXPECT_EQ(result(&far, nullptr), "invalid: a" + rule);
  EXPECT_EQ(result(nullptr, &far), "invalid: b" + rule);
  EXPECT_EQ(result(&last, nullptr), "invalid: a" + rule);
}

// A subarray ends with element 2^40 of an axis, and a whole array has less than 2^59 elements.
TEST(Arrays, EndWithTheLimitsOfTheGuide) {
  static constexpr std::int64_t longest = std::int64_t{1} << 40;
  static const Integers ones{1, 1, 1}, twos{2, 1, 1}, end{longest, 1, 1}, many{1 << 20, 1 << 20, 1 << 20};
  expect_rows<ArrayCall>(
      {
          {[](ArrayCall& x) { x.o.shape = ones.data(), x.o.first_a = end.data(); }, ""},
          {[](ArrayCall& x) { x.o.shape = twos.data(), x.o.first_a = end.data(); },
           "operation.shape[0] is 2: with operation.first_a[0] = 1099511627776 it reaches beyond the longest axis, "
           "which ends at 1099511627776"},
          {[](ArrayCall& x) { x.b.layout.shape = many.data(); },
           "b.shape[2] is 1048576: with the axes before it these are 2^59 elements or more"},
      },
      &ArrayCall::error);
  constexpr std::array<int, 16> grid{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  std::array<xredist_axis, 16> axes{};
  EXPECT_EQ(outcome(xredist_axes("(*,*,*,*,*,*,*,*,*,*,*,*,*,*,*)", 15, grid.data(), axes.data())), "");
  EXPECT_EQ(outcome(xredist_axes("(*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*)", 16, grid.data(), axes.data())),
            "invalid: dims is 16, must be in 1 .. 15");
}

// Processes without a part of A or B ignore its strides.
TEST(Arrays, StridesAreIgnoredWithoutAPart) {
  Pencil a(0), b(0);
  const Integers shape{1, 5, 4}, wrong{-1, -1, -1};
  const xredist_array_operation operation{.shape = shape.data(), .type = 'D'};
  xredist_plan* plan = nullptr;
  ASSERT_EQ(xredist_array_plan_create(MPI_COMM_WORLD, &a.layout, &b.layout, &operation, &plan), 0);
  const std::vector<double> from(20, 7);
  std::vector<double> to(20, 0);
  xredist_job job{.plan = plan, .a = from.data(), .b = to.data()};
  if (rank() > 0) job.strides_a = job.strides_b = wrong.data();
  EXPECT_EQ(outcome(xredist_execute(&job)), "");
  EXPECT_EQ(std::ranges::count(to, 7), rank() == 0 ? 20 : 0);
  xredist_plan_destroy(plan);
}

TEST(Arrays, MatricesHaveNoStrides) {
  xredist_plan* plan = nullptr;
  ASSERT_EQ(create_plan(MPI_COMM_WORLD, {size(), 1, 1, 4}, {1, size(), 4, 1}, {.m = 4, .n = 4, .type = 'D'}, &plan), 0);
  std::vector<double> a(16), b(16);
  const Integers strides{1, 4};
  const xredist_job job{.plan = plan, .a = a.data(), .b = b.data(), .strides_b = strides.data()};
  EXPECT_EQ(outcome(xredist_execute(&job)), "invalid: strides_b is not NULL: the plan is of matrices");
  xredist_plan_destroy(plan);
}

std::string description_of(const xredist_plan* plan) {
  std::array<char, 2048> text{};
  EXPECT_EQ(xredist_plan_describe(plan, text.data(), text.size()), 0);
  return text.data();
}

// An array of two axes is a matrix: the plans are equal. On one process, both axes move as one.
TEST(Arrays, OfTwoAxesAreMatrices) {
  if (size() == 1) GTEST_SKIP() << "needs two processes";
  const std::array from{xredist_axis{size(), 3, 0, nullptr}, xredist_axis{1, 7, 0, nullptr}},
      to{xredist_axis{1, 5, 0, nullptr}, xredist_axis{size(), 2, 0, nullptr}};
  const xredist_array_layout a{.dims = 2, .axes = from.data()}, b{.dims = 2, .axes = to.data()};
  const Integers shape{60, 50};
  const xredist_array_operation operation{.shape = shape.data(), .type = 'D'};
  xredist_plan *of_array = nullptr, *of_matrix = nullptr;
  ASSERT_EQ(xredist_array_plan_create(MPI_COMM_WORLD, &a, &b, &operation, &of_array), 0);
  ASSERT_EQ(
      create_plan(MPI_COMM_WORLD, {size(), 1, 3, 7}, {1, size(), 5, 2}, {.m = 60, .n = 50, .type = 'D'}, &of_matrix),
      0);
  EXPECT_EQ(description_of(of_array), description_of(of_matrix));
  xredist_plan_destroy(of_array);
  xredist_plan_destroy(of_matrix);
}

// Axes that are whole on both sides, and adjacent in memory, move as one: the plan is that of a matrix.
TEST(Arrays, AdjacentAxesMoveAsOne) {
  std::array<xredist_axis, 4> from{}, to{};
  from[2].procs = to[3].procs = size();
  const xredist_array_layout a{.dims = 4, .axes = from.data()}, b{.dims = 4, .axes = to.data()};
  const Integers shape{4, 5, 6, 12};
  const xredist_array_operation operation{.shape = shape.data(), .type = 'D'};
  xredist_plan* plan = nullptr;
  ASSERT_EQ(xredist_array_plan_create(MPI_COMM_WORLD, &a, &b, &operation, &plan), 0);
  EXPECT_TRUE(description_of(plan).starts_with(size() > 1 ? "120x12 elements" : "1440x1 elements"))
      << description_of(plan);
  xredist_plan_destroy(plan);
}

// Three arrays in one exchange, one of them permuted; and the members one by one.
TEST(Arrays, TravelInBatches) {
  Pencil a(0), b(2);
  const Integers shape{6, 5, 8};
  constexpr std::array order{2, 0, 1};
  std::array<xredist_plan*, 2> plans{};
  const xredist_array_operation operation{.shape = shape.data(), .type = 'D'};
  ASSERT_EQ(xredist_array_plan_create(MPI_COMM_WORLD, &a.layout, &b.layout, &operation, &plans[0]), 0);
  Side side_a{{a.axes.begin(), a.axes.end()}, {0, 1, 2}, {}, {}},
      side_b{{b.axes.begin(), b.axes.end()}, {0, 1, 2}, {}, {}};
  for (int k = 0; k < size(); ++k) side_a.ranks.push_back(k), side_b.ranks.push_back(k);
  Side permuted = side_b;
  permuted.order.assign(order.begin(), order.end());
  const xredist_array_layout to = permuted.layout();
  ASSERT_EQ(xredist_array_plan_create(MPI_COMM_WORLD, &a.layout, &to, &operation, &plans[1]), 0);

  const Integers none(3, 0);
  const Local in_a(side_a, shape, none), in_b(side_b, shape, none), in_permuted(permuted, shape, none);
  std::vector<double> from(in_a.size(), -1);
  std::vector<std::vector<double>> to_each(3, std::vector<double>(in_b.size(), -1));
  for_elements(shape, [&](const Integers& element) {
    if (const std::int64_t place = in_a.place(element); place >= 0)
      from[static_cast<std::size_t>(place)] = value_of(element);
  });
  std::vector<xredist_job> jobs;
  for (std::size_t k = 0; k < to_each.size(); ++k)
    jobs.push_back({.plan = plans.at(k == 1 ? 1 : 0), .a = from.data(), .b = to_each[k].data()});
  xredist_request* request = nullptr;
  ASSERT_EQ(xredist_start(3, jobs.data(), &request), 0);
  for (xredist_plan* plan : plans) xredist_plan_destroy(plan);  // requests keep what they need
  for (int member = 0; member < 3; ++member) {
    ASSERT_EQ(xredist_wait_member(request, member), 0);
    const Local& local = member == 1 ? in_permuted : in_b;
    for_elements(shape, [&](const Integers& element) {
      const std::int64_t place = local.place(element);
      if (place < 0) return;
      EXPECT_EQ(to_each[static_cast<std::size_t>(member)][static_cast<std::size_t>(place)], value_of(element));
    });
  }
  EXPECT_EQ(xredist_wait(&request), 0);
}

TEST(Arrays, AreTuned) {
  Pencil a(0), b(1);
  const Integers shape{12, 10, 7};
  const xredist_array_operation operation{.shape = shape.data(), .type = 'Z', .conj = 'R'};
  xredist_plan* plan = nullptr;
  ASSERT_EQ(xredist_array_plan_create(MPI_COMM_WORLD, &a.layout, &b.layout, &operation, &plan), 0);
  Integers local_a(3), local_b(3);
  ASSERT_EQ(xredist_array_local_shape(&a.layout, shape.data(), rank(), local_a.data()), 0);
  ASSERT_EQ(xredist_array_local_shape(&b.layout, shape.data(), rank(), local_b.data()), 0);
  const auto elements = [](const Integers& local) { return static_cast<std::size_t>(local[0] * local[1] * local[2]); };
  using Complex = std::complex<double>;
  std::vector<Complex> from(elements(local_a), Complex(1, 2)), to(elements(local_b));
  const xredist_job job{.plan = plan, .a = from.data(), .b = to.data()};
  EXPECT_EQ(outcome(xredist_plan_tune(plan, &job)), "");
  EXPECT_EQ(std::ranges::count(to, Complex(1, -2)), std::ssize(to));
  EXPECT_EQ(description_of(plan).find("measured: ") != std::string::npos, size() > 1);
  xredist_plan_destroy(plan);
}

TEST(Arrays, CheckNamesTheAxisThatDiffers) {
  if (size() == 1) GTEST_SKIP() << "one process agrees with itself";
  ASSERT_EQ(xredist_set_option(MPI_COMM_WORLD, "check", "reduction"), 0);
  static const Integers list{3, 1, 4, 2};
  static const std::array<const std::int64_t*, 3> lists{nullptr, nullptr, list.data()};
  static const Integers first{1, 2, 1};
  using X = ArrayCall;
  expect_rows<X>(
      {
          {[](X& x) { x.b.axes[1].block = 1 + rank() % 2; }, "b.axes[1].block differs between processes: from 1 to 2"},
          {[](X& x) { x.o.first_a = rank() == 1 ? first.data() : x.o.first_a; },
           "operation.first_a[1] differs between processes: from 1 to 2"},
          {[](X& x) { x.o.lists_b = rank() == 1 ? lists.data() : nullptr; },
           "operation.lists_b[2] differs between processes"},
      },
      &X::error);
  ASSERT_EQ(xredist_set_option(MPI_COMM_WORLD, "check", "local"), 0);
}

TEST(Arrays, PatternsAreThoseOfHpf) {
  std::array<xredist_axis, 4> axes{};
  constexpr std::array grid{2, 3, 1, 4};
  ASSERT_EQ(outcome(xredist_axes(" (block, CYCLIC( 3 ),* ,even) ", 4, grid.data(), axes.data())), "");
  const auto is = [](const xredist_axis& axis, int procs, std::int64_t block) {
    return axis.procs == procs && axis.block == block && axis.source == 0 && axis.partition == nullptr;
  };
  EXPECT_TRUE(is(axes[0], 2, 0) && is(axes[1], 3, 3) && is(axes[2], 1, 0) && is(axes[3], 4, XREDIST_EVEN));
  ASSERT_EQ(outcome(xredist_axes("(CYCLIC)", 1, grid.data(), axes.data())), "");
  EXPECT_TRUE(is(axes[0], 2, 1));
  const auto error = [&](const char* pattern, int dims) {
    return outcome(xredist_axes(pattern, dims, grid.data(), axes.data()));
  };
  EXPECT_EQ(error("(BLOCK, CYKLIC(3))", 2),
            "invalid: pattern is '(BLOCK, CYKLIC(3))': 'CYKLIC' is none of *, BLOCK, EVEN, CYCLIC and CYCLIC(k)");
  EXPECT_EQ(error("(BLOCK, *", 2), "invalid: pattern is '(BLOCK, *': a comma or ')' is missing at the end");
  EXPECT_EQ(error("(CYCLIC(0))", 1),
            "invalid: pattern is '(CYCLIC(0))': the block size must be in 1 .. 2^40, at '0))'");
  EXPECT_EQ(error("(*)", 1), "invalid: grid[0] is 2, must be 1: the axis is not distributed");
  EXPECT_EQ(error("(BLOCK)", 2), "invalid: dims is 2, pattern '(BLOCK)' has 1 axis");
  EXPECT_EQ(error("BLOCK", 1), "invalid: pattern is 'BLOCK': '(' is missing at 'BLOCK'");
  EXPECT_EQ(error("(BLOCK) x", 1), "invalid: pattern is '(BLOCK) x': nothing may follow at 'x'");
}

// Returns the bytes that this process keeps on the best grid of four processes, which keeps a half of the elements
// where the grid in the order of the ranks keeps a quarter.
std::int64_t bytes_kept_on_the_best_grid(const xredist_array_layout& a, xredist_array_layout b,
                                         const xredist_array_operation& operation) {
  std::array<int, 4> ranks{};
  std::array<double, 2> kept{};
  EXPECT_EQ(outcome(xredist_array_relabel(MPI_COMM_WORLD, &a, &b, &operation, ranks.data(), kept.data())), "");
  EXPECT_EQ(kept, (std::array{0.5, 0.25}));
  b.ranks = ranks.data();
  xredist_plan* plan = nullptr;
  EXPECT_EQ(xredist_array_plan_create(MPI_COMM_WORLD, &a, &b, &operation, &plan), 0);
  xredist_plan_info info{};
  EXPECT_EQ(xredist_plan_query(plan, &info), 0);
  xredist_plan_destroy(plan);
  return info.bytes_kept;
}

// From x to z pencils, 2 x 2 processes keep a quarter of the elements each, or with the best grid a half.
TEST(Arrays, TheBestGridKeepsMore) {
  if (size() < 4) GTEST_SKIP() << "needs four processes";
  const std::array from{xredist_axis{}, xredist_axis{2, 0, 0, nullptr}, xredist_axis{2, 0, 0, nullptr}},
      to{xredist_axis{2, 0, 0, nullptr}, xredist_axis{2, 0, 0, nullptr}, xredist_axis{}};
  const xredist_array_layout a{.dims = 3, .axes = from.data()};
  const xredist_array_layout b{.dims = 3, .axes = to.data()};
  const Integers shape{8, 8, 8};
  const xredist_array_operation operation{.shape = shape.data(), .bytes = 3};
  EXPECT_EQ(total(bytes_kept_on_the_best_grid(a, b, operation)), 3 * 256);
}

// Quarters become two copies of halves: each process may keep its quarter, but in the order of the ranks, two do not.
TEST(Arrays, TheBestGridsOfCopiesKeepMore) {
  if (size() < 4) GTEST_SKIP() << "needs four processes";
  const std::array quarters{xredist_axis{}, xredist_axis{4, 0, 0, nullptr}},
      halves{xredist_axis{}, xredist_axis{2, 0, 0, nullptr}};
  const xredist_array_layout a{.dims = 2, .axes = quarters.data()};
  const xredist_array_layout b{.dims = 2, .axes = halves.data(), .copies = 2};
  const Integers shape{3, 8};
  const xredist_array_operation operation{.shape = shape.data(), .type = 'D'};
  EXPECT_EQ(bytes_kept_on_the_best_grid(a, b, operation), rank() < 4 ? 48 : 0);
}

// Heat issue 2559 and 1932: more than 2^31 elements, as a plan only. A plan needs memory for its own messages only.
TEST(Arrays, MayHaveMoreThan2To31Elements) {
  std::array<xredist_axis, 4> from{}, to{};
  from[0].procs = to[1].procs = size();
  const xredist_array_layout a{.dims = 4, .axes = from.data()}, b{.dims = 4, .axes = to.data()};
  const Integers shape{6'505'535, 363, 7, 7};
  const xredist_array_operation operation{.shape = shape.data(), .type = 'S'};
  xredist_plan* plan = nullptr;
  ASSERT_EQ(xredist_array_plan_create(MPI_COMM_WORLD, &a, &b, &operation, &plan), 0);
  xredist_plan_info info{};
  ASSERT_EQ(xredist_plan_query(plan, &info), 0);
  const std::int64_t bytes = total(info.bytes_kept + info.bytes_received);
  if (info.rounds == 1) {
    EXPECT_EQ(bytes, 4 * shape[0] * shape[1] * 49);
  }
  xredist_plan_destroy(plan);
}

}  // namespace
}  // namespace xredist::testing
