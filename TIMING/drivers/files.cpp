// SPDX-License-Identifier: BSD-3-Clause
// usage: files FOLDER MEGABYTES BLOCK ROUNDS
// Writes a matrix of doubles in square blocks on a nearly square grid to a file in FOLDER, and reads it, in three ways:
// xredist_write and xredist_read; MPI-IO with the file view of MPI_Type_create_darray; and a gather on rank 0, which
// writes (reads) alone. Prints a CSV record for each: the median time of ROUNDS from a common start to the end of the
// slowest process, and the memory that the slowest process needed beside its local array. Files are compared byte by
// byte.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "schedules/classic_locale.hpp"
#include "support/ranks.hpp"
#include "xredist/file.h"
#include "xredist/xredist.hpp"

namespace {

using xredist::testing::rank;
using xredist::testing::size;

void demand(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "files: %s: %s\n", what, xredist_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

constexpr MPI_Offset header_bytes = 128;

struct Case {
  int n, block, nprow, npcol;
  std::int64_t rows, cols;
  xredist_layout layout;

  std::size_t elements() const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols); }
};

Case case_of(double bytes, int block) {
  Case made{static_cast<int>(std::sqrt(bytes / 8)), block, static_cast<int>(std::sqrt(size())), 0, 0, 0, {}};
  while (size() % made.nprow != 0) --made.nprow;
  made.npcol = size() / made.nprow;
  made.layout.nprow = made.nprow, made.layout.npcol = made.npcol;
  made.layout.mb = made.layout.nb = block;
  demand(xredist_local_size(&made.layout, made.n, made.n, rank(), &made.rows, &made.cols) == 0, "local size");
  return made;
}

xredist_file file_of(const Case& x, const std::string& name) {
  xredist_file file{};
  file.name = name.c_str();
  file.m = file.n = x.n;
  file.type = 'D';
  return file;
}

// The collective MPI-IO of a program without the library: a view of the blocks that this process holds.
void access_darray(const Case& x, const std::string& name, std::vector<double>& local, bool writes) {
  int sizes[] = {x.n, x.n}, kinds[] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_CYCLIC}, blocks[] = {x.block, x.block},
      grid[] = {x.nprow, x.npcol};
  MPI_Datatype view;
  MPI_Type_create_darray(size(), rank(), 2, sizes, kinds, blocks, grid, MPI_ORDER_FORTRAN, MPI_DOUBLE, &view);
  MPI_Type_commit(&view);
  MPI_File file;
  demand(MPI_File_open(MPI_COMM_WORLD, name.c_str(), writes ? MPI_MODE_CREATE | MPI_MODE_WRONLY : MPI_MODE_RDONLY,
                       MPI_INFO_NULL, &file) == MPI_SUCCESS,
         "MPI_File_open");
  MPI_File_set_view(file, header_bytes, MPI_DOUBLE, view, "native", MPI_INFO_NULL);
  const int count = static_cast<int>(local.size());
  const int code = writes ? MPI_File_write_all(file, local.data(), count, MPI_DOUBLE, MPI_STATUS_IGNORE)
                          : MPI_File_read_all(file, local.data(), count, MPI_DOUBLE, MPI_STATUS_IGNORE);
  demand(code == MPI_SUCCESS, "MPI_File_write_all or MPI_File_read_all");
  MPI_File_close(&file);
  MPI_Type_free(&view);
}

void access_gathered(const Case& x, const std::string& name, std::vector<double>& local, bool writes) {
  xredist::Layout blocks, whole;
  blocks.nprow = x.nprow, blocks.npcol = x.npcol, blocks.mb = blocks.nb = x.block;
  whole.nprow = whole.npcol = 1, whole.mb = whole.nb = x.n;
  xredist::Operation operation{};
  operation.m = operation.n = x.n;
  const std::size_t all = rank() == 0 ? static_cast<std::size_t>(x.n) * static_cast<std::size_t>(x.n) : 0;
  const std::unique_ptr<double[]> matrix(new double[all]);
  const auto bytes = static_cast<std::streamsize>(8 * all);
  std::fstream file;
  if (rank() == 0) file.open(name, writes ? std::ios::out | std::ios::binary : std::ios::in | std::ios::binary);
  file.seekp(header_bytes);
  if (rank() == 0 && !writes) file.read(reinterpret_cast<char*>(matrix.get()), bytes);
  const auto execute = [&](const xredist::Layout& from, const xredist::Layout& to, const double* a, std::int64_t lda,
                           double* b, std::int64_t ldb) {
    const xredist::Plan<double> plan(MPI_COMM_WORLD, from, to, operation);
    xredist_job job{};
    job.plan = plan.get();
    job.a = a, job.lda = lda, job.b = b, job.ldb = ldb;
    demand(xredist_execute(&job) == 0, "gather");
  };
  if (writes) {
    execute(blocks, whole, local.data(), x.rows, matrix.get(), x.n);
    if (rank() == 0) file.write(reinterpret_cast<const char*>(matrix.get()), bytes);
  } else {
    execute(whole, blocks, matrix.get(), x.n, local.data(), x.rows);
  }
  if (rank() == 0) file.close();
}

