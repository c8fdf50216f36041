#include "arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "contenders.hpp"

namespace drivers {

std::optional<Arguments> parsed(const std::string& program, int argc, const char* const* argv, std::string& help) {
  Arguments arguments;
  CLI::App app("Times redistributions of block-cyclic matrices, and checks every one. Start it with mpirun.", program);
  app.add_option("-f,--file", arguments.file, "what to time; 22 or 24 integers a line as in REDIST's own tests will do")
      ->capture_default_str();
  app.add_option("--csv", arguments.csv, "write a row for each case and algorithm");
  app.add_option("--json", arguments.json, "write all, with every time and a description of machine, MPI and library");
  app.add_option("--algorithms", arguments.algorithms,
                 "in place of the file's, separated by commas: " + names_of_algorithms())
      ->delimiter(',')
      ->check(CLI::Validator([](std::string& name) { return known_algorithm(name) ? "" : "no algorithm " + name; },
                             "NAME"));
  app.add_flag("--relabel", arguments.relabel,
               "each case once more, with B's processes at the positions that keep most elements");
  app.add_option("--rounds", arguments.rounds, "timed calls of each, in place of the file's numbers")
      ->check(CLI::Range(1, std::numeric_limits<int>::max()));
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& asked) {
    std::ostringstream text;
    app.exit(asked, text, text);
    help = text.str();
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    std::string line = error.what();
    std::ranges::replace(line, '\n', ' ');
    throw std::invalid_argument(line);
  }
  return arguments;
}

}  // namespace drivers
