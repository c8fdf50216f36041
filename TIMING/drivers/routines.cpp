// SPDX-License-Identifier: BSD-3-Clause
// P?GEMR2D and P?TRMR2D of ScaLAPACK and of xredist in one process.
#include <filesystem>
#include <sstream>
#include <utility>

#include "drivers/contender.hpp"
#include "support/symbols.hpp"
#include "xredist/version.h"

// This program is linked with ScaLAPACK and not with libxredist_scalapack, so this is the routine of ScaLAPACK.
extern "C" {
xredist::testing::GeC Cpdgemr2d;
int Csys2blacs_handle(MPI_Comm comm);
void Cfree_blacs_system_handle(int handle);
}

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

using ArrayDescriptor = std::array<int, 9>;

void call(const Stage& stage, const CRoutines& routines, const ArrayDescriptor& desca, const ArrayDescriptor& descb,
          int ctxt) {
  const Case& c = stage.c;
  void *const a = stage.a.data.get(), *const b = stage.b.data.get();
  const int m = static_cast<int>(c.m), n = static_cast<int>(c.n), ia = static_cast<int>(c.a.i),
            ja = static_cast<int>(c.a.j), ib = static_cast<int>(c.b.i), jb = static_cast<int>(c.b.j);
  if (c.trapezoid)
    routines.trmr2d(&c.uplo, &c.diag, m, n, a, ia, ja, desca.data(), b, ib, jb, descb.data(), ctxt);
  else
    routines.gemr2d(m, n, a, ia, ja, desca.data(), b, ib, jb, descb.data(), ctxt);
}

// A context of all processes of the stage and two grids, as programs make them anew for a few calls.
struct NewGrids {
  NewGrids(int system, const Stage& stage)
      : context(xredist::testing::row_major(stage.size(), 1), system),
        a(shape_of(stage.c.a), system),
        b(shape_of(stage.c.b), system) {}

  Context context, a, b;
};

// A communicator of the processes of a stage, its system handle of BLACS, and the grids of the next call.
struct GridMaker {
  explicit GridMaker(const Stage& s) : stage(s) {
    MPI_Comm_dup(s.comm(), &comm);
    system = Csys2blacs_handle(comm);
  }
  ~GridMaker() {
    grids.reset();
    Cfree_blacs_system_handle(system);
    MPI_Comm_free(&comm);
  }
  GridMaker(const GridMaker&) = delete;
  GridMaker& operator=(const GridMaker&) = delete;

  void remake() {
    grids.reset();
    grids.emplace(system, stage);
  }

  const Stage& stage;
  MPI_Comm comm = MPI_COMM_NULL;
  int system = 0;
  std::optional<NewGrids> grids{};
};

Call call_on_new_grids(const Stage& stage, const CRoutines& routines) {
  const auto maker = std::make_shared<GridMaker>(stage);
  const auto with_context = [](ArrayDescriptor desc, const Context& grid) {
    desc[1] = grid.handle();
    return desc;
  };
  return {.run =
              [=, &stage] {
                const auto& [context, a, b] = *maker->grids;
                call(stage, routines, with_context(stage.desc_a, a), with_context(stage.desc_b, b), context.handle());
              },
          .prepare = [=] { maker->remake(); }};
}

Contender routine(const std::string& name, const Stage& stage, void* library, bool on_new_grids = false) {
  const Case& c = stage.c;
  if (c.a.rows || c.a.cols || c.b.rows || c.b.cols) return {name, "P?GEMR2D cannot describe intervals"};
  try {
    const CRoutines found = xredist::testing::c_routines(library, stage.element.letter);
    if (on_new_grids) return {name, {}, [&stage, found] { return call_on_new_grids(stage, found); }};
    return {name, {}, [&stage, found] {
              return Call{[&stage, found] { call(stage, found, stage.desc_a, stage.desc_b, stage.context.handle()); }};
            }};
  } catch (const std::runtime_error& error) {
    return {name, error.what()};
  }
}

}  // namespace

Contender scalapack(const Stage& stage) { return routine("scalapack", stage, opened(scalapack_file())); }
Contender drop_in(const Stage& stage) { return routine("drop-in", stage, opened(drop_in_file())); }
Contender scalapack_on_new_grids(const Stage& stage) {
  return routine("new-grids:scalapack", stage, opened(scalapack_file()), true);
}
Contender drop_in_on_new_grids(const Stage& stage) {
  return routine("new-grids:drop-in", stage, opened(drop_in_file()), true);
}

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
