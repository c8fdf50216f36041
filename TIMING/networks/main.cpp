// SPDX-License-Identifier: BSD-3-Clause
// Times redistributions on a network. Times are divided by the port bound: the time that the busiest port needs.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "drivers/matrices.hpp"
#include "drivers/program.hpp"
#include "networks/baseline.hpp"
#include "schedules/command_line.hpp"

namespace {

using namespace networks;
using runs::record;

struct Options : runs::Repeated {
  std::vector<Case> cases;
  std::vector<std::string> algorithms = contenders();
  std::vector<std::uint64_t> bytes{std::uint64_t{16} << 20};
  std::uint64_t bytes_per_process = 0;
  double rate = 0, limit = 0;
  int warm_up = 0;
  char element = 'd';
  bool without_header = false, parts_of_periods = false, relabel = false;

  Options() { network = "unnamed"; }
  void add_to(CLI::App& app) {
    Repeated::add_to(app);
    const CLI::Validator radices(
        [](const std::string& text) { return std::string(runs::choice_of(text).route == text ? "" : "not radices"); },
        "RADICES");
    app.add_option("--rate", rate, "rate of a port, bytes per second")->required()->check(CLI::Range(1.0, 1e15));
    cases::list(app, "--cases", cases, "grid/blocks:grid/blocks, as 16/3:16/5 or 16x16/3x5:16x16/5x3")->required();
    cases::list(app, "--algorithms", algorithms, "contenders to time, also radices of a mesh")
        ->check(radices | CLI::IsMember(contenders()));
    CLI::Option* const whole =
        cases::bytes(app, "--bytes", bytes, "bytes of the matrix, as in 16M (default); several sizes: 1M,16M")
            ->delimiter(',');
    cases::bytes(app, "--bytes-per-process", bytes_per_process,
                 "bytes of the matrix for each process of the larger grid")
        ->excludes(whole);
    app.add_option("--warm-up", warm_up, "calls before the timed calls")->check(CLI::Range(0, 1'000'000));
    app.add_option("--limit", limit, "fail if the default takes more than this multiple of the port bound")
        ->check(CLI::Range(1.0, 1e9));
    app.add_flag("--parts-of-periods", parts_of_periods,
                 "square matrices of these bytes, which may end within a period");
    app.add_option("--element", element, "type of the elements: i, s, d (default), c or z");
    app.add_flag("--relabel", relabel, "time each case also with the grid of B that keeps the most elements in place");
    app.add_flag("--no-header", without_header, "write records only");
  }
};

void complain(const Case& c, const std::string& what) {
  if (runs::rank_in_world() == 0) std::cerr << "networks: " << text_of(c) << ": " << what << std::endl;
}

// Returns a square matrix with the grids and blocks of a case.
Case square_of(Case c, double elements) {
  c.m = c.n = std::llround(std::sqrt(elements));
  for (cases::Matrix* x : {&c.a, &c.b}) x->M = c.m, x->N = c.n;
  return c;
}

// Returns the fraction of B that stays on its process, and the minimum of this fraction over all processes of B.
std::array<double, 2> kept_of(const runs::Matrices& x) {
  const auto common = [](const std::vector<Index>& now, const std::vector<Index>& before) {
    std::vector<Index> both;
    std::ranges::set_intersection(now, before, std::back_inserter(both));
    return static_cast<double>(both.size());
  };
  const double kept = common(x.b.rows, x.a.rows) * common(x.b.cols, x.a.cols);
  const auto all = static_cast<double>(x.b.elements());
  double sums[] = {kept, all}, min = all > 0 ? kept / all : 1;
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &min, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  return {sums[0] / sums[1], min};
}

// Records a contender. Returns whether B is right after each call, and the default is within the limit.
bool measure(const Options& options, runs::Matrices& x, double bound, const std::string& name) {
  const Contender method = contender(name, x);
  if (!method.undefined.empty()) {
    complain(x.c, "no " + name + " schedule, left out");
    return true;
  }
  const runs::Call call = method.make();
  runs::timed(options.warm_up, call);
  std::vector<double> times;
  bool right = true;
  for (int k = 0; k < options.repetitions; ++k) {
    x.blank();
    times.push_back(runs::seconds_of(call));
    right = (!method.moves_contents || x.right()) && right;
  }
  const runs::Summary seconds = runs::summary_of(times);
  const std::string route = method.moves_contents ? runs::route_text(x.c, x.element.bytes, name) : "direct";
  const auto [kept, min_kept] = kept_of(x);
  record(options.network, text_of(x.c), x.c.m, x.c.n, processes(x.c), name, options.repetitions, bound, seconds.median,
         seconds.min, seconds.max, runs::fixed(seconds.median / bound, 3),
         runs::data_text(method.moves_contents, right), route, x.c.b.ranks.empty() ? "no" : "yes", runs::fixed(kept, 6),
         runs::fixed(min_kept, 6));
  const bool slow = name == "default" && options.limit > 0 && seconds.median > options.limit * bound;
  if (slow) complain(x.c, "default takes more than " + runs::fixed(options.limit, 2));
  return right && !slow;
}

bool measure_all(const Options& options) {
  // The format number changes with the columns. `emulate` takes this line as a sign that all processes have started.
  if (!options.without_header)
    record(
        "# xredist networks, format 4\nnetwork,case,m,n,processes,algorithm,repetitions,bound_s,median_s,min_s,"
        "max_s,median_over_bound,data,route,relabelled,kept,min_kept");
  const std::vector<int> nodes = runs::nodes_of_world();
  bool passed = true;
  const auto measure_one = [&](const Case& shown, std::uint64_t bytes) {
    const cases::Element& element = cases::element_of(options.element);
    const double elements = static_cast<double>(bytes) / element.bytes;
    const Case c = options.parts_of_periods ? square_of(shown, elements) : of_about(shown, elements);
    for (const bool relabel : {false, true}) {
      if (relabel && !options.relabel) continue;
      runs::Matrices x(relabel ? runs::relabelled(c).c : c, options.element);
      // Counted by one process, because the simulator would count for each of a thousand. If nothing goes from node to
      // node, each process counts as a node.
      double bound = 0;
      if (runs::rank_in_world() == 0)
        for (const auto& ports : {nodes, {}})
          if (bound == 0) bound = static_cast<double>(port_elements(x.c, ports) * element.bytes);
      MPI_Bcast(&bound, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
      if (bound == 0) throw std::invalid_argument(text_of(shown) + ": nothing travels");
      for (const std::string& name : options.algorithms)
        passed = measure(options, x, bound / options.rate, name) && passed;
    }
  };
  for (const Case& shown : options.cases) {
    if (processes(shown) > runs::size_of_world()) throw std::invalid_argument(text_of(shown) + " needs more processes");
    if (options.bytes_per_process > 0)
      measure_one(shown, options.bytes_per_process * static_cast<std::uint64_t>(processes(shown)));
    else
      for (const std::uint64_t bytes : options.bytes) measure_one(shown, bytes);
  }
  return passed;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Times redistributions on a network, in multiples of the time that the busiest port needs.", "networks");
  options.add_to(app);
  return runs::run_and_tell(app, argc, argv, [&] { return measure_all(options); });
}
