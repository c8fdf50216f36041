// SPDX-License-Identifier: BSD-3-Clause
// Times schedules as Desprez et al. 1998 did: packed messages, one step after the other on each process, no barriers.
// Beside them: the library ("library"), which overlaps steps, and all messages posted at once ("at-once").
#include <stdexcept>

#include "drivers/matrices.hpp"
#include "drivers/program.hpp"
#include "networks/baseline.hpp"
#include "schedule/algorithm.hpp"
#include "schedules/command_line.hpp"

namespace {

using cases::Case, cases::Index;
using networks::Contender;

struct Options : runs::Repeated {
  Case shown{.a = {.nprow = 16, .mb = 3}, .b = {.nprow = 16, .mb = 5}};
  std::vector<int> elements{1200, 2400, 4800, 9600, 19200, 38400, 76800, 153600, 307200, 614400, 1228800, 2457600};
  std::vector<std::string> algorithms{"optimal", "shifted", "caterpillar", "library", "at-once"};
  double rate = 1.25e9;
};

// Returns a contender and its number of steps, 0 if all messages are posted at once.
std::pair<Contender, Index> contender(const std::string& name, const runs::Matrices& x) {
  if (name == "at-once") return {networks::baseline(name, x.c), 0};
  const std::string algorithm = name == "library" ? "default" : name;
  const auto* found = xredist::core::find_algorithm(algorithm);
  const auto schedule = found == nullptr ? std::nullopt : found->make(traffic_of(x.c), {2e-6, 8e-10}, {});
  if (!schedule) throw std::invalid_argument("--algorithms: no such algorithm, or not defined here: " + name);
  if (name == "library") return {networks::contender(algorithm, x.c, x.a, x.b), schedule->count};
  return {networks::step_by_step(x.c, *schedule), schedule->count};
}

bool measure(const Options& options) {
  if (processes(options.shown) > runs::size_of_world())
    throw std::invalid_argument("--case: " + text_of(options.shown) + " needs more processes");
  runs::record("network,case,elements,processes,algorithm,steps,repetitions,bound_s,median_s,min_s,max_s,data");
  bool all_right = true;
  for (const int elements : options.elements) {
    runs::Matrices x(of_about(options.shown, elements), 'd');
    const double bound = static_cast<double>(port_elements(x.c) * x.element.bytes) / options.rate;
    for (const std::string& name : options.algorithms) {
      const auto [method, steps] = contender(name, x);
      x.blank();
      const runs::Summary seconds = runs::timed_after_one(options.repetitions, method.make());
      const bool right = !method.moves_contents || x.right();
      runs::record(options.network, text_of(x.c), elements_of(x.c), processes(x.c), name, steps, options.repetitions,
                   bound, seconds.median, seconds.min, seconds.max, runs::data_text(method.moves_contents, right));
      all_right = all_right && right;
    }
  }
  return all_right;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Times schedules as Desprez et al. 1998 did, step by step.", "desprez");
  options.add_to(app);
  app.add_option("--case", options.shown, "grid/blocks:grid/blocks, as in 16/3:16/5 (default)")->type_name("CASE");
  cases::list(app, "--elements", options.elements, "length of the vector of doubles, rounded to whole periods")
      ->check(cases::positive());
  app.add_option("--rate", options.rate, "rate of a port, bytes per second")->check(CLI::Range(1.0, 1e15));
  cases::list(app, "--algorithms", options.algorithms, "names of schedules, library, at-once");
  return runs::run_and_tell(app, argc, argv, [&] { return measure(options); });
}
