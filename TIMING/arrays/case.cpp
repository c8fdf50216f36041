// SPDX-License-Identifier: BSD-3-Clause
#include "arrays/case.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include "support/array_model.hpp"

namespace arrays {
namespace {

// Reads "1x2x2".
template <class Integer>
std::vector<Integer> numbers(const std::string& text) {
  std::vector<Integer> read;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, 'x');) read.push_back(static_cast<Integer>(std::stoll(part)));
  return read;
}

Side side_of(std::istream& in, std::size_t dims) {
  Side side;
  std::string grid, order;
  in >> side.pattern >> grid >> order;
  side.grid = numbers<int>(grid);
  for (const char axis : order) side.order.push_back(axis - '0');
  std::vector<int> sorted = side.order, all(dims);
  std::ranges::sort(sorted);
  std::iota(all.begin(), all.end(), 0);
  if (!in || side.grid.size() != dims || sorted != all) throw std::invalid_argument("a pattern, a grid and an order");
  side.axes.resize(dims);
  if (xredist_axes(side.pattern.c_str(), static_cast<int>(dims), side.grid.data(), side.axes.data()) != 0)
    throw std::invalid_argument(xredist_error());
  return side;
}

// The words of an element follow from its place in the whole array.
std::uint64_t word(Index place, int k) {
  return 0x9E3779B97F4A7C15u * (static_cast<std::uint64_t>(place) + 1) + static_cast<std::uint64_t>(k);
}

// Calls visit(local, place) for all elements in the order of memory: their numbers in the local and in the whole array.
template <class Visit>
void for_each_element(const Case& c, const Side& side, const Local& x, Visit visit) {
  std::vector<Index> stride(c.dims(), 1);
  for (std::size_t k = 1; k < c.dims(); ++k) stride[k] = stride[k - 1] * c.shape[k - 1];
  Index local = 0;
  const std::function<void(std::size_t, Index)> walk = [&](std::size_t left, Index place) {
    const auto axis = as_size(side.order[left - 1]);
    for (const Index k : x.indices[axis]) {
      const Index here = place + k * stride[axis];
      if (left == 1)
        visit(local++, here);
      else
        walk(left - 1, here);
    }
  };
  walk(c.dims(), 0);
}

}  // namespace

int Side::processes() const { return std::accumulate(grid.begin(), grid.end(), 1, std::multiplies<>()); }

xredist_array_layout Side::layout() const {
  xredist_array_layout made{};
  made.dims = static_cast<int>(axes.size());
  made.axes = axes.data();
  made.order = order.data();
  return made;
}

Case case_of(const std::string& line) {
  std::istringstream in(line);
  Case c;
  std::string shape;
  in >> shape >> c.bytes;
  c.shape = numbers<Index>(shape);
  c.text = line;
  if (!in || c.shape.empty() || c.bytes < 8 || c.bytes % 8 != 0) throw std::invalid_argument("a shape and bytes");
  c.a = side_of(in, c.dims());
  c.b = side_of(in, c.dims());
  if (c.a.processes() != c.b.processes()) throw std::invalid_argument("grids of as many processes");
  return c;
}

std::vector<std::vector<Index>> owned(const Case& c, const Side& side, int rank) {
  std::vector<std::vector<Index>> indices(c.dims());
  for (std::size_t axis = c.dims(); axis-- > 0; rank /= side.grid[axis])
    for (Index k = 0; k < c.shape[axis]; ++k)
      if (xredist::testing::owner_of(side.axes[axis], c.shape[axis], k) == rank % side.grid[axis])
        indices[axis].push_back(k);
  return indices;
}

std::vector<Box> boxes_of(const Case& c, const Side& side) {
  std::vector<Box> boxes;
  for (int rank = 0; rank < side.processes(); ++rank) {
    Box& box = boxes.emplace_back();
    for (const std::vector<Index>& of : owned(c, side, rank)) {
      if (of.empty() || of.back() - of.front() + 1 != static_cast<Index>(of.size())) return {};
      box.low.push_back(of.front());
      box.high.push_back(of.back() + 1);
    }
  }
  return boxes;
}

Index Local::elements() const {
  Index product = 1;
  for (const auto& of : indices) product *= static_cast<Index>(of.size());
  return product;
}

Stage::Stage(const Case& shown)
    : c(shown), a{owned(c, c.a, drivers::rank_in_world()), {}}, b{owned(c, c.b, drivers::rank_in_world()), {}} {
  const int words = c.bytes / 8;
  for (Local* x : {&a, &b}) x->data.resize(as_size(x->elements() * words));
  for_each_element(c, c.a, a, [&](Index local, Index place) {
    for (int k = 0; k < words; ++k) at(a.data, local * words + k) = word(place, k);
  });
}

void Stage::clear_b() { std::ranges::fill(b.data, 0); }

bool Stage::b_is_right() const {
  const int words = c.bytes / 8;
  bool right = true;
  for_each_element(c, c.b, b, [&](Index local, Index place) {
    for (int k = 0; k < words; ++k) right = right && at(b.data, local * words + k) == word(place, k);
  });
  return right;
}

}  // namespace arrays
