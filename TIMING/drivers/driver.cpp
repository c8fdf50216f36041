// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <iostream>
#include <sstream>
#include <thread>

#include "drivers/reports.hpp"
#include "drivers/terminal.hpp"
#include "drivers/times.hpp"
#include "schedules/classic_locale.hpp"
#include "schedules/command_line.hpp"

namespace drivers {
namespace {

struct Arguments {
  std::string file = "REDIST.dat", csv;
  std::vector<Case> cases;  ///< without sizes; replace the file, unless empty
  std::vector<std::uint64_t> bytes{std::uint64_t{16} << 20};
  std::vector<std::uint64_t> random;    ///< seed and number of random cases, which replace the file, unless empty
  std::vector<std::string> algorithms;  ///< replace those of the file, unless empty
  std::vector<std::string> against;     ///< beside those
  bool per_process = false, square = false;
  std::string relabel;           ///< "best", "kalns-ni" or empty
  int rounds = 0, warm_up = -1;  ///< replace the numbers of the file, unless 0 and -1
  double rate = 0;               ///< of a port, bytes per second
  std::string format = "table";

  Format form() const { return format == "csv" ? Format::csv : format == "json" ? Format::json : Format::table; }

  void add_to(CLI::App& app) {
    const CLI::Validator known(
        [](const std::string& name) { return is_known(name) ? std::string() : "no contender is called " + name; }, "");
    CLI::Option* const from_file =
        app.add_option("-f,--file", file, "input file; may be one of REDIST's own tests (22 or 24 integers a line)")
            ->capture_default_str();
    CLI::Option* const notation =
        list(app, "--cases", cases, "GRID/BLOCK:GRID/BLOCK, as 2x2/64x64:1x4/32x32 or 16/3:16/5, instead of a file")
            ->excludes(from_file);
    list(app, "--bytes", bytes, "bytes of the matrix of --cases, as in 16M, whole periods of about this size")
        ->transform(CLI::AsSizeValue(false))
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 60));
    app.add_flag("--per-process", per_process, "bytes for each process");
    app.add_flag("--square", square, "square matrices of this size, which may end within a period");
    list(app, "--random", random,
         "SEED,COUNT: time random cases instead of a file, and list the worst ratios to ScaLAPACK's routine")
        ->expected(2)
        ->type_name("SEED,COUNT")
        ->excludes(from_file)
        ->excludes(notation);
    list(app, "--algorithms", algorithms, "contenders, instead of those in the file")->check(known);
    list(app, "--against", against, "contenders, beside those")->check(known);
    app.add_option("--relabel", relabel,
                   "best (if nothing follows): time each case again, with the processes of B where they keep the most "
                   "elements in place; kalns-ni: by the formula of Kalns & Ni, for their cases")
        ->expected(0, 1)
        ->default_str("best")
        ->check(CLI::IsMember({"best", "kalns-ni"}));
    app.add_option("--rounds", rounds, "timed calls of each algorithm, instead of the numbers in the file")
        ->check(positive());
    app.add_option("--warm-up", warm_up, "calls before these; with 0, memory is not measured")
        ->check(CLI::Range(0, 1'000'000))
        ->take_last();
    app.add_option("--rate", rate,
                   "bytes per second of a node's port: also divide times by the time of the busiest port")
        ->check(CLI::Range(1.0, 1e15));
    app.add_option("--format", format, "form of the output: a table for people, or csv or json for programs")
        ->capture_default_str()
        ->check(CLI::IsMember({"table", "csv", "json"}));
    app.add_option("--csv", csv, "write a row for each case and algorithm");
  }
};

