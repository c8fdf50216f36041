// Times redistributions on a network, in units of what its ports need for them at least.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <vector>

#include "arguments.hpp"
#include "mover.hpp"

namespace {

using namespace networks;

// Changes where columns or their meaning do.
constexpr const char* header =
    "# xredist networks, format 1\n"
    "network,case,m,n,processes,algorithm,repetitions,bound_s,median_s,least_s,most_s,median_over_bound,data\n";

struct Result {
  double over_bound;
  bool right;
};

// The slowest process's time.
double timed(Mover& mover) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  mover.move();
  double seconds = MPI_Wtime() - start;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

Result measure(const Arguments& arguments, const Case& c, double bound, const std::string& name, Mover& mover, Local& b,
               bool prints) {
  for (int i = 0; i < arguments.warm_up; ++i) timed(mover);
  std::vector<double> times;
  int right = 1;
  for (int i = 0; i < arguments.repetitions; ++i) {
    b.clear();
    times.push_back(timed(mover));
    if (mover.moves_contents()) right = right && b.numbered();
  }
  MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  std::ranges::sort(times);
  const double median = times[times.size() / 2];
  if (prints) {
    std::printf("%s,%s,%lld,%lld,%lld,%s,%d,%.6g,%.6g,%.6g,%.6g,%.3f,%s\n", arguments.network.c_str(), c.name.c_str(),
                static_cast<long long>(c.m), static_cast<long long>(c.n), static_cast<long long>(c.processes()),
                name.c_str(), arguments.repetitions, bound, median, times.front(), times.back(), median / bound,
                !mover.moves_contents() ? "unchecked"
                : right                 ? "right"
                                        : "WRONG");
    std::fflush(stdout);
  }
  return {median / bound, right != 0};
}

// What went wrong, on every process the same.
int run(const Arguments& arguments, int rank, int size) {
  int failures = 0;
  if (rank == 0 && arguments.header) {
    std::fputs(header, stdout);
    std::fflush(stdout);  // says that all processes have started
  }
  for (const std::string& text : arguments.cases) {
    Case c = make_case(text, bytes_of(arguments.bytes));
    if (arguments.per_process) c = make_case(text, bytes_of(arguments.bytes) * c.processes());
    if (c.processes() > size) throw std::invalid_argument(text + " needs more processes");
    Local a(c.a, c.m, c.n, rank), b(c.b, c.m, c.n, rank);
    a.number();
    // By one process: the simulator would count for each of a thousand.
    double bound = rank == 0 ? static_cast<double>(port_bytes(c)) / arguments.rate : 0;
    MPI_Bcast(&bound, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (const std::string& name : arguments.algorithms) {
      const auto mover = make_mover(name, c, a, b);
      if (!mover) {
        if (rank == 0) std::fprintf(stderr, "networks: %s: no %s schedule, left out\n", text.c_str(), name.c_str());
        continue;
      }
      const Result result = measure(arguments, c, bound, name, *mover, b, rank == 0);
      const bool slow = name == "default" && arguments.limit > 0 && result.over_bound > arguments.limit;
      if (slow && rank == 0)
        std::fprintf(stderr, "networks: %s: default takes more than %g\n", text.c_str(), arguments.limit);
      failures += slow || !result.right;
    }
  }
  return failures;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0, failures = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  try {
    failures = run(parse(argc, argv), rank, size);
    // What starts this program need not tell of its end: SimGrid returns 0 after a deadlock.
    if (rank == 0) std::printf("# %s\n", failures == 0 ? "passed" : "FAILED");
  } catch (const std::exception& error) {
    if (rank == 0) std::fprintf(stderr, "networks: %s\n%s", error.what(), usage().c_str());
  }
#ifndef XREDIST_SIMULATED
  // SimGrid deletes the attributes of MPI_COMM_SELF when MPI may not be called any more (MPI-4, 11.2.4, wants it
  // before).
  MPI_Finalize();
#endif
  return failures != 0;
}
