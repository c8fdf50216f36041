// SPDX-License-Identifier: BSD-3-Clause
#include "plan/consume.hpp"

#include <algorithm>

namespace xredist::core {
namespace {

// A panel is the part of A that has not left while its part of B is there, so the peak is 1 + 1/16 of a matrix.
constexpr Index max_panels = 16;

// Bytes of a process in a panel: smaller panels would save less than the buffers take.
constexpr Index min_panel = Index{512} << 10;

// Bytes of a message in a panel: packets of this size cost at most a tenth more than those of 256 KB.
constexpr Index min_message = Index{64} << 10;

// Bytes: the size of most pages, from which a column of a transposed B is written.
constexpr Index page = 4096;

// Lines of a process: the panels of fewer lines would differ by more than a quarter.
constexpr Index min_lines = 4 * max_panels;

// Returns whether panels consist of rows of the traffic. A's lines are rows of the traffic if A is transposed. (The
// lines of a transposed array with more groups of axes are cut along the last group.)
bool cuts_rows(const Redistribution& redistribution) {
  const bool lines_are_rows = redistribution.operation.transposed && !is_product(redistribution.traffic.cols);
  return lines_are_rows != cuts_lines(redistribution);
}

// Returns the elements of a transfer that are outside of the panels from number `panel` on.
Index elements_before(const Redistribution& redistribution, const Transfer& transfer, Index panel, Index panels) {
  Transfer before = transfer;
  const Interval& whole = cuts_rows(redistribution) ? transfer.rows : transfer.cols;
  Interval& cut = cuts_rows(redistribution) ? before.rows : before.cols;
  cut = {whole.begin, whole.begin + whole.length() * panel / panels};
  return before.elements();
}

}  // namespace

// Few lines are cut if each panel has several pages of a line.
bool cuts_lines(const Redistribution& redistribution) {
  const auto& [rows, cols] = redistribution.traffic;
  const bool transposed = redistribution.operation.transposed;
  if (transposed && (is_product(cols) || redistribution.units > 1)) return false;
  const Overlap &across = transposed ? rows : cols, &along = transposed ? cols : rows;
  return across.n / across.a.procs < min_lines &&
         along.n / along.a.procs * redistribution.bytes_a() >= 4 * max_panels * page;
}

// Only elements of the region leave A, so pages of a trapezoid have elements that stay.
std::int16_t panels_to_consume(const Plan& plan) {
  const Redistribution& redistribution = plan.redistribution;
  const auto& [rows, cols] = redistribution.traffic;
  if (!redistribution.whole() || rows.n == 0 || cols.n == 0) return 1;
  const Index processes = std::max(rows.a.procs * cols.a.procs, rows.b.procs * cols.b.procs);
  const Index of_process = rows.n * cols.n / processes * redistribution.bytes;
  const Index messages = max_partners(rows) * max_partners(cols);
  const Index wanted = std::min(of_process / min_panel, of_process / messages / min_message);
  return static_cast<std::int16_t>(std::clamp<Index>(wanted, 1, max_panels));
}

void cut_to_consume(const Redistribution& redistribution, Transfer& transfer, Index panel, Index panels) {
  Interval& cut = cuts_rows(redistribution) ? transfer.rows : transfer.cols;
  const Index begin = cut.begin, length = cut.length();
  cut = {begin + length * panel / panels, begin + length * (panel + 1) / panels};
}

// The first write to a panel of a column of B touches a whole page; messages end in two pages, because the same
// fraction of each ends in another row.
Index peak_bytes(const Plan& plan) {
  const Redistribution& redistribution = plan.redistribution;
  const Index bytes_a = redistribution.bytes_a(), bytes_b = redistribution.bytes_b();
  const Index panels = panels_to_consume(plan);
  const auto moved = [&](std::vector<Transfer> Round::*list, Index panel) {
    Index elements = 0;
    for (const Round& round : plan.rounds)
      for (const Transfer& transfer : round.*list)
        if (!transfer.forwarded()) elements += elements_before(redistribution, transfer, panel, panels);
    return elements;
  };
  const auto sent = [&](Index panel) { return (moved(&Round::sends, panel) + moved(&Round::copies, panel)) * bytes_a; };
  const auto received = [&](Index panel) {
    return (moved(&Round::receives, panel) + moved(&Round::copies, panel)) * bytes_b;
  };
  const Index all_a = sent(panels), all_b = received(panels);
  const Index touched = cuts_rows(redistribution) ? 2 * plan.b.cols.length() * page : 0;
  Index peak = 0;
  for (Index panel = 0; panel < panels; ++panel)
    peak = std::max(peak, all_a - sent(panel) + std::min(all_b, received(panel + 1) + touched));
  return peak;
}

}  // namespace xredist::core
