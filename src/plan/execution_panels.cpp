// SPDX-License-Identifier: BSD-3-Clause
#include "plan/execution_panels.hpp"

#include <algorithm>
#include <limits>

namespace xredist::core {
namespace {

// Bytes of a process in a panel. Smaller panels save less memory than the buffers take. Those of 256 KB and 1 MB take
// up to 1.3 and 1.5 times as long, on 2 to 16 processes with 1 MB of second-level cache.
constexpr Index min_panel = Index{512} << 10;

// Bytes of a message in a panel. With 64 KB, 16 processes take up to 1.5 times as long.
constexpr Index min_message = Index{32} << 10;

// Bytes: longer runs gain little from panels. Blocks of 32 to blocks of 24 doubles have runs of 107 bytes, and take
// 0.77 to 0.93 of the time; 64 to 48 have 215 bytes, and take 0.85 to 1.04.
constexpr Index max_cached_run = 256;

// Runs of a message in a panel. A packet costs the same for each length of runs, and longer runs gain less from panels.
// With 150 runs, from blocks of 64 to 48, 16 processes on two cores take 1.10 to 1.26 of the time without panels.
constexpr double min_message_runs = 500;

// In fewer panels, what a process moves fits into the caches as it is.
constexpr Index min_cached_panels = 4;

// A panel is the part of A that has not left while its part of B is there, so the peak is 1 + 1/16 of a matrix.
constexpr Index max_consumed_panels = 16;

// Bytes of a line of a transposed B in a panel, which has a piece of each line: shorter pieces would share lines of the
// caches again.
constexpr Index min_piece = 256;

// Lines of a process: the panels of fewer lines would differ by more than a quarter.
constexpr Index min_lines = 4 * max_consumed_panels;

// The axis of the traffic along which messages are cut into panels.
struct PanelAxis {
  bool is_rows;    // panels consist of rows of the traffic
  bool cuts_line;  // panels have parts of lines of A, otherwise whole lines

