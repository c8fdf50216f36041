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

#include "owners.hpp"
#include "plans.hpp"
#include "random.hpp"
#include "ranks.hpp"
#include "xredist/array.h"

namespace xredist::testing {
namespace {

using Integers = std::vector<std::int64_t>;

// One side of an array: what its layout points to.
struct Side {
  std::vector<xredist_axis> axes;
  std::vector<int> order, ranks;
  Integers shape;

  xredist_array_layout layout() const {
    return {.dims = static_cast<int>(axes.size()),
            .axes = axes.data(),
            .shape = shape.empty() ? nullptr : shape.data(),
            .order = order.data(),
            .ranks = ranks.data()};
  }
};

// Returns the coordinate of the process that owns element g of an axis of n elements.
std::int64_t owner_of(const xredist_axis& axis, std::int64_t n, std::int64_t g) {
  const std::int64_t procs = std::max(axis.procs, 1);
  if (axis.block != XREDIST_EVEN)
    return owner_in_blocks(g, axis.block != 0 ? axis.block : std::max<std::int64_t>((n + procs - 1) / procs, 1),
                           axis.source, procs);
  const std::int64_t longer = n % procs, length = n / procs;
  return g < longer * (length + 1) ? g / (length + 1) : longer + (g - longer * (length + 1)) / length;
}

// The local array of this process by the model: the local index of each element along each axis, or -1.
struct Local {
  std::vector<Integers> index;
  Integers extents, strides;
  bool member = false;

  // `gaps`: added to the extent of each axis.
  Local(const Side& side, const Integers& whole, const Integers& gaps) : index(whole.size()), extents(whole.size(), 0) {
    const auto position = std::ranges::find(side.ranks, rank()) - side.ranks.begin();
    member = position < std::ssize(side.ranks);
    std::int64_t rest = member ? position : 0;
    for (std::size_t k = whole.size(); k-- > 0;) {
      const std::int64_t procs = std::max(side.axes[k].procs, 1);
      for (std::int64_t g = 0; g < whole[k]; ++g)
        index[k].push_back(member && owner_of(side.axes[k], whole[k], g) == rest % procs ? extents[k]++ : -1);
      rest /= procs;
    }
    strides.resize(whole.size());
    std::int64_t stride = 1;
    for (const int axis : side.order) {
      const auto k = static_cast<std::size_t>(axis);
      strides[k] = stride;
      stride *= std::max<std::int64_t>(extents[k] + gaps[k], 1);
    }
  }
  std::size_t size() const {
    std::int64_t last = 0;
    for (std::size_t k = 0; k < extents.size(); ++k) last += std::max<std::int64_t>(extents[k] - 1, 0) * strides[k];
    return static_cast<std::size_t>(last + 1);
  }
  // Returns the place of an element of the array; -1 on another process.
  std::int64_t place(const Integers& element) const {
    std::int64_t place = 0;
    for (std::size_t k = 0; k < element.size(); ++k) {
      const std::int64_t local = index[k][static_cast<std::size_t>(element[k])];
      if (local < 0) return -1;
      place += local * strides[k];
    }
    return place;
  }
};

// Calls visit(indices) for all elements of a shape.
template <class Visit>
void for_elements(const Integers& shape, Visit visit) {
  if (std::ranges::count(shape, 0) > 0) return;
  Integers element(shape.size(), 0);
  for (;;) {
    visit(element);
    std::size_t k = 0;
    while (k < shape.size() && ++element[k] == shape[k]) element[k++] = 0;
    if (k == shape.size()) return;
  }
}

// Returns a value that tells elements apart.
double value_of(const Integers& element) {
  double value = 1;
  for (const std::int64_t index : element) value = 17 * value + static_cast<double>(index);
  return value;
}

struct Case {
  Side a, b;
  Integers whole_a, whole_b, shape, first_a, first_b, gaps_a, gaps_b;
  double alpha = 1, beta = 0;
  bool strides = false;
};

Integers sum(Integers x, const Integers& y, std::int64_t minus) {
  for (std::size_t k = 0; k < x.size(); ++k) x[k] += y[k] - minus;
  return x;
}

// Moves an array of doubles. Returns the number of elements of B on this process that are wrong.
int wrong_elements(const Case& x) {
  const Local local_a(x.a, x.whole_a, x.gaps_a), local_b(x.b, x.whole_b, x.gaps_b);
  std::vector<double> a(local_a.size(), -1), b(local_b.size(), 3), expected = b;
  for_elements(x.shape, [&](const Integers& element) {
    const Integers in_a = sum(element, x.first_a, 1), in_b = sum(element, x.first_b, 1);
    if (const std::int64_t place = local_a.place(in_a); place >= 0)
      a[static_cast<std::size_t>(place)] = value_of(element);
    if (const std::int64_t place = local_b.place(in_b); place >= 0)
      expected[static_cast<std::size_t>(place)] = x.beta * 3 + x.alpha * value_of(element);
  });
  const xredist_array_layout layout_a = x.a.layout(), layout_b = x.b.layout();
  xredist_array_operation operation{
      .shape = x.shape.data(), .first_a = x.first_a.data(), .first_b = x.first_b.data(), .type = 'D'};
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

// Returns a side of an array of the given size, on any grid of at most all processes.
Side random_side(Random& random, const Integers& whole) {
  Side side;
  std::int64_t procs = 1;
  for (std::size_t k = 0; k < whole.size(); ++k) {
    xredist_axis axis{};
    if (random.one_in(2)) axis.procs = random.in(1, static_cast<int>(size() / procs));
    procs *= std::max(axis.procs, 1);
    if (random.one_in(2)) axis.block = random.in(1, 4);
    if (random.one_in(4)) axis.block = XREDIST_EVEN;
    if (axis.block != XREDIST_EVEN) axis.source = random.in(0, std::max(axis.procs, 1) - 1);
    side.axes.push_back(axis);
  }
  random.shuffle(side.axes);
  side.order.resize(whole.size());
  std::iota(side.order.begin(), side.order.end(), 0);
  if (!random.one_in(3)) random.shuffle(side.order);
  side.ranks = random_ranks(random, size());
  side.ranks.resize(static_cast<std::size_t>(procs));
  side.shape = whole;
  return side;
}

Case random_case(Random& random) {
  Case x;
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
  }
  x.a = random_side(random, x.whole_a);
  x.b = random_side(random, x.whole_b);
  x.strides = random.one_in(2);
  if (!x.strides) x.gaps_a = x.gaps_b = Integers(x.shape.size(), 0);
  if (random.one_in(3)) x.alpha = 2, x.beta = random.one_in(2) ? 0 : 0.5;
  return x;
}

TEST(Arrays, EveryElementArrives) {
  Random random(20'260'101);
  for (int k = 0; k < 500; ++k) {
    const Case x = random_case(random);
    ASSERT_EQ(wrong_elements(x), 0) << "case " << k << " on process " << rank();
  }
}

}  // namespace
}  // namespace xredist::testing
