// SPDX-License-Identifier: BSD-3-Clause
// P?GEMR2D and P?TRMR2D of ScaLAPACK and of xredist in one process.
#include <filesystem>
#include <sstream>

#include "drivers/contender.hpp"
#include "support/symbols.hpp"
#include "xredist/version.h"

// This program is linked with ScaLAPACK and not with libxredist_scalapack, so this is the routine of ScaLAPACK.
extern "C" xredist::testing::GeC Cpdgemr2d;

namespace drivers {
namespace {

using xredist::testing::CRoutines, xredist::testing::file_of, xredist::testing::opened;

// With this flag, a library prefers its own functions to ScaLAPACK's functions of the same names.
#ifdef RTLD_DEEPBIND
constexpr int own_names_first = RTLD_DEEPBIND;
#else
constexpr int own_names_first = 0;
#endif

const void* address(auto* function) { return reinterpret_cast<const void*>(function); }

void call(const Stage& stage, const CRoutines& routines) {
  const Case& c = stage.c;
  const int *const desca = stage.desc_a.data(), *const descb = stage.desc_b.data(), ctxt = stage.context.handle();
  void *const a = stage.a.data.get(), *const b = stage.b.data.get();
  const int m = static_cast<int>(c.m), n = static_cast<int>(c.n), ia = static_cast<int>(c.a.i),
            ja = static_cast<int>(c.a.j), ib = static_cast<int>(c.b.i), jb = static_cast<int>(c.b.j);
  if (c.trapezoid)
    routines.trmr2d(&c.uplo, &c.diag, m, n, a, ia, ja, desca, b, ib, jb, descb, ctxt);
  else
    routines.gemr2d(m, n, a, ia, ja, desca, b, ib, jb, descb, ctxt);
}

Contender routine(const std::string& name, const Stage& stage, void* library) {
  const Case& c = stage.c;
  if (c.a.rows || c.a.cols || c.b.rows || c.b.cols) return {name, "P?GEMR2D cannot describe intervals"};
  try {
    const CRoutines found = xredist::testing::c_routines(library, stage.element.letter);
    return {name, {}, [&stage, found] { return Call{[&stage, found] { call(stage, found); }}; }};
  } catch (const std::runtime_error& error) {
    return {name, error.what()};
  }
}

}  // namespace

Contender scalapack(const Stage& stage) { return routine("scalapack", stage, opened(scalapack_file())); }
Contender drop_in(const Stage& stage) { return routine("drop-in", stage, opened(drop_in_file())); }

Contender of_libraries(const Stage& stage, const std::string& files) {
  std::istringstream names(files);
  void* library = nullptr;
  for (std::string name; std::getline(names, name, ':');) {
    const bool last = names.eof();
    library = dlopen(name.c_str(), RTLD_LAZY | (last ? RTLD_LOCAL | own_names_first : RTLD_GLOBAL));
    if (library == nullptr) return {name, dlerror()};
    if (last) return routine(name, stage, library);
  }
  return {files, "no library"};
}

std::string scalapack_file() { return file_of(address(Cpdgemr2d)); }

// The drop-in is beside libxredist, which this program is linked with.
std::string drop_in_file() {
  return std::filesystem::path(file_of(address(xredist_version))).replace_filename(XREDIST_DROP_IN);
}

}  // namespace drivers