// Makes MPI allocate the memory of all connections, which must not count as memory of an algorithm. Messages have 256
// KB, or less among many processes, each of which has at most 64 MB for those to all others.
void connect_all() {
  const auto size = as_size(size_of_world());
  const int bytes = std::clamp((1 << 26) / size_of_world(), 1, 1 << 18);
  std::vector<std::byte> out(as_size(bytes) * size), in(as_size(bytes) * size);
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
// `how` is "best" or "kalns-ni". Tells `out` about each case.
std::vector<Case> with_relabelled(const std::vector<Case>& cases, const std::string& how, std::ostream& out) {
  std::vector<Case> all;
  for (const Case& c : cases) {
    all.push_back(c);
    if (processes(c) > size_of_world()) continue;
    Relabelled other = relabelled(c);
    std::ostringstream text;
    text << grid_text(c.a) << " -> " << grid_text(c.b) << ": " << other.kept_before
         << " of the elements stay, relabelled " << other.kept;
    bool found = true;
    if (how == "kalns-ni") {
      const auto theirs = relabelled_by_kalns_ni(c, other);
      const auto* reason = std::get_if<std::string>(&theirs);
      found = reason == nullptr;
      if (found) other = std::get<Relabelled>(theirs);
      text << ", by Kalns & Ni's formula ";
      found ? text << other.kept : text << "none: " << *reason;
    }
    if (found && other.kept > other.kept_before) all.push_back(other.c);
    if (rank_in_world() == 0) out << text.str() << '\n';
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

// Combines each case with each size.
Input sized_input(const Arguments& arguments, const Element& element) {
  Input input;
  input.title = {"Cases of the command line"};
  for (const Case& c : arguments.cases)
    for (const std::uint64_t bytes : arguments.bytes) {
      const Index parts = arguments.per_process ? processes(c) : 1;
      const double elements = static_cast<double>(bytes) * static_cast<double>(parts) / element.bytes;
      input.cases.push_back(arguments.square ? square_of(c, elements) : of_about(c, elements));
    }
  return input;
}

Input input_for(const Arguments& arguments, const Element& element) {
  Input input = !arguments.cases.empty()   ? sized_input(arguments, element)
                : arguments.random.empty() ? read_input(arguments.file, shared_text(arguments.file), shared_text)
                                           : random_input(arguments.random[0], arguments.random[1]);
  if (!arguments.algorithms.empty()) input.algorithms = arguments.algorithms;
  input.algorithms.insert(input.algorithms.end(), arguments.against.begin(), arguments.against.end());
  if (!arguments.relabel.empty())
    input.cases =
        with_relabelled(input.cases, arguments.relabel, arguments.form() == Format::table ? std::cout : std::cerr);
  if (arguments.rounds > 0) input.rounds.min = input.rounds.max = arguments.rounds;
  if (arguments.warm_up >= 0) input.rounds.warm_up = arguments.warm_up;
  return input;
}

// Returns what is known of a case before its calls. `nodes` has the node of each process.
Verdict verdict_on(const Case& c, int number, const Element& element, double rate, const std::vector<int>& nodes) {
  Verdict verdict{c, number, elements_of(c) * element.bytes, {}, 0, {}};
  if (rank_in_world() != 0) return verdict;  // a simulation would pay for a thousand processes
  if (!c.trapezoid) verdict.messages = messages_of(c);
  if (!c.trapezoid && rate > 0) verdict.bound = static_cast<double>(port_elements(c, nodes) * element.bytes) / rate;
  return verdict;
}

// Returns the reports of this process.
std::vector<Report> reports_to(Outputs& outputs, Format format) {
  std::vector<Report> reports;
  if (rank_in_world() == 0) reports.emplace_back(*outputs.report, format);
  if (outputs.csv.is_open()) reports.emplace_back(outputs.csv, Format::csv);
  return reports;
}

// Times all cases. Rank 0, which takes part in every case, reports.
Counts time_all(const Element& element, const Input& input, const Arguments& arguments, Outputs& outputs,
                const std::string& program) {
  std::vector<Report> reports = reports_to(outputs, arguments.form());
  const std::vector<Entries> description = describe();
  const std::vector<int> nodes = nodes_of_world();
  for (Report& report : reports) report.begin(element, input, description);
  if (input.rounds.warm_up > 0) connect_all();
  Progress progress(program, input.cases.size());
  Counts counts;
  Kept kept;
  std::vector<Verdict> verdicts;
  int number = 0;
  for (const Case& c : input.cases) {
    ++number;
    if (processes(c) > size_of_world()) {
      ++counts.skipped;
      for (Report& report : reports) report.skip(number, c, size_of_world());
      continue;
    }
    Stage stage(c, element);
    if (stage.takes_part()) {
      const auto note = [&](int round) {
        if (!reports.empty()) progress.round(number, round);
      };
      Verdict verdict = verdict_on(c, number, element, arguments.rate, nodes);
      verdict.times = time_case(stage, input.rounds, input.algorithms, kept, note);
      progress.clear();
      count(verdict, counts);
      for (Report& report : reports) report.add(verdict);
      if (input.sweep) verdicts.push_back(std::move(verdict));
    }
    wait_for_all();
  }
  for (Report& report : reports) report.end(counts, verdicts);
  outputs.close();
  return counts;
}

// Returns whether something was checked and nothing failed.
bool passes(char letter, const Arguments& arguments, const std::string& program) {
  const Element& element = element_of(letter);
  const Input input = input_for(arguments, element);
  Outputs outputs(input, arguments.csv);
  try {
    Counts counts = time_all(element, input, arguments, outputs, program);
    MPI_Bcast(&counts, sizeof counts, MPI_BYTE, 0, MPI_COMM_WORLD);  // rank 0 has counted every case
    return counts.failed == 0 && counts.passed > 0;
  } catch (const std::exception& error) {  // possibly on this process only
    std::cerr << program << ": process " << rank_in_world() << ": " << error.what() << '\n';
    MPI_Abort(MPI_COMM_WORLD, 1);
    throw;
  }
}

int status_of(char letter, int argc, char** argv) {
  const std::string program = std::string("x") + letter + "redist";
  CLI::App app(
      "Times redistributions of block-cyclic matrices and checks every element. Start this program with mpirun.",
      program);
  Arguments arguments;
  arguments.add_to(app);
  const bool first = rank_in_world() == 0;
  try {
    std::ostream nowhere(nullptr);
    return !parsed(app, argc, argv, first ? std::cout : nowhere) || passes(letter, arguments, program) ? 0 : 1;
  } catch (const std::exception& error) {  // on all processes
    if (first) std::cerr << program << ": " << error.what() << std::endl;
    return 2;
  }
}

}  // namespace

// Returns the exit status: 0 if something was checked and nothing failed, 1 otherwise, 2 if the input is wrong.
int run(char letter, int argc, char** argv) {
  MPI_Init(&argc, &argv);
  cases::use_classic_locale();
  const int status = status_of(letter, argc, argv);
  std::cout << std::flush;
#ifndef XREDIST_SIMULATED
  // SimGrid deletes the attributes of MPI_COMM_SELF too late: MPI may not be called any more (against MPI-4, 11.2.4).
  MPI_Finalize();
#endif
  return status;
}

}  // namespace drivers
