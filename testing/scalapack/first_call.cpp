// SPDX-License-Identifier: BSD-3-Clause
// The first small call on a new context makes one reduction and no communicator, and a second reduction if a grid is
// not that of the context. No call compares all pairs of processes (MPI_Group_translate_ranks may). A repeated call
// makes one broadcast if a grid does not contain all processes, and otherwise no collective operation; with a new grid,
// it makes a broadcast and a reduction. The identities of processes are gathered once, also for several contexts: a
// large call on another context of the same processes makes as few reductions as a small one. Collective operations are
// counted by MPI's profiling interface; shared memory shows among the open files.
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "grid.hpp"
#include "ranks.hpp"
#include "xredist/scalapack.h"

namespace {
int duplicates = 0, reductions = 0, others = 0, translations = 0, gatherings = 0;
}

#define COUNTED(counter, name, parameters, arguments)                           \
  extern "C" __attribute__((visibility("default"))) int MPI_##name parameters { \
    ++counter;                                                                  \
    return PMPI_##name arguments;                                               \
  }
COUNTED(duplicates, Comm_dup, (MPI_Comm comm, MPI_Comm* copy), (comm, copy))
COUNTED(duplicates, Comm_idup, (MPI_Comm comm, MPI_Comm* copy, MPI_Request* request), (comm, copy, request))
COUNTED(others, Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* part), (comm, color, key, part))
COUNTED(others, Barrier, (MPI_Comm comm), (comm))
COUNTED(others, Bcast, (void* data, int count, MPI_Datatype type, int root, MPI_Comm comm),
        (data, count, type, root, comm))
COUNTED(others, Allgather,
        (const void* from, int count, MPI_Datatype type, void* to, int to_count, MPI_Datatype to_type, MPI_Comm comm),
        (from, count, type, to, to_count, to_type, comm))
COUNTED(others, Allreduce, (const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
        (from, to, count, type, op, comm))
COUNTED(others, Ibcast, (void* data, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request),
        (data, count, type, root, comm, request))

// Each rank may be compared with those of all processes.
extern "C" __attribute__((visibility("default"))) int MPI_Group_translate_ranks(MPI_Group from, int count,
                                                                                const int* ranks, MPI_Group to,
                                                                                int* found) {
  translations += count;
  return PMPI_Group_translate_ranks(from, count, ranks, to, found);
}

// The identities of all processes are gathered by a bitwise OR.
extern "C" __attribute__((visibility("default"))) int MPI_Iallreduce(const void* from, void* to, int count,
                                                                     MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                                                     MPI_Request* request) {
  ++reductions;
  gatherings += op == MPI_BOR && count > xredist::testing::size() ? 1 : 0;
  return PMPI_Iallreduce(from, to, count, type, op, comm, request);
}

namespace {

using namespace xredist::testing;

bool has_shared_memory() {
  for (int file = 3; file < 256; ++file) {
    char target[64] = {};
    if (readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), target, sizeof target - 1) > 0 &&
        std::string(target).starts_with("/memfd:xredist"))
      return true;
  }
  return false;
}

struct Setup {
  int duplicates, reductions, others;
};

// Counts the collective operations of a call that moves an n x n matrix from rows to columns, in a given context.
Setup setup_of_call(int n, const Context& rows, const Context& cols, const Context& all) {
  const Setup before{duplicates, reductions, others};
  const int desca[9] = {1, rows.handle(), n, n, 4, 4, 0, 0, n}, descb[9] = {1, cols.handle(), n, n, 8, 8, 0, 0, n};
  const std::vector<double> a(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), 1.0);
  std::vector<double> b(a.size(), 0.0);
  Cpdgemr2d(n, n, a.data(), 1, 1, desca, b.data(), 1, 1, descb, all.handle());
  return {duplicates - before.duplicates, reductions - before.reductions, others - before.others};
}

int expect(const char* what, bool right, int value) {
  if (!right) std::fprintf(stderr, "process %d: %s: %d\n", rank(), what, value);
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int failed = 0;
  const int watch = std::getenv("XREDIST_WATCH") != nullptr ? 1 : 0;  // reductions and translations for each context
  {
    const Context rows(row_major(size(), 1)), cols(row_major(1, size()));
    const Setup own = setup_of_call(100, rows, rows, rows);
    failed +=
        expect("reductions of a first call on the grid of the context", own.reductions == 1 + watch, own.reductions);
    translations = 0;  // of the BLACS
    const Setup first = setup_of_call(100, rows, cols, cols), second = setup_of_call(101, rows, cols, cols);
    failed += expect("duplicates made by the first call", first.duplicates == 0, first.duplicates);
    failed += expect("other collective operations of the first call", first.others == 0, first.others);
    failed += expect("reductions of the first call", first.reductions == 2 + watch, first.reductions);
    failed += expect("shared memory after small calls", !has_shared_memory(), 1);
    failed += expect("collective operations of the second call",
                     second.duplicates + second.reductions + second.others == 0, second.others);
    const Setup large = setup_of_call(1000, rows, cols, cols), again = setup_of_call(1001, rows, cols, cols);
    failed += expect("collective operations of a large call", size() == 1 || large.reductions > 0, large.reductions);
    failed += expect("shared memory after a large call", size() == 1 || has_shared_memory(), 0);
    failed +=
        expect("collective operations of the next large call", again.reductions + again.others == 0, again.others);
    failed += expect("translations of ranks", translations == watch, translations);
    failed += expect("gatherings of identities", gatherings == (size() == 1 ? 0 : 1), gatherings);
    const Context same_processes(row_major(1, size()));
    const Setup same = setup_of_call(1000, rows, same_processes, same_processes);
    failed += expect("gatherings of identities, with another context of these processes",
                     gatherings == (size() == 1 ? 0 : 1), gatherings);
    failed += expect("reductions of a large call on that context", same.reductions == 2 + watch, same.reductions);
    failed += expect("other collective operations of that call", same.others == 0, same.others);
    const Context first_alone(row_major(1, 1));
    const Setup outside = setup_of_call(100, rows, first_alone, cols),
                known = setup_of_call(100, rows, first_alone, cols);
    failed += expect("reductions of a call with processes outside of B", size() == 1 || outside.reductions == 2,
                     outside.reductions);
    failed += expect("reductions of the next such call", known.reductions == 0, known.reductions);
    failed += expect("broadcasts of the next such call", size() == 1 || known.others == 1, known.others);
    const Context others(row_major(1, 1)), new_context(row_major(size(), 1));
    const Setup new_grid = setup_of_call(100, rows, others, cols),
                all_new = setup_of_call(100, rows, others, new_context);
    failed += expect("reductions of a call with a new grid of known processes", size() == 1 || new_grid.reductions == 1,
                     new_grid.reductions);
    failed += expect("broadcasts of that call", size() == 1 || new_grid.others == 1, new_grid.others);
    failed += expect("reductions of a first call with processes outside of B",
                     size() == 1 || all_new.reductions == 2 + watch, all_new.reductions);
    failed += expect("other collective operations of that call", all_new.others == 0, all_new.others);
  }
  MPI_Finalize();
  return failed;
}
