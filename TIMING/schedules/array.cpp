// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/array.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "schedules/command_line.hpp"

namespace xschedule {
namespace {

constexpr Index max_intervals = 1 << 20;  // of the folded columns

std::string by(const std::vector<Index>& x) {
  std::string text;
  for (const Index each : x) text.append(text.empty() ? "" : "x").append(std::to_string(each));
  return text;
}

// Returns a product of numbers from 1, or throws `error` if it exceeds `max`.
Index product_within(Index max, Index product, Index factor, const char* error) {
  if (product > max / factor) throw std::invalid_argument(error);
  return product * factor;
}

Index product_within(Index max, std::span<const Index> factors, const char* error) {
  Index product = 1;
  for (const Index factor : factors) product = product_within(max, product, factor, error);
  return product;
}

// Returns the dimensions of one side, except for dimension 1, as columns.
cases::Partition folded(std::span<const Dimension> dimensions, Axis Dimension::*side) {
  const Dimension& second = dimensions.front();
  const std::span<const Dimension> later = dimensions.subspan(1);
  Index places = 1, later_procs = 1;
  constexpr const char* too_many = "--size: too many blocks of dimension 2, at all places of the later dimensions";
  for (const Dimension& each : later) {
    places = product_within(max_intervals, places, each.n, too_many);
    later_procs *= (each.*side).procs;
  }
  product_within(max_intervals, places, max_blocks(second.*side, second.n), too_many);
  cases::Partition columns{{0}, {}};
  for (Index place = 0; place < places; ++place) {
    Index position = 0, left = place;  // position: of the owner in the grid of the later dimensions, row-major
    for (const Dimension& each : later) {
      position = position * (each.*side).procs + owner(each.*side, left % each.n);
      left /= each.n;
    }
    for (BlockScan scan(second.*side, 0);; scan.step()) {
      const Index end = std::min(scan.end(), second.n);
      columns.cuts.push_back(place * second.n + end);
      columns.owners.push_back(static_cast<int>(scan.owner() * later_procs + position));
      if (end == second.n) break;
    }
  }
  return columns;
}

// Returns one side of the case. Up to two dimensions are those of a matrix.
cases::Matrix matrix_of(const std::vector<Index>& procs, const std::vector<Index>& blocks,
                        std::span<const Dimension> columns, Axis Dimension::*side) {
  cases::Matrix x;
  x.nprow = static_cast<int>(procs[0]);
  x.mb = blocks[0];
  for (const Index each : std::span(procs).subspan(1)) x.npcol *= static_cast<int>(each);
  if (blocks.size() == 2) x.nb = blocks[1];
  if (blocks.size() > 2) x.cols = folded(columns, side);
  return x;
}

// Throws if the arguments have different numbers of dimensions, or if a grid is too large.
void check(const Array& array) {
  const std::size_t dims = array.procs_a.size();
  const std::pair<const char*, const std::vector<Index>*> others[] = {
      {"Q1x...xQd", &array.procs_b}, {"R1x...xRd", &array.blocks_a}, {"S1x...xSd", &array.blocks_b}};
  const auto demand = [&](const char* name, const std::vector<Index>& x) {
    if (x.size() != dims)
      throw std::invalid_argument(std::string(name) + ": " + by(x) + " has another number of dimensions than " +
                                  by(array.procs_a) + ", the grid before");
  };
  for (const auto& [name, x] : others) demand(name, *x);
  if (!array.size.empty()) demand("--size", array.size);
  for (const std::vector<Index>* procs : {&array.procs_a, &array.procs_b})
    product_within(cases::max_int, *procs, "grids: too many processes");
}

}  // namespace

Shown shown(Array array, const Network& network, int per_node, const std::string& route) {
  check(array);
  std::vector<Dimension> dimensions;
  const bool has_size = !array.size.empty();
  for (std::size_t k = 0; k < array.procs_a.size(); ++k) {
    const Axis a(array.blocks_a[k], array.procs_a[k], 0, 0), b(array.blocks_b[k], array.procs_b[k], 0, 0);
    if (!has_size) {
      const auto period = cases::period_of(a, b);
      if (!period) throw std::invalid_argument("--size: required, because a period exceeds 2^62 elements");
      array.size.push_back(*period);
    }
    dimensions.push_back({a, b, array.size[k]});
  }
  if (dimensions.size() == 1) dimensions.push_back({Axis(1, 1, 0, 0), Axis(1, 1, 0, 0), 1});  // a single column
  const std::span<const Dimension> columns = std::span(dimensions).subspan(1);
  cases::Case c;
  c.m = dimensions.front().n;
  c.n = 1;
  for (const Dimension& each : columns)
    c.n = product_within(cases::max_elements, c.n, each.n, "--size: too many elements in dimensions 2 and later");
  c.a = matrix_of(array.procs_a, array.blocks_a, columns, &Dimension::a);
  c.b = matrix_of(array.procs_b, array.blocks_b, columns, &Dimension::b);
  Shown result = shown(std::move(c), network, per_node, route);
  result.title = by(array.procs_a) + " processes, blocks " + by(array.blocks_a) + " -> " + by(array.procs_b) +
                 " processes, blocks " + by(array.blocks_b) + ", " + by(array.size) + " elements";
  result.dimensions = std::move(dimensions);
  return result;
}

}  // namespace xschedule
