// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <iostream>
#include <thread>

#include "drivers/program.hpp"
#include "drivers/reports.hpp"

namespace drivers {
namespace {

using runs::rank_in_world, runs::size_of_world;

struct Arguments {
  std::string file = "REDIST.dat", csv, json;
  std::vector<std::string> algorithms;  ///< replace those of the file, unless empty
  std::vector<std::string> against;     ///< beside those
  std::vector<std::uint64_t> random;    ///< seed and number of random cases, which replace the file, unless empty
  bool relabel = false;                 ///< time each case again with the grid of B relabelled
  int rounds = 0;                       ///< replaces the number of the file, unless 0

  void add_to(CLI::App& app) {
    CLI::Option* const from_file =
        app.add_option("-f,--file", file, "input file; may be one of REDIST's own tests (22 or 24 integers a line)")
            ->capture_default_str();
    app.add_option("--csv", csv, "write a row for each case and algorithm");
    app.add_option("--json", json, "write all results, all times and a description of machine, MPI and library");
    list(app, "--algorithms", algorithms, "contenders, instead of those in the file")
        ->check(CLI::IsMember(known_algorithms()));
    list(app, "--against", against, "contenders, beside those")->check(CLI::IsMember(known_algorithms()));
    list(app, "--random", random,
         "SEED,COUNT: time random cases instead of a file, and list the worst ratios to ScaLAPACK's routine")
        ->expected(2)
        ->type_name("SEED,COUNT")
        ->excludes(from_file);
    app.add_flag("--relabel", relabel,
                 "time each case again, with the processes of B where they keep the most elements in place");
    app.add_option("--rounds", rounds, "timed calls of each algorithm, instead of the numbers in the file")
        ->check(positive());
  }
};

// Returns a function that prints the progress to standard error every ten seconds.
auto progress_of(const std::string& program, std::size_t cases) {
  return [=, start = MPI_Wtime(), printed = 0.0](int number, int round) mutable {
    const double seconds = MPI_Wtime() - start;
    if (seconds < printed + 10) return;
    printed = seconds;
    std::cerr << program << ": case " << number << " of " << cases << ", round " << round << ", "
              << static_cast<int>(seconds) << " s\n";
  };
}

// Makes MPI allocate the memory of all connections, which must not count as memory of an algorithm.
void connect_all() {
  constexpr int bytes = 1 << 18;
  const auto size = as_size(size_of_world());
  std::vector<std::byte> out(bytes * size), in(bytes * size);
  MPI_Alltoall(out.data(), bytes, MPI_BYTE, in.data(), bytes, MPI_BYTE, MPI_COMM_WORLD);
}

// Waits for all processes, and leaves the processor to those that still work.
void wait_for_all() {
  MPI_Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (int done = 0;;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void count(const Verdict& verdict, Counts& counts) {
  for (const Outcome& outcome : verdict.times.outcomes) {
    counts.passed += outcome.passed();
    counts.failed += outcome.failed();
    counts.undefined += !outcome.undefined.empty();
  }
}

// Inserts the relabelled case after each case that has enough processes and keeps more elements in place that way.
std::vector<Case> with_relabelled(const std::vector<Case>& cases) {
  std::vector<Case> all;
  for (const Case& c : cases) {
    all.push_back(c);
    if (processes(c) > size_of_world()) continue;
    const runs::Relabelled other = runs::relabelled(c);
    if (other.kept > other.kept_before) all.push_back(other.c);
    if (rank_in_world() == 0)
      std::cout << grid_text(c.a) << " -> " << grid_text(c.b) << ": " << other.kept_before
                << " of the elements stay, relabelled " << other.kept << '\n';
  }
  return all;
}

Input random_input(std::uint64_t seed, std::uint64_t count) {
  Input input;
  input.title = {"Random cases, seed " + std::to_string(seed)};
  input.algorithms = {"drop-in", "scalapack"};
  input.rounds = {2, 7, 60, 0.3};
  input.sweep = true;
  input.cases = random_cases(seed, static_cast<int>(std::min<std::uint64_t>(count, 1'000'000)), size_of_world());
  return input;
}

Input input_for(const Arguments& arguments) {
  Input input = arguments.random.empty() ? read_input(arguments.file, shared_text(arguments.file), shared_text)
                                         : random_input(arguments.random[0], arguments.random[1]);
  if (!arguments.algorithms.empty()) input.algorithms = arguments.algorithms;
  input.algorithms.insert(input.algorithms.end(), arguments.against.begin(), arguments.against.end());
  if (arguments.relabel) input.cases = with_relabelled(input.cases);
  if (arguments.rounds > 0) input.rounds.min = input.rounds.max = arguments.rounds;
  return input;
}

// Times all cases. Rank 0, which takes part in every case, reports.
Counts time_all(const Element& element, const Input& input, Outputs& outputs, const std::string& program) {
  const bool reports = rank_in_world() == 0;
  const Description description = describe();
  if (reports) print_head(*outputs.report, element, input, description);
  connect_all();
  auto progress = progress_of(program, input.cases.size());
  Counts counts;
  Kept kept;
  std::vector<Verdict> verdicts;
  int number = 0;
  for (const Case& c : input.cases) {
    ++number;
    if (processes(c) > size_of_world()) {
      ++counts.skipped;
      if (reports) print_skipped(*outputs.report, number, c, size_of_world());
      continue;
    }
    Stage stage(c, element);
    if (stage.takes_part()) {
      const auto note = [&](int round) {
        if (reports) progress(number, round);
      };
      Verdict verdict{c, number, elements_of(c) * element.bytes,
                      time_case(c, stage, input.rounds, input.algorithms, kept, note)};
      count(verdict, counts);
      if (reports) print_case(*outputs.report, verdict);
      if (outputs.csv.is_open()) write_csv(outputs.csv, verdict);
      if (outputs.json.is_open() || input.sweep) verdicts.push_back(std::move(verdict));
    }
    wait_for_all();
  }
  if (reports && input.sweep) print_worst(*outputs.report, verdicts);
  if (reports) print_end(*outputs.report, counts);
  if (outputs.json.is_open()) write_json(outputs.json, element, input, description, verdicts, counts);
  outputs.close();
  return counts;
}

// Returns whether something was checked and nothing failed.
bool passes(char letter, const Arguments& arguments, const std::string& program) {
  const Input input = input_for(arguments);
  Outputs outputs(input, arguments.csv, arguments.json);
  try {
    Counts counts = time_all(element_of(letter), input, outputs, program);
    MPI_Bcast(&counts, sizeof counts, MPI_BYTE, 0, MPI_COMM_WORLD);  // rank 0 has counted every case
    return counts.failed == 0 && counts.passed > 0;
  } catch (const std::exception& error) {  // possibly on this process only
    std::cerr << program << ": process " << rank_in_world() << ": " << error.what() << '\n';
    MPI_Abort(MPI_COMM_WORLD, 1);
    throw;
  }
}

}  // namespace

// Returns the exit status: 0 if something was checked and nothing failed, 1 otherwise, 2 if the input is wrong.
int run(char letter, int argc, char** argv) {
  const std::string program = std::string("x") + letter + "redist";
  CLI::App app(
      "Times redistributions of block-cyclic matrices and checks every element. Start this program with mpirun.",
      program);
  Arguments arguments;
  arguments.add_to(app);
  return runs::run(app, argc, argv, [&] { return passes(letter, arguments, program); });
}

}  // namespace drivers
