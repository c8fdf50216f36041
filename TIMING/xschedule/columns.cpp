// SPDX-License-Identifier: BSD-3-Clause
#include "xschedule/columns.hpp"

#include <algorithm>
#include <cstdio>

namespace xschedule {

void print_columns(std::ostream& out, const std::vector<Row>& rows, bool last_is_text) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const Row& row : rows) {
    std::string text;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string space(widths[i] - row[i].size(), ' ');
      const bool left = i == 0 || (last_is_text && i + 1 == widths.size());
      text += (i > 0 ? "  " : "") + (left ? row[i] + space : space + row[i]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out << text << '\n';
  }
}

std::string letters(Index step) {
  std::string text;
  for (; step >= 0; step = step / 26 - 1) text.insert(text.begin(), static_cast<char>('a' + step % 26));
  return text;
}

std::string microseconds(double seconds) {
  const double us = 1e6 * seconds;
  char text[400];  // the longest double in this form has 310 digits
  std::snprintf(text, sizeof text, us < 1000 ? "%.3f" : "%.1f", us);
  return text;
}

}  // namespace xschedule
