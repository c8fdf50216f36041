// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>

#include "drivers/contender.hpp"
#include "drivers/times.hpp"
#include "papers/walker_otto.hpp"
#include "schedule/algorithm.hpp"

namespace drivers {
namespace {

std::array<int, 9> descriptor(const Matrix& x, const Context& grid, const Local& local) {
  const auto narrow = [](Index value) { return static_cast<int>(value); };
  return {1, grid.handle(), narrow(x.M), narrow(x.N), narrow(x.mb), narrow(x.nb), x.rsrc, x.csrc, narrow(local.ld)};
}

constexpr struct {
  std::string_view name;
  Contender (*make)(const Stage&);
} without_plan[] = {
    {"drop-in", drop_in},
    {"scalapack", scalapack},
    {"new-grids:drop-in", drop_in_on_new_grids},
    {"new-grids:scalapack", scalapack_on_new_grids},
    {"alltoallv", alltoallv},
    {"fftw", fftw},
    {"at-once", at_once},
    {"alltoallw", alltoallw},
    {"scalapack-order", scalapack_order},
    {papers::passes_name, in_passes},
};

bool is_library(const std::string& name) { return name.find(".so") != std::string::npos; }

Index bytes_received(const Stage& stage) {
  const xredist::core::Region region = region_of(stage.c);
  Index elements = 0;
  for (const Index j : stage.b.cols) {
    if (j < 0 || j >= stage.c.n) continue;
    const xredist::core::Interval moved = rows_of(region, j, stage.c.m);
    elements += std::ranges::lower_bound(stage.b.rows, moved.end) - std::ranges::lower_bound(stage.b.rows, moved.begin);
  }
  return elements * stage.element.bytes;
}

}  // namespace

xredist::testing::GridShape shape_of(const Matrix& x) { return {x.nprow, x.npcol, ranks_of(x)}; }

Stage::Stage(const Case& shown, const Element& e)
    : c(shown),
      element(e),
      grid_a(shape_of(c.a)),
      grid_b(shape_of(c.b)),
      context(xredist::testing::row_major(size(), 1)),
      a(local_part(c.a, rank_in_world(), e.bytes)),
      b(local_part(c.b, rank_in_world(), e.bytes)),
      desc_a(descriptor(c.a, grid_a, a)),
      desc_b(descriptor(c.b, grid_b, b)) {
  MPI_Comm_split(MPI_COMM_WORLD, rank_in_world() < size() ? 0 : MPI_UNDEFINED, 0, &comm_);
  element.fill_a(c.a, a);
}

Stage::~Stage() {
  if (takes_part()) MPI_Comm_free(&comm_);
}

std::vector<std::string> known_contenders() {
  std::vector<std::string> names;
  for (const auto& algorithm : xredist::core::algorithms()) names.emplace_back(algorithm.name);
  names.insert(names.end(), {"direct", "two-hop", "tuned"});
  for (const auto& other : without_plan) names.emplace_back(other.name);
  for (std::string& name : scheduled_names()) names.push_back(std::move(name));
  return names;
}

bool is_known(const std::string& name) {
  const std::vector<std::string> known = known_contenders();
  return std::ranges::find(known, name) != known.end() || choice_of(name) || is_library(name);
}

std::vector<Contender> contenders_of(const Stage& stage, const std::vector<std::string>& names) {
  std::vector<Contender> all;
  for (const std::string& name : names) {
    const auto* const other = std::ranges::find(without_plan, name, [](const auto& x) { return x.name; });
    all.push_back(other != std::end(without_plan) ? other->make(stage)
                  : is_library(name)              ? of_libraries(stage, name)
                  : name.find(':') != name.npos   ? scheduled(stage, name)
                                                  : planned(stage, name));
  }
  return all;
}

// Copies from A to B, because the time of a copy depends on the pages of memory. A process that has too little of A
// copies from elsewhere.
Contender memory_copy(const Stage& stage) {
  const auto make = [&stage]() -> Call {
    const auto bytes = as_size(bytes_received(stage));
    const bool enough = as_size(stage.a.elements() * stage.element.bytes) >= bytes;
    const auto other = std::make_shared<std::vector<std::byte>>(enough ? 0 : bytes);
    const std::byte* const from = enough ? stage.a.data.get() : other->data();
    return {[other, from, to = stage.b.data.get(), bytes, comm = stage.comm()] {
      if (bytes > 0) std::memcpy(to, from, bytes);
      MPI_Barrier(comm);  // where processes share a core, they do not start at the same moment
    }};
  };
  return {"memcpy", {}, make};
}

#ifndef XREDIST_FFTW
Contender fftw(const Stage&) { return {"fftw", "the program was built without FFTW for this MPI"}; }
#endif

}  // namespace drivers