// Returns a number of kB of this process: "VmRSS:" or "VmHWM:".
long kilobytes(const std::string& wanted) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == wanted) {
      long value = 0;
      status >> value;
      return value;
    }
  return 0;
}

struct Measured {
  double seconds;
  double megabytes;
};

Measured measured(const std::function<void()>& action) {
  std::ofstream("/proc/self/clear_refs") << 5;  // the maximum begins again
  const long before = kilobytes("VmRSS:");
  MPI_Barrier(MPI_COMM_WORLD);
  double values[2] = {-MPI_Wtime(), 0};
  action();
  values[0] += MPI_Wtime();
  values[1] = static_cast<double>(kilobytes("VmHWM:") - before) / 1024;
  MPI_Allreduce(MPI_IN_PLACE, values, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return {values[0], values[1]};
}

bool equal_files(const std::string& x, const std::string& y) {
  return std::system(("cmp -s -i 128 " + x + " " + y).c_str()) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  cases::use_classic_locale();
  demand(argc == 5, "usage: files FOLDER MEGABYTES BLOCK ROUNDS");
  const std::string folder = argv[1];
  const Case x = case_of(std::atof(argv[2]) * 1e6, std::atoi(argv[3]));
  const int rounds = std::atoi(argv[4]);
  std::vector<double> local(x.elements());
  for (std::size_t k = 0; k < local.size(); ++k) local[k] = static_cast<double>(k) + 0.25 * rank();
  const std::vector<double> expected = local;

  struct Way {
    const char* name;
    std::function<void(const std::string&, bool)> access;
    std::array<std::vector<Measured>, 2> results{};
  };
  std::array<Way, 3> ways{
      {{"xredist",
        [&](const std::string& name, bool writes) {
          const xredist_file file = file_of(x, name);
          demand((writes ? xredist_write(MPI_COMM_WORLD, &x.layout, local.data(), 0, &file)
                         : xredist_read(MPI_COMM_WORLD, &x.layout, local.data(), 0, &file)) == 0,
                 "xredist");
        }},
       {"darray", [&](const std::string& name, bool writes) { access_darray(x, name, local, writes); }},
       {"gather", [&](const std::string& name, bool writes) { access_gathered(x, name, local, writes); }}}};
  for (int round = 0; round < rounds; ++round) {
    const std::string first = folder + "/xredist.npy";
    for (Way& way : ways) {
      const std::string name = folder + "/" + way.name + ".npy";
      way.results[0].push_back(measured([&] { way.access(name, true); }));
      if (rank() == 0) demand(equal_files(first, name), "the files differ");
      MPI_Barrier(MPI_COMM_WORLD);
      std::fill(local.begin(), local.end(), -1.0);
      way.results[1].push_back(measured([&] { way.access(name, false); }));
      demand(local == expected, "a wrong element");
      if (rank() == 0 && name != first) std::remove(name.c_str());
      MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank() == 0) std::remove(first.c_str());
  }
  if (rank() == 0) {
    std::printf("processes,megabytes,block,way,direction,seconds,extra_megabytes,check\n");
    for (Way& way : ways)
      for (int direction = 0; direction < 2; ++direction) {
        std::vector<Measured>& all = way.results[static_cast<std::size_t>(direction)];
        std::ranges::sort(all, {}, &Measured::seconds);
        const double memory = std::ranges::max(all, {}, &Measured::megabytes).megabytes;
        std::printf("%d,%s,%d,%s,%s,%.4f,%.1f,passed\n", size(), argv[2], x.block, way.name,
                    direction == 0 ? "write" : "read", all[all.size() / 2].seconds, memory);
      }
  }
  MPI_Finalize();
}
