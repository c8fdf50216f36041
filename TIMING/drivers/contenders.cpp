// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <numeric>

#include "drivers/stage.hpp"
#include "drivers/times.hpp"
#include "schedule/algorithm.hpp"
#include "support/symbols.hpp"
#include "xredist/version.h"

// This program is linked with ScaLAPACK and not with libxredist_scalapack, so this is the routine of ScaLAPACK.
extern "C" xredist::testing::GeC Cpdgemr2d;

namespace drivers {
namespace {

std::array<int, 9> descriptor(const Matrix& x, const Context& grid, const Local& local) {
  const auto narrow = [](Index value) { return static_cast<int>(value); };
  return {1, grid.handle(), narrow(x.M), narrow(x.N), narrow(x.mb), narrow(x.nb), x.rsrc, x.csrc, narrow(local.ld)};
}

xredist::testing::GridShape shape_of(const Matrix& x) { return {x.nprow, x.npcol, ranks_of(x)}; }

// Facts are known of direct messages only.
Contender plan(const Case& c, const Stage& stage, const std::string& name) {
  Contender contender = runs::planned(name, c, stage.element.bytes, stage.a, stage.b, stage.comm());
  const runs::Choice choice = runs::choice_of(name);
  if (contender.undefined.empty() && choice.route != "two-hop" && choice.route != "striped")
    contender.facts = facts_of(c, stage.element.bytes, choice.algorithm).value_or(Facts{});
  return contender;
}

constexpr struct {
  std::string_view name;
  Contender (*make)(const Case&, const Stage&);
} without_plan[] = {
    {"drop-in", drop_in},     {"scalapack", scalapack}, {"alltoallv", alltoallv},
    {"alltoallw", alltoallw}, {"fftw", fftw},           {"mkl", mkl},
};

Index bytes_received(const Case& c, const Stage& stage) {
  const xredist::core::Region region = region_of(c);
  Index elements = 0;
  for (const Index j : stage.b.cols) {
    if (j < 0 || j >= c.n) continue;
    const xredist::core::Interval moved = rows_of(region, j, c.m);
    elements += std::ranges::lower_bound(stage.b.rows, moved.end) - std::ranges::lower_bound(stage.b.rows, moved.begin);
  }
  return elements * stage.element.bytes;
}

// Returns the value of an environment variable, or `fallback`. The library reports invalid values.
std::string setting(const char* name, const char* fallback) {
  const char* const text = std::getenv(name);
  return text != nullptr ? text : fallback;
}

}  // namespace

Stage::Stage(const Case& c, const Element& e)
    : element(e),
      grid_a(shape_of(c.a)),
      grid_b(shape_of(c.b)),
      a(local_part(c.a, runs::rank_in_world(), e.bytes)),
      b(local_part(c.b, runs::rank_in_world(), e.bytes)),
      desc_a(descriptor(c.a, grid_a, a)),
      desc_b(descriptor(c.b, grid_b, b)),
      context_(xredist::testing::row_major(static_cast<int>(processes(c)), 1)) {
  MPI_Comm_split(MPI_COMM_WORLD, context_.member() ? 0 : MPI_UNDEFINED, 0, &comm_);
  element.fill_a(c.a, a);
}

Stage::~Stage() {
  if (takes_part()) MPI_Comm_free(&comm_);
}

std::vector<std::string> known_algorithms() {
  std::vector<std::string> names = runs::choices();
  for (const auto& other : without_plan) names.emplace_back(other.name);
  return names;
}

std::vector<std::string> usual_algorithms() { return {"default", "drop-in", "scalapack", "alltoallv"}; }

std::vector<Contender> contenders_of(const Case& c, const Stage& stage, const std::vector<std::string>& names) {
  std::vector<Contender> all;
  for (const std::string& name : names) {
    const auto* const other = std::ranges::find(without_plan, name, [](const auto& x) { return x.name; });
    all.push_back(other != std::end(without_plan) ? other->make(c, stage) : plan(c, stage, name));
  }
  return all;
}

// Copies from A to B, because the time of a copy depends on the pages of memory. A process that has too little of A
// copies from elsewhere.
Contender memory_copy(const Case& c, const Stage& stage) {
  const auto make = [&c, &stage]() -> Call {
    const auto bytes = as_size(bytes_received(c, stage));
    const bool enough = as_size(stage.a.elements() * stage.element.bytes) >= bytes;
    const auto other = std::make_shared<std::vector<std::byte>>(enough ? 0 : bytes);
    const std::byte* const from = enough ? stage.a.data.get() : other->data();
    return [other, from, to = stage.b.data.get(), bytes, comm = stage.comm()] {
      if (bytes > 0) std::memcpy(to, from, bytes);
      MPI_Barrier(comm);  // where processes share a core, they do not start at the same moment
    };
  };
  return {"memcpy", {}, {}, make};
}

std::optional<Facts> facts_of(const Case& c, int bytes, std::string_view algorithm) {
  const xredist::core::Traffic traffic = traffic_of(c);
  const std::vector<int> a = ranks_of(c.a), b = ranks_of(c.b);
  // The defaults of the library: 2000 ns for a message; a cost of a byte (ps) that is measured, and unknown here.
  const xredist::core::Network network{1e-9 * std::atof(setting("XREDIST_ALPHA", "2000").c_str()),
                                       1e-12 * std::atof(setting("XREDIST_BETA", "0").c_str()) * bytes};
  const auto schedule = xredist::core::find_algorithm(algorithm)->make(traffic, network, {a, b});
  if (!schedule) return std::nullopt;
  Facts facts{schedule->count, std::nullopt};
  if (c.trapezoid) return facts;  // some of the messages may be empty
  Index messages = 0;
  for (int row = 0; row < c.a.nprow; ++row)
    for (int col = 0; col < c.a.npcol; ++col)
      for (const xredist::core::Message& message : sends_of(traffic, *schedule, {row, col}))
        messages += c.a.rank_at(row, col) != c.b.rank_at(message.peer.row, message.peer.col);
  facts.messages = messages;
  return facts;
}

// P?GEMR2D and P?TRMR2D of ScaLAPACK and of xredist in one process.
namespace {

using xredist::testing::CRoutines, xredist::testing::file_of;

const void* address(auto* function) { return reinterpret_cast<const void*>(function); }

CRoutines of_scalapack(char letter) {
  return xredist::testing::c_routines(xredist::testing::opened(scalapack_file()), letter);
}

CRoutines of_xredist(char letter) {
  return xredist::testing::c_routines(xredist::testing::opened(drop_in_file()), letter);
}

constexpr const char* no_intervals = "P?GEMR2D cannot describe intervals";

bool has_partition(const Case& c) { return c.a.rows || c.a.cols || c.b.rows || c.b.cols; }

std::function<Call()> calls(const Case& c, const Stage& stage, const CRoutines& routines) {
  return [&c, &stage, routines]() -> Call {
    return [&c, &stage, routines] {
      const int *const desca = stage.desc_a.data(), *const descb = stage.desc_b.data(), ctxt = stage.context().handle();
      void *const a = stage.a.data.get(), *const b = stage.b.data.get();
      const int m = static_cast<int>(c.m), n = static_cast<int>(c.n), ia = static_cast<int>(c.a.i),
                ja = static_cast<int>(c.a.j), ib = static_cast<int>(c.b.i), jb = static_cast<int>(c.b.j);
      if (c.trapezoid)
        routines.trmr2d(&c.uplo, &c.diag, m, n, a, ia, ja, desca, b, ib, jb, descb, ctxt);
      else
        routines.gemr2d(m, n, a, ia, ja, desca, b, ib, jb, descb, ctxt);
    };
  };
}

// Returns the facts of the algorithm that the environment chooses for the drop-in. The default replaces an algorithm
// that is not defined.
Facts chosen_facts(const Case& c, int bytes) {
  if (const std::string route = setting("XREDIST_ROUTE", ""); route == "two-hop" || route == "striped") return {};
  const std::string name = setting("XREDIST_ALGORITHM", "");
  if (xredist::core::find_algorithm(name) != nullptr)
    if (const auto facts = facts_of(c, bytes, name)) return *facts;
  return *facts_of(c, bytes, "default");
}

}  // namespace

Contender scalapack(const Case& c, const Stage& stage) {
  if (has_partition(c)) return {"scalapack", no_intervals};
  return {"scalapack", {}, {}, calls(c, stage, of_scalapack(stage.element.letter))};
}

Contender mkl(const Case& c, const Stage& stage) {
  if (scalapack_file().find("mkl") == std::string::npos) return {"mkl", "the program is linked with another ScaLAPACK"};
  Contender contender = scalapack(c, stage);
  contender.name = "mkl";
  return contender;
}

#ifndef XREDIST_FFTW
Contender fftw(const Case&, const Stage&) { return {"fftw", "the program was built without FFTW for this MPI"}; }
#endif

Contender drop_in(const Case& c, const Stage& stage) {
  if (has_partition(c)) return {"drop-in", no_intervals};
  return {"drop-in", {}, chosen_facts(c, stage.element.bytes), calls(c, stage, of_xredist(stage.element.letter))};
}

std::string scalapack_file() { return file_of(address(Cpdgemr2d)); }

// The drop-in is beside libxredist, which this program is linked with.
std::string drop_in_file() {
  return std::filesystem::path(file_of(address(xredist_version))).replace_filename(XREDIST_DROP_IN);
}

}  // namespace drivers
