// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>

#include "drivers/contenders.hpp"
#include "xredist/version.h"

extern "C" {
#define NAMES(letter)                                                                                             \
  void Cp##letter##gemr2d(int m, int n, const void* a, int ia, int ja, const int* desca, void* b, int ib, int jb, \
                          const int* descb, int ctxt);                                                            \
  void Cp##letter##trmr2d(const char* uplo, const char* diag, int m, int n, const void* a, int ia, int ja,        \
                          const int* desca, void* b, int ib, int jb, const int* descb, int ctxt);
NAMES(i)
NAMES(s)
NAMES(d)
NAMES(c)
NAMES(z)
}

namespace drivers {
namespace {

struct Routines {
  decltype(&Cpdgemr2d) gemr2d;
  decltype(&Cpdtrmr2d) trmr2d;
};

// This program is linked with ScaLAPACK and not with libxredist_scalapack: these are ScaLAPACK's.
Routines scalapacks(char letter) {
  switch (letter) {
    case 'i': return {Cpigemr2d, Cpitrmr2d};
    case 's': return {Cpsgemr2d, Cpstrmr2d};
    case 'c': return {Cpcgemr2d, Cpctrmr2d};
    case 'z': return {Cpzgemr2d, Cpztrmr2d};
    default: return {Cpdgemr2d, Cpdtrmr2d};
  }
}

template <class Routine>
std::string file_of(Routine* routine) {
  Dl_info info;
  return dladdr(reinterpret_cast<void*>(routine), &info) != 0 ? info.dli_fname : "unknown";
}

// Beside libxredist, with which this program is linked. It stays open, because MPI_Finalize calls functions in it.
void* drop_in_library() {
  const std::filesystem::path path = std::filesystem::path(file_of(xredist_version)).replace_filename(XREDIST_DROP_IN);
  static void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  return library;
}

template <class Routine>
Routine ours(const std::string& name) {
  void* const found = dlsym(drop_in_library(), name.c_str());
  if (found == nullptr) throw std::runtime_error(dlerror());
  return reinterpret_cast<Routine>(found);
}

Routines ours(char letter) {
  const std::string base = std::string("Cp") + letter;
  return {ours<decltype(Routines::gemr2d)>(base + "gemr2d"), ours<decltype(Routines::trmr2d)>(base + "trmr2d")};
}

constexpr const char* cannot_say = "P?GEMR2D cannot say intervals";

bool in_intervals(const Case& c) { return c.a.rows || c.a.cols || c.b.rows || c.b.cols; }

std::function<Call()> calls(const Case& c, const Stage& stage, const Routines& routines) {
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

}  // namespace

Contender scalapack(const Case& c, const Stage& stage) {
  if (in_intervals(c)) return {"scalapack", cannot_say, {}, {}};
  return {"scalapack", {}, {}, calls(c, stage, scalapacks(stage.element.letter))};
}

Contender drop_in(const Case& c, const Stage& stage) {
  if (in_intervals(c)) return {"drop-in", cannot_say, {}, {}};
  return {"drop-in", {}, chosen_facts_of(c, stage.element.bytes), calls(c, stage, ours(stage.element.letter))};
}

std::string scalapack_file() { return file_of(scalapacks('d').gemr2d); }
std::string drop_in_file() { return file_of(ours('d').gemr2d); }

}  // namespace drivers
