#include "options.hpp"

#include <mpi.h>

#include <cstdio>
#include <stdexcept>

#include "../networks/values.hpp"
#include "timed.hpp"

namespace papers {
namespace {

using networks::number;

std::string usage(const std::string& program, const std::map<std::string, std::string>& defaults) {
  std::string text = "usage: " + program + " [options]\n";
  for (const auto& [name, value] : defaults) text += "  --" + name + " (" + value + ")\n";
  return text;
}

}  // namespace

Options::Options(std::map<std::string, std::string> defaults, int argc, char** argv) : values_(std::move(defaults)) {
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    const auto found = values_.find(name.substr(0, 2) == "--" ? name.substr(2) : "");
    if (found == values_.end()) throw std::invalid_argument("no such option: " + name);
    if (i + 1 == argc) throw std::invalid_argument(name + ": a value is missing");
    found->second = argv[i + 1];
  }
}

std::vector<std::string> Options::texts(const std::string& name) const { return networks::list(text(name)); }

int Options::whole(const std::string& name) const { return number<int>(text(name), 1); }

std::vector<int> Options::wholes(const std::string& name) const {
  std::vector<int> numbers;
  for (const std::string& item : texts(name)) numbers.push_back(number<int>(item, 1));
  return numbers;
}

double Options::real(const std::string& name) const { return number<double>(text(name), 0.0); }

int run(const std::string& program, int argc, char** argv, const std::map<std::string, std::string>& defaults,
        const std::function<bool(const Options&)>& measure) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  bool passed = false;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  try {
    passed = everywhere(measure(Options(defaults, argc, argv)));
    if (rank == 0) std::printf("# %s\n", passed ? "passed" : "FAILED");
  } catch (const std::exception& error) {
    if (rank == 0) std::fprintf(stderr, "%s: %s\n%s", program.c_str(), error.what(), usage(program, defaults).c_str());
  }
  std::fflush(stdout);
#ifndef XREDIST_SIMULATED
  // SimGrid deletes the attributes of MPI_COMM_SELF when MPI may not be called any more (MPI-4, 11.2.4, wants it
  // before).
  MPI_Finalize();
#endif
  return passed ? 0 : 1;
}

}  // namespace papers
