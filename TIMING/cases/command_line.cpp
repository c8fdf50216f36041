// SPDX-License-Identifier: BSD-3-Clause
#include "cases/command_line.hpp"

#include <algorithm>
#include <stdexcept>

namespace cases {

bool parsed(CLI::App& app, int argc, const char* const* argv, std::ostream& out) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    out << app.help();
    return false;
  } catch (const CLI::RequiredError& error) {  // thrown before CLI11 reports unknown arguments
    const std::vector<std::string> unknown = app.remaining(true);
    throw std::invalid_argument(unknown.empty() ? error.what() : "no such argument: " + unknown.front());
  } catch (const CLI::ParseError& error) {
    std::string line = error.what();
    std::ranges::replace(line, '\n', ' ');
    throw std::invalid_argument(line);
  }
  return true;
}

}  // namespace cases
