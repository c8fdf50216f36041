// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/command_line.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace cases {

bool parsed(CLI::App& app, int argc, const char* const* argv, std::ostream& out) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    out << app.help();
    return false;
  } catch (const CLI::RequiredError& error) {  // CLI11 throws it before it reports unknown arguments
    const std::vector<std::string> unknown = app.remaining(true);
    throw std::invalid_argument(unknown.empty() ? error.what() : "no such argument: " + unknown.front());
  } catch (const CLI::ParseError& error) {
    std::string line = error.what();
    std::ranges::replace(line, '\n', ' ');
    throw std::invalid_argument(line);
  }
  return true;
}

namespace {

// Reads "4x8", or "4" for 4x1.
Grid short_pair(std::istream& in) {
  const Index row = whole(in, 1, max_int);
  return {row, takes(in, 'x') ? whole(in, 1, max_int) : 1};
}

std::string pair_text(Index row, Index col, bool is_short) {
  std::string text = std::to_string(row);
  return is_short ? text : text.append("x").append(std::to_string(col));
}

std::string text_of(const Matrix& x) {
  const bool is_short = x.npcol == 1 && x.nb == 1;
  return pair_text(x.nprow, x.npcol, is_short).append("/").append(pair_text(x.mb, x.nb, is_short));
}

}  // namespace

Index whole(std::istream& in, Index min, Index max) {
  Index value = 0;
  if (std::isdigit(in.peek()) == 0 || !(in >> value) || value < min || value > max) in.setstate(std::ios::failbit);
  return value;
}

bool takes(std::istream& in, char letter) {
  if (!in.good() || in.peek() != letter) return false;
  in.ignore();
  return true;
}

std::istream& operator>>(std::istream& in, Matrix& x) {
  const Grid grid = short_pair(in);
  if (!takes(in, '/')) in.setstate(std::ios::failbit);
  const Grid blocks = short_pair(in);
  x.nprow = static_cast<int>(grid.row);
  x.npcol = static_cast<int>(grid.col);
  x.mb = blocks.row;
  x.nb = blocks.col;
  return in;
}

std::istream& operator>>(std::istream& in, Case& c) {
  in >> c.a;
  if (!takes(in, ':')) in.setstate(std::ios::failbit);
  return in >> c.b;
}

std::string text_of(const Case& c) { return text_of(c.a).append(":").append(text_of(c.b)); }

}  // namespace cases
