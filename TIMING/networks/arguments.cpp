#include "arguments.hpp"

#include <stdexcept>

#include "mover.hpp"
#include "values.hpp"

namespace networks {
std::string usage() {
  std::string names;
  for (const std::string& name : movers()) names += (names.empty() ? "" : ",") + name;
  return "usage: networks --rate BYTES_PER_SECOND --cases CASE,... [options]\n"
         "  --cases CASE,...       grid/blocks:grid/blocks, as 16/3:16/5 or 16x16/3x5:16x16/5x3\n"
         "  --algorithms NAME,...  of " +
         names +
         " (all)\n"
         "  --bytes N              of the matrix (16M)\n"
         "  --bytes-per-process N  the same for each process of the larger grid\n"
         "  --warm-up N            runs before those that are timed (0)\n"
         "  --repetitions N        timed; the median counts (1)\n"
         "  --limit X              fails where the default takes more than X times the port bound\n"
         "  --network NAME         as records name it\n"
         "  --no-header            records only\n";
}

Index bytes_of(const std::string& text) {
  const std::string suffixes = "KMG";
  const std::size_t suffix = text.empty() ? std::string::npos : suffixes.find(text.back());
  if (suffix == std::string::npos) return number<Index>(text, 1);
  return number<Index>(text.substr(0, text.size() - 1), 1) << (10 * (suffix + 1));
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--help") throw std::invalid_argument("");
    if (name == "--no-header") {
      arguments.header = false;
      continue;
    }
    if (++i == argc) throw std::invalid_argument(name + ": a value is missing, or there is no such option");
    const std::string value = argv[i];
    if (name == "--network")
      arguments.network = value;
    else if (name == "--cases")
      arguments.cases = list(value);
    else if (name == "--algorithms")
      arguments.algorithms = list(value);
    else if (name == "--bytes" || name == "--bytes-per-process") {
      arguments.bytes = value;
      arguments.per_process = name != "--bytes";
    } else if (name == "--rate")
      arguments.rate = number<double>(value, 1.0);
    else if (name == "--warm-up")
      arguments.warm_up = number<int>(value, 0);
    else if (name == "--repetitions")
      arguments.repetitions = number<int>(value, 1);
    else if (name == "--limit")
      arguments.limit = number<double>(value, 1.0);
    else
      throw std::invalid_argument("no such option: " + name);
  }
  if (arguments.rate == 0 || arguments.cases.empty()) throw std::invalid_argument("--rate and --cases are needed");
  if (arguments.algorithms.empty()) arguments.algorithms = movers();
  bytes_of(arguments.bytes);
  return arguments;
}

}  // namespace networks
