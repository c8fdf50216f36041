// SPDX-License-Identifier: BSD-3-Clause
// P?GEMR2D and P?TRMR2D of ScaLAPACK and of xredist in one process.
#include <cstdlib>
#include <filesystem>

#include "drivers/stage.hpp"
#include "schedule/algorithm.hpp"
#include "support/symbols.hpp"
#include "xredist/version.h"

// This program is linked with ScaLAPACK and not with libxredist_scalapack, so this is the routine of ScaLAPACK.
extern "C" xredist::testing::GeC Cpdgemr2d;

namespace drivers {
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

bool in_intervals(const Case& c) { return c.a.rows || c.a.cols || c.b.rows || c.b.cols; }

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

std::string environment(const char* name) {
  const char* const text = std::getenv(name);
  return text != nullptr ? text : "";
}

// Returns the facts of the algorithm that the environment chooses for the drop-in. The default replaces an algorithm
// that is not defined.
Facts chosen_facts(const Case& c, int bytes) {
  if (environment("XREDIST_ROUTE") == "two-hop") return {};
  const std::string name = environment("XREDIST_ALGORITHM");
  if (xredist::core::find_algorithm(name) != nullptr)
    if (const auto facts = facts_of(c, bytes, name)) return *facts;
  return *facts_of(c, bytes, "default");
}

}  // namespace

Contender scalapack(const Case& c, const Stage& stage) {
  if (in_intervals(c)) return {"scalapack", no_intervals};
  return {"scalapack", {}, {}, calls(c, stage, of_scalapack(stage.element.letter))};
}

Contender drop_in(const Case& c, const Stage& stage) {
  if (in_intervals(c)) return {"drop-in", no_intervals};
  return {"drop-in", {}, chosen_facts(c, stage.element.bytes), calls(c, stage, of_xredist(stage.element.letter))};
}

std::string scalapack_file() { return file_of(address(Cpdgemr2d)); }

// The drop-in is beside libxredist, which this program is linked with.
std::string drop_in_file() {
  return std::filesystem::path(file_of(address(xredist_version))).replace_filename(XREDIST_DROP_IN);
}

}  // namespace drivers
