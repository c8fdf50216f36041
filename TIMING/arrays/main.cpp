// SPDX-License-Identifier: BSD-3-Clause
// usage: array_benchmark FILE ROUNDS
// Times contenders that move arrays of d axes, in interleaved rounds, for those cases of FILE that have as many
// processes as MPI_COMM_WORLD. Prints a CSV record for each contender: times from the first start to the last end
// (seconds_of). Every element is checked after the first round and after the last one.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "arrays/contender.hpp"
#include "schedules/classic_locale.hpp"
#include "support/ranks.hpp"

namespace arrays {
namespace {

void demand(int code) {
  if (code == 0) return;
  std::fprintf(stderr, "array_benchmark: %s\n", xredist_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

std::vector<Contender> contenders(Stage& stage) {
  return {
      memory_copy(stage),
      xredist_plan_of(stage),
      alltoallw(stage, Permutes::nobody),
      alltoallw(stage, Permutes::sender),
      alltoallw(stage, Permutes::receiver),
      alltoallw_and_loops(stage),
#ifdef XREDIST_FFTW
      fftw(stage),
#endif
#ifdef XREDIST_HEFFTE
      heffte(stage, false),
      heffte(stage, true),
#endif
#ifdef XREDIST_DECOMP2D
      decomp2d(stage),
#endif
#ifdef XREDIST_DTFFT
      dtfft(stage),
#endif
  };
}

struct Entry {
  std::string name;
  std::function<void()> call;
  std::vector<double> times = {};
  bool right = true;
};

// Returns whether B has the elements of A on all processes, after one call.
bool right_everywhere(Stage& stage, const std::function<void()>& call) {
  stage.clear_b();
  call();
  return !xredist::testing::anywhere(!stage.b_is_right());
}

bool run(const Case& c, int rounds) {
  Stage stage(c);
  std::vector<Entry> entries;
  for (const Contender& of : contenders(stage))
    if (of.make) entries.push_back({of.name, of.make()});
  const auto check = [&] {
    for (Entry& entry : entries)
      if (entry.name != "memcpy") entry.right = right_everywhere(stage, entry.call) && entry.right;
  };
  check();
  for (int round = 0; round < rounds; ++round)
    for (Entry& entry : entries) entry.times.push_back(drivers::seconds_of(entry.call, MPI_COMM_WORLD));
  check();
  bool all_right = true;
  for (const Entry& entry : entries) {
    const drivers::Summary of = drivers::summary_of(entry.times), copy = drivers::summary_of(entries.front().times);
    all_right = all_right && entry.right;
    if (drivers::rank_in_world() == 0)
      std::printf("%d,\"%s\",%s,%d,%.4g,%.4g,%.4g,%s\n", drivers::size_of_world(), c.text.c_str(), entry.name.c_str(),
                  rounds, of.min, of.median, of.min / copy.min, entry.right ? "passed" : "failed");
  }
  std::fflush(stdout);
  return all_right;
}

std::vector<Case> cases_of(const char* file) {
  std::ifstream in(file);
  if (!in) throw std::invalid_argument(std::string("cannot read ").append(file));
  std::vector<Case> cases;
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line[0] != '#') {
      Case c = case_of(line);
      if (c.a.processes() == drivers::size_of_world()) cases.push_back(std::move(c));
    }
  return cases;
}

}  // namespace

Contender memory_copy(Stage& stage) {
  return {"memcpy", [&stage]() -> std::function<void()> {
            return [&stage, copy = std::make_shared<std::vector<std::uint64_t>>(stage.b.data.size(), 1)] {
              std::memcpy(stage.b.data.data(), copy->data(), 8 * copy->size());
            };
          }};
}

Contender xredist_plan_of(Stage& stage) {
  return {"xredist", [&stage]() -> std::function<void()> {
            const Case& c = stage.c;
            const xredist_array_layout a = c.a.layout(), b = c.b.layout();
            xredist_array_operation operation{};
            operation.shape = c.shape.data();
            operation.bytes = c.bytes;
            xredist_plan* plan = nullptr;
            demand(xredist_array_plan_create(MPI_COMM_WORLD, &a, &b, &operation, &plan));
            const std::shared_ptr<xredist_plan> owner(plan, xredist_plan_destroy);
            return [&stage, owner] {
              xredist_job job{};
              job.plan = owner.get();
              job.a = stage.a.data.data();
              job.b = stage.b.data.data();
              demand(xredist_execute(&job));
            };
          }};
}

}  // namespace arrays

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  cases::use_classic_locale();
  bool right = true;
  try {
    const int rounds = argc == 3 ? std::atoi(argv[2]) : 0;
    if (rounds < 1) throw std::invalid_argument("usage: array_benchmark FILE ROUNDS");
    if (drivers::rank_in_world() == 0) std::printf("processes,case,algorithm,rounds,min_s,median_s,to_memcpy,check\n");
    for (const arrays::Case& c : arrays::cases_of(argv[1])) right = arrays::run(c, rounds) && right;
  } catch (const std::invalid_argument& failure) {
    std::fprintf(stderr, "array_benchmark: %s\n", failure.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
