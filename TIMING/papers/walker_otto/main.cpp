// Times redistributions r -> K r in the variants of Walker & Otto 1996, beside MPI_Bcast and MPI_Alltoall of the
// same amounts.
#include <mpi.h>

#include <cstdio>
#include <functional>
#include <stdexcept>

#include "../options.hpp"
#include "../timed.hpp"
#include "variants.hpp"

namespace {

using namespace walker_otto;

constexpr const char* header = "network,processes,factor,variant,repetitions,median_s,least_s,most_s,data\n";

struct Run {
  papers::Options options;
  Shape shape;
  int processes, rank;

  void print(int factor, const std::string& variant, const papers::Times& times, const char* data) const {
    if (rank != 0) return;
    std::printf("%s,%d,%d,%s,%zu,%.6g,%.6g,%.6g,%s\n", options.text("network").c_str(), processes, factor,
                variant.c_str(), times.count, times.median, times.least, times.most, data);
    std::fflush(stdout);
  }
};

bool redistributions(const Run& run, int factor) {
  const Growth growth{run.processes, factor};
  Redistribution redistribution(growth, run.shape);
  const auto simple = simple_order(growth, run.rank), optimal = optimal_order(growth, run.rank);
  const auto receives = optimal_receives(growth, run.rank);
  unsigned seed = 0;
  const std::pair<const char*, std::function<void()>> variants[] = {
      {"synchronised", [&] { redistribution.synchronised(simple); }},
      {"unsynchronised", [&] { redistribution.unsynchronised(simple); }},
      {"random", [&] { redistribution.synchronised(random_order(growth, run.rank, ++seed)); }},
      {"optimal", [&] { redistribution.synchronised(optimal); }},
      {"sendrecv", [&] { redistribution.sendrecv(optimal, receives); }}};
  bool all_right = true;
  for (const auto& [name, move] : variants) {
    redistribution.clear();
    const papers::Times times = papers::timed(run.options.whole("repetitions"), move);
    const bool right = papers::everywhere(redistribution.right());
    run.print(factor, name, times, right ? "right" : "WRONG");
    all_right = all_right && right;
  }
  return all_right;
}

// As much as a process holds, from one to all; that divided by P, between any two.
void collectives(const Run& run, const std::string& what) {
  const int count = run.shape.blocks * run.shape.r, each = count / run.processes;
  std::vector<int> from(static_cast<std::size_t>(count)), to(from.size());
  const int repetitions = run.options.whole("repetitions");
  if (what == "bcast" || what == "all")
    run.print(0, "bcast",
              papers::timed(repetitions, [&] { MPI_Bcast(from.data(), count, MPI_INT, 0, MPI_COMM_WORLD); }),
              "unchecked");
  if (what == "alltoall" || what == "all")
    run.print(
        0, "alltoall",
        papers::timed(repetitions,
                      [&] { MPI_Alltoall(from.data(), each, MPI_INT, to.data(), each, MPI_INT, MPI_COMM_WORLD); }),
        "unchecked");
}

bool measure(const papers::Options& options) {
  Run run{options, {options.whole("block"), options.whole("blocks"), 1e-9 * options.real("pack")}, 0, 0};
  MPI_Comm_size(MPI_COMM_WORLD, &run.processes);
  MPI_Comm_rank(MPI_COMM_WORLD, &run.rank);
  if (run.rank == 0) std::fputs(header, stdout);
  const std::string& what = options.text("what");
  collectives(run, what);
  if (what == "bcast" || what == "alltoall") return true;
  bool right = true;
  for (const int factor : options.wholes("factors")) {
    if (factor > run.shape.blocks) throw std::invalid_argument("a factor is greater than the number of blocks");
    right = redistributions(run, factor) && right;
  }
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  return papers::run("walker_otto", argc, argv,
                     {{"network", "this computer"},
                      {"factors", "2,3,4"},
                      {"block", "4"},
                      {"blocks", "800"},
                      {"pack", "0"},
                      {"what", "all"},
                      {"repetitions", "5"}},
                     measure);
}
