// A program with one error. It defines CBLACS_ABORT itself, to see that B is untouched when the
// library gives up, and then ends as BLACS would.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "grid.hpp"
#include "ranks.hpp"
#include "xredist/scalapack.h"

namespace {

using xredist::testing::Context;
using xredist::testing::row_major;

constexpr int n = 10;
std::vector<double> b((n + 1) * n, -1.0);

// A correct call from a 2x1 grid to a 1x2 grid, or from one process to the other.
struct Setting {
  Context context_a, context_b, all;
  int m = n, cols = n, ia = 1, ja = 1, ib = 1, jb = 1, ctxt = all.handle();
  std::vector<double> a = std::vector<double>(n * n, 1.0);
  double* a_data = a.data();
  int desca[9], descb[9];

  explicit Setting(bool apart)
      : context_a(apart ? row_major(1, 1) : row_major(2, 1)), context_b(apart ? row_major(1, 1, 1) : row_major(1, 2)),
        all(row_major(1, 2)) {
    const int common[9] = {1, -1, n, n, 2, 2, 0, 0, n};
    std::copy_n(common, 9, desca);
    std::copy_n(common, 9, descb);
    desca[1] = context_a.handle();
    descb[1] = context_b.handle();
  }
};

const std::map<std::string, std::function<void(Setting&)>> errors = {
    {"none", [](Setting&) {}},
    {"m-negative", [](Setting& s) { s.m = -2; }},
    {"n-negative", [](Setting& s) { s.cols = -1; }},
    {"ia-zero", [](Setting& s) { s.ia = 0; }},
    {"jb-zero", [](Setting& s) { s.jb = 0; }},
    {"m-too-large", [](Setting& s) { s.ia = 4, s.m = 8; }},
    {"n-too-large", [](Setting& s) { s.jb = 10, s.cols = 2; }},
    {"mb-zero", [](Setting& s) { s.desca[4] = 0; }},
    {"nb-negative", [](Setting& s) { s.descb[5] = -64; }},
    {"rsrc-outside", [](Setting& s) { s.desca[6] = 2; }},
    {"csrc-negative", [](Setting& s) { s.descb[7] = -1; }},
    {"lld-small", [](Setting& s) { s.descb[8] = n - 1; }},
    {"lld-small-on-one", [](Setting& s) { s.descb[8] = xredist::testing::rank() == 1 ? 3 : n; }},
    {"a-null", [](Setting& s) { s.a_data = nullptr; }},
    {"ctxt-invalid", [](Setting& s) { s.ctxt = -1; }},
    {"ctxt-never-existed", [](Setting& s) { s.ctxt = 4711; }},
    {"m-differs", [](Setting& s) { s.m = n - xredist::testing::rank(); }},
    // Not an error, for each process is within its own M_: ScaLAPACK's routine takes it too.
    {"desc-m-differs", [](Setting& s) { s.descb[2] = n + xredist::testing::rank(), s.descb[8] = n + 1; }},
    // Only where the processes have to exchange something can these be seen:
    {"apart:m-differs", [](Setting& s) { s.m = n - xredist::testing::rank(); }},
    {"apart:b-nowhere", [](Setting& s) { s.descb[1] = -1; }},
    {"apart:nb-zero", [](Setting& s) { s.descb[5] = 0; }},
};

}  // namespace

extern "C" __attribute__((visibility("default"))) void Cblacs_abort(int, int error) {
  const bool untouched = std::ranges::all_of(b, [](double x) { return x == -1.0; });
  std::printf("process %d: B is %s\n", xredist::testing::rank(), untouched ? "untouched" : "CHANGED");
  std::fflush(stdout);
  MPI_Abort(MPI_COMM_WORLD, error);
}

// A context that leaves out one of the three processes on which A lives; that one does not call.
static void uncovered() {
  const Context grid(row_major(1, 3)), context(row_major(1, 2));
  const int desc[9] = {1, grid.handle(), n, n, 2, 2, 0, 0, n};
  const std::vector<double> a(n * n, 1.0);
  if (context.member()) Cpdgemr2d(n, n, a.data(), 1, 1, desc, b.data(), 1, 1, desc, context.handle());
  MPI_Barrier(MPI_COMM_WORLD);  // waits to be ended: in MPI_Finalize Open MPI's launcher may not
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::string name = argc > 1 ? argv[1] : "";
  if (name == "uncovered") {
    uncovered();
  } else {
    const auto error = errors.find(name);
    if (error == errors.end()) {
      std::fprintf(stderr, "usage: misuse ERROR, where ERROR is one of\n  uncovered\n");
      for (const auto& [known, change] : errors) std::fprintf(stderr, "  %s\n", known.c_str());
      MPI_Abort(MPI_COMM_WORLD, 2);
    }
    Setting s(name.starts_with("apart:"));
    error->second(s);
    Cpdgemr2d(s.m, s.cols, s.a_data, s.ia, s.ja, s.desca, b.data(), s.ib, s.jb, s.descb, s.ctxt);
  }
  std::printf("returned\n");
  MPI_Finalize();
  return 0;
}