  const Overlap& of(const Traffic& traffic) const { return is_rows ? traffic.rows : traffic.cols; }
  Interval& of(Transfer& transfer) const { return is_rows ? transfer.rows : transfer.cols; }
};

// Chooses the axis. A's lines are columns of the traffic, or rows if A is transposed. Few lines are cut if each panel
// has several pages of a line. (The lines of a transposed array with more groups of axes are cut along the last group.)
PanelAxis panel_axis(const Redistribution& redistribution, Index page_bytes) {
  const auto& [rows, cols] = redistribution.traffic;
  const bool transposed = redistribution.operation.transposed;
  if (transposed && is_product(cols)) return {.is_rows = false, .cuts_line = false};
  const Overlap &lines = transposed ? rows : cols, &along = transposed ? cols : rows;
  const bool cuts_line = !(transposed && redistribution.units > 1) && lines.n / lines.a.procs < min_lines &&
                         along.n / along.a.procs * redistribution.bytes_a() >= 4 * max_consumed_panels * page_bytes;
  return {.is_rows = transposed != cuts_line, .cuts_line = cuts_line};
}

PanelAxis panel_axis(const Plan& plan) { return panel_axis(plan.redistribution, plan.page_bytes); }

// Returns the elements of a transfer that are outside of the panels from number `panel` on.
Index elements_before(PanelAxis axis, const Transfer& transfer, Index panel, Index panels) {
  Transfer before = transfer;
  Interval& cut = axis.of(before);
  cut.end = part_of(cut, panel, panels).begin;
  return before.elements();
}

// Returns the bytes that a process of the larger grid has on average.
Index bytes_of_process(const Redistribution& redistribution) {
  const auto& [rows, cols] = redistribution.traffic;
  const Index processes = std::max(rows.a.procs * cols.a.procs, rows.b.procs * cols.b.procs);
  return rows.n * cols.n / processes * redistribution.bytes;
}

// Returns the number of messages that a process of A sends, to itself as well.
Index messages_of(const Traffic& traffic) { return max_partners(traffic.rows) * max_partners(traffic.cols); }

// Returns whether a process of A sends several messages or one of B receives several.
bool has_several_messages(const Traffic& traffic) {
  return messages_of(traffic) > 1 || messages_of(reversed(traffic)) > 1;
}

// Returns the number of panels in which processes and messages have enough.
Index full_panels(const Redistribution& redistribution, Index messages) {
  const Index of_process = bytes_of_process(redistribution);
  return std::min(of_process / min_panel, of_process / messages / min_message);
}

// Returns the mean length of a run, if the ends of blocks of A and of B are different ones.
double mean_run(const Overlap& o) {
  const auto blocks = [&](const Axis& axis) {
    if (!is_cyclic(axis)) return static_cast<double>(max_blocks(axis, o.n));
    return axis.procs == 1 ? 1.0 : std::max(1.0, static_cast<double>(o.n) / static_cast<double>(axis.block()));
  };
  return static_cast<double>(o.n) / (blocks(o.a) + blocks(o.b));
}

// Returns the maximum number of panels that have whole lines of A, if these are not cut, and long pieces of those of a
// transposed B.
Index max_panels(const Redistribution& redistribution, Index page_bytes) {
  const Overlap& rows = redistribution.traffic.rows;
  Index most = std::numeric_limits<std::int16_t>::max();
  if (redistribution.operation.transposed) most = rows.n / rows.b.procs * redistribution.bytes_b() / min_piece;
  const PanelAxis axis = panel_axis(redistribution, page_bytes);
  if (axis.cuts_line) return most;
  const Overlap& lines = axis.of(redistribution.traffic);
  return std::min(most, lines.n / lines.a.procs);
}

// Returns whether a line has the parts of several messages. Columns have not if their rows have the same owners in A
// and in B. Lines of B alone have in a gather: from 2 to 16 processes to one it takes 0.69 to 0.94 of the time without
// panels.
bool shares_lines(const Redistribution& redistribution) {
  const Overlap& rows = redistribution.traffic.rows;
  const bool alone = rows.a.procs == 1 && rows.b.procs == 1;
  return !alone && (redistribution.operation.transposed || !(rows.a == rows.b)) &&
         has_several_messages(redistribution.traffic);
}

}  // namespace

bool cuts_lines(const Plan& plan) { return panel_axis(plan).cuts_line; }

// Before the nodes are known, little moves.
std::int16_t panels_for_caches(const Redistribution& redistribution, const Links& links) {
  const auto& [rows, cols] = redistribution.traffic;
  if (links.nodes.empty() || links.nodes.count() > 1) return 1;
  if (bytes_of_process(redistribution) < min_cached_panels * min_panel || !shares_lines(redistribution)) return 1;
  const double run = mean_run(rows) * static_cast<double>(redistribution.bytes);
  if (run > max_cached_run) return 1;
  const Index messages = messages_of(redistribution.traffic);
  const double runs_of_message =
      static_cast<double>(bytes_of_process(redistribution)) / (static_cast<double>(messages) * run);
  const auto of_runs = static_cast<Index>(runs_of_message / min_message_runs);
  const Index panels =
      std::min({full_panels(redistribution, messages), of_runs, max_panels(redistribution, links.page_bytes)});
  return panels < min_cached_panels ? std::int16_t{1} : static_cast<std::int16_t>(panels);
}

// Only elements of the region leave A, so pages of a trapezoid have elements that stay.
std::int16_t panels_to_consume(const Plan& plan) {
  const Redistribution& redistribution = plan.redistribution;
  const auto& [rows, cols] = redistribution.traffic;
  if (!redistribution.whole() || rows.n == 0 || cols.n == 0) return plan.panels;
  const Index panels = full_panels(redistribution, messages_of(redistribution.traffic));
  return std::max(plan.panels, static_cast<std::int16_t>(std::clamp<Index>(panels, 1, max_consumed_panels)));
}

void cut_to_panel(const Plan& plan, Transfer& transfer, Index panel, Index panels) {
  Interval& cut = panel_axis(plan).of(transfer);
  cut = part_of(cut, panel, panels);
}

// The first write to a panel of a column of B touches a whole page; messages end in two pages, because the same
// fraction of each ends in another row.
Index peak_bytes(const Plan& plan) {
  const Redistribution& redistribution = plan.redistribution;
  const Index bytes_a = redistribution.bytes_a(), bytes_b = redistribution.bytes_b();
  const Index panels = panels_to_consume(plan);
  const PanelAxis axis = panel_axis(plan);
  const auto moved = [&](std::vector<Transfer> Round::*list, Index panel) {
    Index elements = 0;
    for (const Round& round : plan.rounds)
      for (const Transfer& transfer : round.*list)
        if (!transfer.forwarded()) elements += elements_before(axis, transfer, panel, panels);
    return elements;
  };
  const auto sent = [&](Index panel) { return (moved(&Round::sends, panel) + moved(&Round::copies, panel)) * bytes_a; };
  const auto received = [&](Index panel) {
    return (moved(&Round::receives, panel) + moved(&Round::copies, panel)) * bytes_b;
  };
  const Index all_a = sent(panels), all_b = received(panels);
  const Index touched = axis.is_rows ? 2 * plan.b.cols.length() * plan.page_bytes : 0;
  Index peak = 0;
  for (Index panel = 0; panel < panels; ++panel)
    peak = std::max(peak, all_a - sent(panel) + std::min(all_b, received(panel + 1) + touched));
  return peak;
}

}  // namespace xredist::core
