// SPDX-License-Identifier: BSD-3-Clause
// Arrays of any number of axes, moved by their plans without MPI and compared element by element with a model that
// knows the owner of each element along each axis alone.
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "copy/array_form.hpp"
#include "copy/packer.hpp"
#include "plan/plan.hpp"
#include "random/random_call.hpp"

namespace xredist::testing {
namespace {

// One side of an array, and the local arrays of all processes.
struct Side {
  const Axis ArrayAxis::*axis;
  std::vector<int> order;
  std::vector<int> ranks;
  std::vector<Index> gaps;  // added to the extent of each axis of a local array

  Index procs(const std::vector<ArrayAxis>& axes) const {
    Index procs = 1;
    for (const ArrayAxis& x : axes) procs *= (x.*axis).procs;
    return procs;
  }
};

// The local array of a process, as the model sees it.
struct Local {
  std::vector<Held> held;  // along each axis
  std::vector<Index> coordinates, strides;
  std::vector<std::byte> memory;

  Local(const std::vector<ArrayAxis>& axes, const Side& side, Index position, Index bytes)
      : held(axes.size()), coordinates(axes.size()) {
    for (std::size_t k = axes.size(); k-- > 0;) {
      const Axis& axis = axes[k].*side.axis;
      coordinates[k] = position % axis.procs;
      held[k] = held_by(axis, coordinates[k], axes[k].n);
      position /= axis.procs;
    }
    std::vector<Index> extents;
    for (std::size_t k = 0; k < axes.size(); ++k) extents.push_back(held[k].count + side.gaps[k]);
    strides = *strides_without_gaps(extents, side.order, 1);
    Index elements = 1;
    for (const Index extent : extents) elements *= std::max<Index>(extent, 1);
    memory.assign(as_size(elements * bytes), std::byte{0});
  }

