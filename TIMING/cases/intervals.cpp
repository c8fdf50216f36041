// SPDX-License-Identifier: BSD-3-Clause
#include "cases/intervals.hpp"

#include <algorithm>

#include "cases/reader.hpp"
#include "layout/layout.hpp"

namespace cases {
namespace {

std::string without_comments(const std::string& text) {
  std::string kept;
  bool comment = false;
  for (const char c : text) {
    comment = c != '\n' && (comment || c == '#');
    if (!comment) kept += c;
  }
  return kept;
}

}  // namespace

int owner_of(const Intervals& x, Index k) {
  const auto end = std::upper_bound(x.cuts.begin() + 1, x.cuts.end(), k);
  return x.owners[static_cast<std::size_t>(end - x.cuts.begin()) - 1];
}

Intervals read_intervals(const std::string& name, const std::string& text, Index procs) {
  Reader reader(name, without_comments(text));
  Intervals x{{0}, {}};
  bool owners_given = false;
  do {
    reader.next_line("an interval, END OWNER");
    x.cuts.push_back(reader.whole("the end of an interval, not before that of the one above", x.cuts.back(),
                                  xredist::core::max_elements));
    if (x.owners.empty()) owners_given = !reader.at_line_end();
    if (!owners_given && !reader.at_line_end()) reader.wrong_next("no owner: the first line has none");
    if (!owners_given && std::ssize(x.owners) == procs)
      reader.wrong_next("an owner: there are more intervals than the " + std::to_string(procs) + " processes");
    x.owners.push_back(static_cast<int>(owners_given ? reader.whole("the owner", 0, procs - 1) : std::ssize(x.owners)));
    if (!reader.at_line_end()) reader.wrong_next("the end of the line");
  } while (!reader.at_end());
  return x;
}

}  // namespace cases
