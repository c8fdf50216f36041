// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <map>
#include <sstream>

#include "xschedule/columns.hpp"
#include "xschedule/occupation.hpp"
#include "xschedule/reports.hpp"

namespace xschedule {
namespace {

constexpr Index most_rows = 64;  // of senders, of receivers
constexpr double left = 34, top = 44, cell_height = 18, gap = 70, times_width = 900, legend_height = 26;
constexpr std::size_t most_in_legend = 64;

double width_of(Index number) { return 6 + 6.5 * static_cast<double>(std::to_string(number).size()); }

// What is drawn of a schedule, and how large.
struct Panel {
  const ListedSchedule& schedule;
  double begin;  // seconds: the second hop comes after the first
  std::vector<Occupation> steps;
  std::vector<Span> spans;
  std::vector<bool> collide;
  Index senders, receivers;
  double cell_width, legend_width, row_height, grid_width, height;

  Panel(const ListedSchedule& p, const Network& network, double from)
      : schedule(p),
        begin(from),
        steps(busiest(p)),
        spans(timeline(p, network)),
        collide(collisions(p)),
        senders(std::min(p.senders, most_rows)),
        receivers(std::min(p.receivers, most_rows)) {
    Index longest = 0, dearest = 0;
    for (const ListedPart& x : p.parts) longest = std::max(longest, x.elements);
    for (const Occupation& step : steps) dearest = std::max(dearest, step.elements);
    cell_width = std::max(20.0, width_of(longest));
    legend_width = std::max(24.0, width_of(dearest));
    grid_width = std::max(240.0, cell_width * static_cast<double>(receivers));
    row_height = senders + receivers <= 48 ? 14 : 9;
    const double grid_height = cell_height * static_cast<double>(senders) + 34 + legend_height * legend_lines();
    const double times_height = row_height * (static_cast<double>(senders + receivers) + 1) + 40;
    height = top + std::max(grid_height, times_height) + 30;
  }
  bool shows(const ListedPart& x) const { return x.sender < senders && x.receiver < receivers; }
  std::size_t legend_in_line() const {
    return std::max<std::size_t>(1, static_cast<std::size_t>(grid_width / legend_width));
  }
  double legend_lines() const {
    return static_cast<double>((std::min(steps.size(), most_in_legend) + legend_in_line() - 1) / legend_in_line());
  }
  double end() const { return begin + end_of(spans); }
  double times_x() const { return left + grid_width + gap; }
  double sender_y(Index p) const { return top + row_height * static_cast<double>(p); }
  double receiver_y(Index q) const { return top + row_height * static_cast<double>(senders + 1 + q); }
};

// From yellow over green and blue to violet, so that colour tells the order of steps; red is kept for
// contention. Neighbours differ in lightness too.
std::string colour(Index step, Index steps) {
  std::ostringstream text;
  const double place = steps > 1 ? static_cast<double>(step) / static_cast<double>(steps - 1) : 0;
  text << "hsl(" << static_cast<int>(50 + 240 * place) << ",70%," << (step % 2 == 0 ? 80 : 66) << "%)";
  return text.str();
}

struct Box {
  double x, y, width, height;
};

void rectangle(std::ostream& out, const Box& box, const std::string& fill, const std::string& more = {}) {
  out << "<rect x='" << box.x << "' y='" << box.y << "' width='" << box.width << "' height='" << box.height
      << "' fill='" << fill << "' " << more << "/>\n";
}

// How much of a message is forwarded: a strip along its upper edge.
void draw_forwarded(std::ostream& out, const Box& box, const ListedPart& part) {
  const double forwarded = static_cast<double>(part.forwarded) / static_cast<double>(part.elements);
  if (forwarded > 0) rectangle(out, {box.x, box.y, box.width * forwarded, 2}, "#333");
}

void text(std::ostream& out, double x, double y, const std::string& kind, const std::string& what) {
  out << "<text x='" << x << "' y='" << y << "' class='" << kind << "'>" << what << "</text>\n";
}

std::map<std::pair<Index, Index>, std::vector<const ListedPart*>> cells_of(const Panel& panel) {
  std::map<std::pair<Index, Index>, std::vector<const ListedPart*>> cells;
  for (const ListedPart& x : panel.schedule.parts)
    if (panel.shows(x)) cells[{x.sender, x.receiver}].push_back(&x);
  return cells;
}

void draw_grid_lines(std::ostream& out, const Panel& panel) {
  rectangle(out,
            {left, top, panel.cell_width * static_cast<double>(panel.receivers),
             cell_height * static_cast<double>(panel.senders)},
            "#f7f7f7", "stroke='#999'");
  text(out, left, top - 16, "note", "receiver; rows: sender; elements, coloured by step");
  for (Index q = 0; q < panel.receivers; ++q)
    text(out, left + panel.cell_width * (static_cast<double>(q) + 0.5), top - 4, "mid", std::to_string(q));
  for (Index p = 0; p < panel.senders; ++p)
    text(out, left - 4, top + cell_height * (static_cast<double>(p) + 0.7), "end", std::to_string(p));
}

// A message of several parts is striped.
void draw_grid(std::ostream& out, const Panel& panel) {
  draw_grid_lines(out, panel);
  for (const auto& [ends, parts] : cells_of(panel)) {
    const Box cell{left + panel.cell_width * static_cast<double>(ends.second),
                   top + cell_height * static_cast<double>(ends.first), panel.cell_width, cell_height};
    const double stripe = panel.cell_width / static_cast<double>(parts.size());
    Index elements = 0;
    bool red = false;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const Box box{cell.x + stripe * static_cast<double>(k), cell.y, stripe, cell.height};
      rectangle(out, box, colour(parts[k]->step, panel.schedule.steps));
      draw_forwarded(out, box, *parts[k]);
      elements += parts[k]->elements;
      red = red || panel.collide[static_cast<std::size_t>(parts[k] - panel.schedule.parts.data())];
    }
    if (red)
      rectangle(out, {cell.x + 1.2, cell.y + 1.2, cell.width - 2.4, cell.height - 2.4}, "none",
                "stroke='#d00' stroke-width='1.4'");
    else
      rectangle(out, cell, "none", "stroke='#fff' stroke-width='0.6'");
    text(out, cell.x + cell.width / 2, cell.y + 13, ends.first == ends.second ? "self" : "mid",
         std::to_string(elements));
  }
}

void draw_legend(std::ostream& out, const Panel& panel) {
  const double y = top + cell_height * static_cast<double>(panel.senders) + 22;
  text(out, left, y - 6, "note", "steps and their costs; in italics: to oneself");
  const std::size_t shown = std::min(panel.steps.size(), most_in_legend);
  for (std::size_t k = 0; k < shown; ++k) {
    const double x = left + panel.legend_width * static_cast<double>(k % panel.legend_in_line());
    const double line = y + legend_height * static_cast<double>(k / panel.legend_in_line());
    const double width = panel.legend_width - 2;
    rectangle(out, {x, line, width, 12}, colour(static_cast<Index>(k), panel.schedule.steps));
    text(out, x + width / 2, line + 9.5, "mid", letters(static_cast<Index>(k)));
    text(out, x + width / 2, line + 20, "tiny", std::to_string(panel.steps[k].elements));
  }
}

// A round distance between ticks, at most ten of which make `end`.
double tick_of(double end) {
  const double tenth = end / 10, power = std::pow(10, std::floor(std::log10(tenth)));
  for (const double digit : {1.0, 2.0, 5.0})
    if (digit * power >= tenth) return digit * power;
  return 10 * power;
}

// Microseconds, with as many decimals as ticks of this distance need, so that all labels of an axis have the same.
std::string on_axis(double seconds, double tick) {
  std::ostringstream label;
  label << std::fixed << std::setprecision(std::max(0, -static_cast<int>(std::floor(std::log10(1e6 * tick) + 1e-9))))
        << 1e6 * seconds;
  return label.str();
}

void draw_axis(std::ostream& out, const Panel& panel, double scale, double end, double bound) {
  const double bottom = panel.receiver_y(panel.receivers), tick = tick_of(end);
  for (int k = 0; k * tick <= end; ++k) {
    const double x = panel.times_x() + scale * k * tick;
    out << "<line x1='" << x << "' y1='" << top << "' x2='" << x << "' y2='" << bottom << "' stroke='#e4e4e4'/>\n";
    text(out, x, bottom + 13, "mid", on_axis(k * tick, tick));
  }
  text(out, panel.times_x() + times_width, bottom + 26, "end", "microseconds, without barriers; S: sends, R: receives");
  const double x = panel.times_x() + scale * bound;
  out << "<line x1='" << x << "' y1='" << top - 6 << "' x2='" << x << "' y2='" << bottom
      << "' stroke='#000' stroke-dasharray='4 3'/>\n";
  text(out, x, top - 9, "mid", "bound");
}

std::string label(char side, Index process) { return std::string(1, side).append(std::to_string(process)); }

void draw_rows(std::ostream& out, const Panel& panel) {
  const double x = panel.times_x() - 4;
  for (Index p = 0; p < panel.senders; ++p)
    text(out, x, panel.sender_y(p) + panel.row_height - 3, "end", label('S', p));
  for (Index q = 0; q < panel.receivers; ++q)
    text(out, x, panel.receiver_y(q) + panel.row_height - 3, "end", label('R', q));
}

void draw_first_hop(std::ostream& out, const Panel& panel, double scale) {
  const double width = scale * panel.begin;
  rectangle(out, {panel.times_x(), top, width, panel.receiver_y(panel.receivers) - top}, "#f1f1f1");
  text(out, panel.times_x() + width / 2, panel.receiver_y(-1) + panel.row_height - 3, "mid", "hop 1");
}

// One bar in its sender's row and one in its receiver's, each with the number of the other.
void draw_bars(std::ostream& out, const Panel& panel, std::size_t k, double scale) {
  const ListedPart& part = panel.schedule.parts[k];
  const Span& span = panel.spans[k];
  const double x = panel.times_x() + scale * (panel.begin + span.start), width = scale * (span.end - span.start);
  const double high = panel.row_height - 2;
  const std::string edge = "stroke='#666' stroke-width='0.5'";
  const auto bar = [&](double y, Index peer) {
    const Box box{x, y + 1, width, high};
    rectangle(out, box, colour(part.step, panel.schedule.steps),
              part.to_self() ? edge + " stroke-dasharray='2 2'" : edge);
    draw_forwarded(out, box, part);
    if (width > 16 && panel.row_height > 10) text(out, x + width / 2, y + high - 1, "tiny", std::to_string(peer));
  };
  if (part.sender < panel.senders) bar(panel.sender_y(part.sender), part.receiver);
  if (part.receiver < panel.receivers) bar(panel.receiver_y(part.receiver), part.sender);
}

// The time from when the sender could send until the receiver takes the part. It is drawn in the sender's row and, if
// the order causes it, also as a line above what the receiver takes meanwhile.
void draw_wait(std::ostream& out, const Panel& panel, std::size_t k, double scale) {
  const ListedPart& part = panel.schedule.parts[k];
  const Span& span = panel.spans[k];
  const double x = panel.times_x() + scale * (panel.begin + span.ready), width = scale * (span.start - span.ready);
  if (width <= 0) return;
  if (part.sender < panel.senders)
    rectangle(out, {x, panel.sender_y(part.sender) + 1, width, panel.row_height - 2},
              panel.collide[k] ? "#e22" : "#ddd");
  if (part.receiver < panel.receivers && panel.collide[k])
    rectangle(out, {x, panel.receiver_y(part.receiver), width, 3}, "#e22");
}

std::string title_of(const Panel& panel, double bound) {
  const Occupation sum = total(panel.steps);
  std::ostringstream title;
  title << panel.schedule.title() << ": " << panel.schedule.steps << " steps, S " << sum.messages << ", T "
        << sum.elements << ", " << microseconds(end_of(panel.spans)) << " us";
  if (panel.begin > 0) title << ", with the first hop " << microseconds(panel.end()) << " us";
  if (bound > 0) title << ", " << std::fixed << std::setprecision(2) << panel.end() / bound << " times the bound";
  if (!proper(panel.steps)) title << "; not proper";
  if (panel.schedule.half_duplex) title << "; half duplex";
  if (panel.senders < panel.schedule.senders || panel.receivers < panel.schedule.receivers)
    title << "; shown: " << panel.senders << " of " << panel.schedule.senders << " senders, " << panel.receivers
          << " of " << panel.schedule.receivers << " receivers (--csv FILE writes all)";
  return title.str();
}

void draw(std::ostream& out, const Panel& panel, double y, double end, double bound) {
  const double scale = end > 0 ? times_width / end : 0;
  out << "<g transform='translate(0," << y << ")'>\n";
  text(out, 8, 15, "title", title_of(panel, bound));
  draw_grid(out, panel);
  draw_legend(out, panel);
  if (panel.begin > 0) draw_first_hop(out, panel, scale);
  draw_axis(out, panel, scale, end, bound);
  draw_rows(out, panel);
  for (const auto drawn : {draw_bars, draw_wait})
    for (std::size_t k = 0; k < panel.spans.size(); ++k) drawn(out, panel, k, scale);
  out << "</g>\n";
}

constexpr const char* style = R"(<style>
text { font: 10px sans-serif; fill: #222 }
.title { font: bold 14px sans-serif }
.note { fill: #666 }
.mid, .self, .tiny { text-anchor: middle }
.self { font-style: italic; fill: #555 }
.tiny { font-size: 9px; fill: #444 }
.end { text-anchor: end }
</style>
)";

}  // namespace

void write_svg(std::ostream& out, const Shown& c, const Bounds& bounds, const std::vector<ListedSchedule>& schedules) {
  const double bound = least_time(bounds, c.network);
  std::vector<Panel> panels;
  double end = bound, width = 0, height = 46;
  for (const ListedSchedule& schedule : schedules) {
    panels.emplace_back(schedule, c.network, schedule.hop == 2 ? panels.back().end() : 0);
    end = std::max(end, panels.back().end());
    width = std::max(width, panels.back().times_x() + times_width + 40);
    height += panels.back().height;
  }
  width = std::max(width, 600.0);
  out << std::fixed << std::setprecision(2) << "<svg xmlns='http://www.w3.org/2000/svg' width='" << width
      << "' height='" << height << "' viewBox='0 0 " << width << ' ' << height << "'>\n"
      << style;
  rectangle(out, {0, 0, width, height}, "#fff");
  text(out, 8, 18, "title", c.title);
  text(out, 8, 34, "note",
       "red: a step has two messages for one process, and a sender waits; grey: a sender "
       "waits for its turn; dashed: to oneself; dark strip: the part that is forwarded");
  double y = 46;
  for (const Panel& panel : panels) {
    draw(out, panel, y, end, bound);
    y += panel.height;
  }
  out << "</svg>\n";
}

}  // namespace xschedule