  // Returns the element at these indices of the subarray; nullptr if another process holds the element.
  std::byte* element(const std::vector<Index>& indices, Index bytes) {
    Index offset = 0;
    for (std::size_t k = 0; k < held.size(); ++k) {
      const Index local = at(held[k].local, indices[k]);
      if (local < 0) return nullptr;
      offset += local * strides[k];
    }
    return memory.data() + offset * bytes;
  }
};

// Returns the order of the axes of an array, and of its copies, which a local array lacks.
std::vector<int> whole_order(const std::vector<ArrayAxis>& axes, const Side& side) {
  std::vector<int> order = side.order;
  if (order.size() < axes.size()) order.push_back(static_cast<int>(order.size()));
  return order;
}

// Calls visit(indices, number) for all elements of the subarray, and of its copies, which have the same numbers.
template <class Visit>
void for_elements(const std::vector<ArrayAxis>& axes, Index copies, Visit visit) {
  Index count = 1;
  for (const ArrayAxis& axis : axes) count *= axis.n;
  for (Index number = 0; number < count; ++number) {
    std::vector<Index> indices;
    Index rest = number;
    for (const ArrayAxis& axis : axes) {
      indices.push_back(rest % axis.n);
      rest /= axis.n;
    }
    visit(indices, number % (count / copies));
  }
}

// Writes the number of an element into all its bytes, so that parts of elements are told apart.
void write(std::byte* element, Index number, Index bytes) {
  for (Index k = 0; k < bytes; ++k) element[k] = static_cast<std::byte>((number * 31 + k) * 167 / 16 % 255 + 1);
}

struct ArrayCase {
  std::vector<ArrayAxis> axes;
  Index copies;  // of B; if there are more than one, they are the last one of the axes
  Side a, b;
  Index bytes;
  int processes;
};

// Moves the array by the plans of all processes, and returns the number of wrong elements of all local arrays of B.
int wrong_elements(const ArrayCase& x) {
  const ArrayForm form(x.axes, whole_order(x.axes, x.a), whole_order(x.axes, x.b));
  const Redistribution redistribution = form.redistribution(x.bytes, {});
  const std::vector<int> ranks_a = form.ranks(&ArrayAxis::a, x.a.ranks), ranks_b = form.ranks(&ArrayAxis::b, x.b.ranks);
  Options options;
  options.route = RouteOption{};
  std::vector<Plan> plans;
  for (int me = 0; me < x.processes; ++me)
    plans.push_back(plan_process(redistribution, ranks_a, ranks_b, me, options, {}));

  const auto locals_of = [&](const Side& side) {
    std::vector<Local> locals;
    for (Index p = 0; p < side.procs(x.axes); ++p) locals.emplace_back(x.axes, side, p, x.bytes);
    return locals;
  };
  std::vector<Local> locals_a = locals_of(x.a), locals_b = locals_of(x.b);
  std::vector<Local> expected = locals_b;
  for_elements(x.axes, x.copies, [&](const std::vector<Index>& indices, Index number) {
    for (Local& local : locals_a)
      if (std::byte* element = local.element(indices, x.bytes)) write(element, number, x.bytes);
    for (Local& local : expected)
      if (std::byte* element = local.element(indices, x.bytes)) write(element, number, x.bytes);
  });
  const auto places_of = [&](const Side& side, const std::vector<Local>& locals) {
    std::vector<ArrayStrides> places;
    for (const Local& local : locals)
      places.push_back(form.places(side.axis, form.held(side.axis, local.coordinates), local.strides, redistribution));
    return places;
  };
  const std::vector<ArrayStrides> places_a = places_of(x.a, locals_a), places_b = places_of(x.b, locals_b);
  const auto position = [](const std::vector<int>& ranks, int rank) {
    return as_size(std::ranges::find(ranks, rank) - ranks.begin());
  };

  Packer packer;
  for (int from = 0; from < x.processes; ++from) {
    const Plan& plan = at(plans, from);
    if (plan.rounds.empty()) continue;
    const auto move = [&](const Transfer& transfer, int to) {
      const std::size_t p = position(x.a.ranks, from), q = position(x.b.ranks, to);
      ChunkCursor sent(redistribution, transfer.p, transfer.q, transfer.rows, transfer.cols, 640, &plan.a.runs, true);
      ChunkCursor received(redistribution, transfer.p, transfer.q, transfer.rows, transfer.cols, 640,
                           &at(plans, to).b.runs, false);
      const ConstArray a{locals_a[p].memory.data(), 0, &places_a[p]};
      const Array b{locals_b[q].memory.data(), 0, &places_b[q]};
      for (; !sent.done(); sent.advance(), received.advance()) {
        const Chunk& chunk = sent.current();
        std::vector<std::byte> buffer(as_size(packer.bytes_of(redistribution, chunk)));
        packer.pack(redistribution, chunk, a, buffer.data());
        if (from == to && chunk.cols.begin % 2 == 0)
          packer.copy(redistribution, chunk, a, b);
        else
          packer.unpack(redistribution, received.current(), buffer.data(), std::ssize(buffer), b);
      }
    };
    for (const Transfer& transfer : plan.rounds.front().sends) move(transfer, transfer.peer);
    for (const Transfer& copy : plan.rounds.front().copies) move(copy, from);
  }
  int wrong = 0;
  for (std::size_t q = 0; q < locals_b.size(); ++q)
    for (std::size_t k = 0; k < locals_b[q].memory.size(); ++k) wrong += locals_b[q].memory[k] != expected[q].memory[k];
  return wrong;
}

std::vector<int> random_order(Random& random, std::size_t axes) {
  std::vector<int> order(axes);
  std::iota(order.begin(), order.end(), 0);
  if (!random.one_in(3)) random.shuffle(order);
  return order;
}

// Returns an axis that is not distributed, CYCLIC, or has a partition.
ArrayAxis random_array_axis(Random& random, Index longest) {
  const Overlap o = any_overlap(random, 3, 4, longest);
  ArrayAxis axis{o.a, o.b, o.n};
  const auto whole = [&](Axis& side) { side = Axis(side.first + o.n + 1, 1, 0, random.one_in(2) ? 0 : side.first); };
  if (random.one_in(2)) whole(axis.a);
  if (random.one_in(2)) whole(axis.b);
  if (random.one_in(3)) axis.a.first = axis.b.first = 0, whole(axis.a), whole(axis.b), axis.a.first = axis.b.first = 0;
  if (random.one_in(12)) axis.n = random.below(2);
  return axis;
}

ArrayCase random_case(Random& random) {
  constexpr int processes = 13;
  ArrayCase x{};
  const std::size_t dims = as_size(1 + random.below(6));
  const Index longest[] = {0, 60, 14, 8, 5, 4, 3};
  Index a = 1, b = 1;
  while (x.axes.size() < dims) {
    const ArrayAxis axis = random_array_axis(random, longest[dims]);
    if (a * axis.a.procs > processes || b * axis.b.procs > processes || axis.n > 4 * longest[dims]) continue;
    a *= axis.a.procs, b *= axis.b.procs;
    x.axes.push_back(axis);
  }
  x.copies = random.one_in(4) ? 1 + random.below(processes / b) : 1;
  if (x.copies > 1) x.axes.push_back({{x.copies, 1, 0, 0}, {1, x.copies, 0, 0}, x.copies});
  x.processes = processes;
  const auto side = [&](const Axis ArrayAxis::*axis, Index procs) {
    std::vector<int> ranks = random_ranks(random, processes);
    ranks.resize(as_size(procs));
    std::vector<Index> gaps(x.axes.size(), 0);
    if (random.one_in(3))
      for (std::size_t k = 0; k < dims; ++k) gaps[k] = random.below(3);
    return Side{axis, random_order(random, dims), ranks, gaps};
  };
  x.a = side(&ArrayAxis::a, a);
  x.b = side(&ArrayAxis::b, b * x.copies);
  const Index sizes[] = {1, 2, 3, 4, 8, 12, 16, 24};
  x.bytes = sizes[random.below(std::size(sizes))];
  return x;
}

std::string text_of(const ArrayCase& x) {
  std::string all;
  for (const ArrayAxis& axis : x.axes) all += text(described(axis.a), " -> ", described(axis.b), ", n ", axis.n, "\n");
  for (const Side* side : {&x.a, &x.b}) {
    for (const int axis : side->order) all += text(axis, " ");
    for (const Index gap : side->gaps) all += text("+", gap);
    all += "; ";
  }
  return all + text(x.bytes, " bytes");
}

// The last element of an array of 2^63 - 1 bytes has an offset of 63 bits.
TEST(Strides, EndWithinTheAddressesOfMemory) {
  constexpr Index longest = Index{1} << 40;
  const std::vector<int> order{1, 0, 2};
  EXPECT_EQ(strides_without_gaps(std::vector<Index>{longest, 1 << 22, 1}, order, 1),
            (std::vector<Index>{1 << 22, 1, Index{1} << 62}));
  EXPECT_EQ(strides_without_gaps(std::vector<Index>{longest, 1 << 22, 1}, order, 2), std::nullopt);
  EXPECT_EQ(strides_without_gaps(std::vector<Index>{longest, longest, longest}, order, 1), std::nullopt);
  EXPECT_EQ(strides_without_gaps(std::vector<Index>{3, 0, 5}, order, 8), (std::vector<Index>{1, 1, 3}));
}

TEST(Array, EveryElementArrives) {
  const int cases = slow_build ? 1000 : 20'000;
  for (int seed = 0; seed < cases; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const ArrayCase x = random_case(random);
    ASSERT_EQ(wrong_elements(x), 0) << "case " << seed << ":\n" << text_of(x);
  }
}

}  // namespace
}  // namespace xredist::testing
