// Times redistributions r -> K r in the variants of Walker & Otto 1996, beside MPI_Bcast and MPI_Alltoall of the
// same amounts.
#include <mpi.h>

#include <functional>
#include <stdexcept>

#include "papers/walker_otto/variants.hpp"
#include "runs/program.hpp"
#include "runs/records.hpp"

namespace {

using namespace walker_otto;

struct Options : runs::Repeated {
  Options() : Repeated(5) {}
  std::string what = "all";
  std::vector<int> factors{2, 3, 4};
  int block = 4, blocks = 800;
  double pack = 0;

  Shape shape() const { return {block, blocks, 1e-9 * pack}; }
  bool wants(const std::string& name) const { return what == name || what == "all"; }
  void print(int factor, const std::string& variant, const runs::Summary& seconds, const char* data) const {
    runs::record(network, runs::size_of_world(), factor, variant, repetitions, seconds.median, seconds.least,
                 seconds.most, data);
  }
};

bool redistributions(const Options& options, int factor) {
  if (factor > options.blocks) throw std::invalid_argument("--factors: one is greater than the number of blocks");
  const Growth growth{runs::size_of_world(), factor};
  const int rank = runs::rank_in_world();
  Redistribution redistribution(growth, options.shape());
  const auto simple = simple_order(growth, rank), optimal = optimal_order(growth, rank);
  const auto receives = optimal_receives(growth, rank);
  unsigned seed = 0;
  const std::pair<const char*, std::function<void()>> variants[] = {
      {"synchronised", [&] { redistribution.synchronised(simple); }},
      {"unsynchronised", [&] { redistribution.unsynchronised(simple); }},
      {"random", [&] { redistribution.synchronised(random_order(growth, rank, ++seed)); }},
      {"optimal", [&] { redistribution.synchronised(optimal); }},
      {"sendrecv", [&] { redistribution.sendrecv(optimal, receives); }}};
  bool all_right = true;
  for (const auto& [name, move] : variants) {
    redistribution.clear();
    const runs::Summary seconds = runs::timed_after_one(options.repetitions, move);
    const bool right = runs::everywhere(redistribution.right());
    options.print(factor, name, seconds, runs::data_text(true, right));
    all_right = all_right && right;
  }
  return all_right;
}

// As much as a process holds, from one to all; that divided by P, between any two.
void collectives(const Options& options) {
  const int count = options.blocks * options.block, each = count / runs::size_of_world();
  std::vector<int> from(static_cast<std::size_t>(count)), to(from.size());
  const auto time = [&](const std::string& name, const std::function<void()>& call) {
    if (options.wants(name)) options.print(0, name, runs::timed_after_one(options.repetitions, call), "unchecked");
  };
  time("bcast", [&] { MPI_Bcast(from.data(), count, MPI_INT, 0, MPI_COMM_WORLD); });
  time("alltoall", [&] { MPI_Alltoall(from.data(), each, MPI_INT, to.data(), each, MPI_INT, MPI_COMM_WORLD); });
}

bool measure(const Options& options) {
  runs::record("network,processes,factor,variant,repetitions,median_s,least_s,most_s,data");
  collectives(options);
  bool right = true;
  if (options.wants("redistributions"))
    for (const int factor : options.factors) right = redistributions(options, factor) && right;
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Times redistributions r -> K r in the variants of Walker & Otto 1996.", "walker_otto");
  options.add_to(app);
  app.add_option("--what", options.what, "what to time")
      ->check(CLI::IsMember({"all", "bcast", "alltoall", "redistributions"}));
  cases::list(app, "--factors", options.factors, "of the block size")->check(cases::positive());
  app.add_option("--block", options.block, "ints in a small block")->check(cases::positive());
  app.add_option("--blocks", options.blocks, "small blocks of a process")->check(cases::positive());
  app.add_option("--pack", options.pack, "nanoseconds for a byte on a simulated process")->check(CLI::Range(0.0, 1e9));
  return runs::run_and_tell(app, argc, argv, [&] { return measure(options); });
}
