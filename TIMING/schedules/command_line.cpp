// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/command_line.hpp"

#include <algorithm>
#include <charconv>
#include <regex>
#include <stdexcept>

namespace cases {

namespace {

// CLI11 throws some of its errors, and the wish for help, before it reports unknown arguments.
void demand_known_arguments(const CLI::App& app) {
  const std::vector<std::string> unknown = app.remaining(true);
  if (!unknown.empty()) throw std::invalid_argument("no such argument: " + unknown.front());
}

}  // namespace

bool parsed(CLI::App& app, int argc, const char* const* argv, std::ostream& out) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    demand_known_arguments(app);
    out << app.help();
    return false;
  } catch (const CLI::RequiredError& error) {
    demand_known_arguments(app);
    throw std::invalid_argument(error.what());
  } catch (const CLI::ParseError& error) {
    std::string line = error.what();
    std::ranges::replace(line, '\n', ' ');
    throw std::invalid_argument(line);
  }
  return true;
}

CLI::Option* sides(CLI::App& app, const std::string& name, SidesLimits limits, const std::string& help,
                   std::vector<Index>& values) {
  const auto set = [=, &values](const std::string& text) {
    values.clear();
    bool right = !text.ends_with('x');
    for (const std::string& word : CLI::detail::split(text, 'x')) {
      Index value = 0;
      const char* const end = word.data() + word.size();
      const auto [stop, error] = std::from_chars(word.data(), end, value);
      right = right && error == std::errc{} && stop == end && value >= 1 && value <= limits.max;
      values.push_back(value);
    }
    right = right && (limits.dims == 0 ? values.size() <= max_dims : values.size() == limits.dims);
    const std::string count = limits.dims == 0 ? "1 to " + std::to_string(max_dims) : std::to_string(limits.dims);
    if (!right)
      throw CLI::ValidationError(name, "expected " + count + " numbers from 1 to " + std::to_string(limits.max) +
                                           " that x joins, found " + text);
  };
  return app.add_option_function<std::string>(name, set, help)->type_name("");
}

bool lexical_cast(const std::string& text, Case& c) {
  static const std::string side = R"((\d{1,10})(?:x(\d{1,10}))?/(\d{1,10})(?:x(\d{1,10}))?)";
  static const std::regex form(side + ":" + side);
  std::smatch found;
  if (!std::regex_match(text, found, form)) return false;
  std::array<Index, 8> numbers{};
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    numbers[k] = found[k + 1].matched ? std::stoll(found[k + 1]) : 1;
    if (numbers[k] < 1 || numbers[k] > max_int) return false;
  }
  auto next = numbers.begin();
  for (Matrix* x : {&c.a, &c.b}) {
    x->nprow = static_cast<int>(*next++);
    x->npcol = static_cast<int>(*next++);
    x->mb = *next++;
    x->nb = *next++;
  }
  return true;
}

}  // namespace cases
