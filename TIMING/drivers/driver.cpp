#include "driver.hpp"

#include <mpi.h>

#include <chrono>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <thread>

#include "arguments.hpp"
#include "outputs.hpp"
#include "reader.hpp"
#include "records.hpp"

namespace drivers {
namespace {

int rank_in_world() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int size_of_world() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

// A line on standard error now and then.
class Progress {
 public:
  Progress(std::string program, std::size_t cases) : program_(std::move(program)), cases_(cases) {}

  void note(int number, int round) {
    const double now = MPI_Wtime();
    if (now < next_) return;
    next_ = now + interval;
    std::cerr << program_ << ": case " << number << " of " << cases_ << ", round " << round << ", "
              << static_cast<int>(now - start_) << " s\n";
  }

 private:
  static constexpr double interval = 10;  // seconds
  std::string program_;
  std::size_t cases_;
  double start_ = MPI_Wtime(), next_ = start_ + interval;
};

// What MPI takes to talk to a process for the first time is nobody's extra memory.
void meet_everybody() {
  constexpr int bytes = 1 << 18;
  const auto size = static_cast<std::size_t>(size_of_world());
  std::vector<std::byte> out(bytes * size), in(bytes * size);
  MPI_Alltoall(out.data(), bytes, MPI_BYTE, in.data(), bytes, MPI_BYTE, MPI_COMM_WORLD);
}

// Waits for all without taking time from those that still work.
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

// Each case that there are processes for is followed by itself on a relabelled grid, unless that keeps no more.
std::vector<Case> with_relabelled(const std::vector<Case>& cases) {
  std::vector<Case> all;
  for (const Case& c : cases) {
    all.push_back(c);
    if (processes(c) > size_of_world()) continue;
    double kept[2];
    const Case other = relabelled(c, kept);
    if (kept[0] > kept[1]) all.push_back(other);
    if (rank_in_world() == 0)
      std::cout << grid_text(c.a) << " -> " << grid_text(c.b) << ": " << kept[1] << " of the elements stay, relabelled "
                << kept[0] << '\n';
  }
  return all;
}

Input input_for(const Arguments& arguments) {
  Input input = read_input(arguments.file, shared_text(arguments.file));
  if (!arguments.algorithms.empty()) input.algorithms = arguments.algorithms;
  if (arguments.relabel) input.cases = with_relabelled(input.cases);
  if (arguments.rounds > 0) input.rounds.least = input.rounds.most = arguments.rounds;
  return input;
}

// Process 0, which takes part in every case, reports.
Counts time_all(const Element& element, const Input& input, Outputs& outputs, const std::string& program) {
  const bool reports = rank_in_world() == 0;
  const Description description = describe();
  if (reports) print_head(outputs.report(), element, input, description);
  if (outputs.wants_csv()) write_csv_header(outputs.csv());
  meet_everybody();
  Progress progress(program, input.cases.size());
  Counts counts;
  Kept kept;
  std::vector<Verdict> verdicts;
  int number = 0;
  for (const Case& c : input.cases) {
    ++number;
    if (processes(c) > size_of_world()) {
      ++counts.skipped;
      if (reports) print_skipped(outputs.report(), number, c, size_of_world());
      continue;
    }
    Stage stage(c, element);
    if (stage.takes_part()) {
      const auto note = [&](int round) {
        if (reports) progress.note(number, round);
      };
      Verdict verdict{c, number, elements_of(c) * element.bytes,
                      time_case(c, stage, input.rounds, input.algorithms, kept, note)};
      count(verdict, counts);
      if (reports) print_case(outputs.report(), verdict);
      if (outputs.wants_csv()) write_csv(outputs.csv(), verdict);
      if (outputs.wants_json()) verdicts.push_back(std::move(verdict));
    }
    wait_for_all();
  }
  if (reports) print_end(outputs.report(), counts);
  if (outputs.wants_json()) write_json(outputs.json(), element, input, description, verdicts, counts);
  outputs.close();
  return counts;
}

int run_here(char letter, int argc, char** argv) {
  const std::string program = std::string("x") + letter + "redist";
  try {
    std::string help;
    const auto arguments = parsed(program, argc, argv, help);
    if (!arguments) {
      if (rank_in_world() == 0) std::cout << help << std::flush;
      return 0;
    }
    const Input input = input_for(*arguments);
    Outputs outputs(input, arguments->csv, arguments->json);
    try {
      Counts counts = time_all(element_of(letter), input, outputs, program);
      // What process 0 counted.
      MPI_Bcast(&counts, sizeof counts, MPI_BYTE, 0, MPI_COMM_WORLD);
      return counts.failed == 0 && counts.passed > 0 ? 0 : 1;
    } catch (const std::exception& error) {  // here and perhaps nowhere else
      std::cerr << program << ": process " << rank_in_world() << ": " << error.what() << '\n';
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  } catch (const std::exception& error) {  // everywhere
    if (rank_in_world() == 0) std::cerr << program << ": " << error.what() << '\n';
  }
  return 2;
}

}  // namespace

int run(char letter, int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int status = run_here(letter, argc, argv);
  MPI_Finalize();
  return status;
}

}  // namespace drivers
