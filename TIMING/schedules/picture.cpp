// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <map>
#include <sstream>

#include "schedules/reports.hpp"

namespace xschedule {
namespace {

constexpr Index max_rows = 64;  // of senders, and of receivers
constexpr std::size_t max_in_legend = 64;
// Pixels.
constexpr double left = 34, top = 44, cell_height = 18, gap = 70, times_width = 900, legend_height = 26;

double width_of(Index number) { return 6 + 6.5 * static_cast<double>(std::to_string(number).size()); }

struct Box {
  double x, y, width, height;
};

// Shapes and words of one panel, collected by style, so that a style is one element of the file.
class Canvas {
 public:
  enum Layer { background, lines, boxes, strips, marks };

  void box(Layer layer, const std::string& style, const Box& b) {
    path(layer, style) << 'M' << b.x << ',' << b.y << 'h' << b.width << 'v' << b.height << 'h' << -b.width << 'z';
  }
  void vertical(const std::string& style, double x, double from, double to) {
    path(lines, style + " fill='none'") << 'M' << x << ',' << from << 'V' << to;
  }
  void word(const std::string& style, double x, double y, const std::string& what) {
    stream(words_[style]) << "<tspan x='" << x << "' y='" << y << "'>" << what << "</tspan>";
  }
  void write(std::ostream& out) const {
    for (const auto& [key, shapes] : paths_) out << "<path " << key.second << " d='" << shapes.str() << "'/>\n";
    for (const auto& [style, words] : words_) out << "<text class='" << style << "'>" << words.str() << "</text>\n";
  }

 private:
  static std::ostream& stream(std::ostringstream& text) { return text << std::fixed << std::setprecision(1); }
  std::ostream& path(Layer layer, const std::string& style) { return stream(paths_[{layer, style}]); }

  std::map<std::pair<Layer, std::string>, std::ostringstream> paths_;
  std::map<std::string, std::ostringstream> words_;
};

// What is drawn of a schedule, and its sizes.
struct Panel {
  const ListedSchedule& schedule;
  double begin;  // seconds: a hop begins when the one before ends
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
        senders(std::min(p.senders, max_rows)),
        receivers(std::min(p.receivers, max_rows)) {
    Index max_message = 0, max_cost = 0;
    for (const ListedPart& x : p.parts) max_message = std::max(max_message, x.elements);
    for (const Occupation& step : steps) max_cost = std::max(max_cost, step.elements);
    cell_width = std::max(20.0, width_of(max_message));
    legend_width = std::max(24.0, width_of(max_cost));
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
    return static_cast<double>((std::min(steps.size(), max_in_legend) + legend_in_line() - 1) / legend_in_line());
  }
  double end() const { return begin + end_of(spans); }
  double times_x() const { return left + grid_width + gap; }
  double sender_y(Index p) const { return top + row_height * static_cast<double>(p); }
  double receiver_y(Index q) const { return top + row_height * static_cast<double>(senders + 1 + q); }
};

// Hues run from yellow over green and blue to violet in the order of the steps; red is reserved for contention.
// Neighbours differ in lightness too.
std::string colour(Index step, Index steps) {
  std::ostringstream text;
  const double position = steps > 1 ? static_cast<double>(step) / static_cast<double>(steps - 1) : 0;
  text << "fill='hsl(" << static_cast<int>(50 + 240 * position) << ",70%," << (step % 2 == 0 ? 80 : 66) << "%)'";
  return text.str();
}

// Draws the forwarded share of a message as a strip along the upper edge.
void draw_forwarded(Canvas& canvas, const Box& box, const ListedPart& part) {
  const double forwarded = static_cast<double>(part.forwarded) / static_cast<double>(part.elements);
  if (forwarded > 0) canvas.box(Canvas::strips, "fill='#333'", {box.x, box.y, box.width * forwarded, 2});
}

void draw_cell(Canvas& canvas, const Panel& panel, const Box& cell, const std::vector<const ListedPart*>& parts) {
  const double stripe = panel.cell_width / static_cast<double>(parts.size());
  Index elements = 0;
  bool red = false;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const Box box{cell.x + stripe * static_cast<double>(k), cell.y, stripe, cell.height};
    canvas.box(Canvas::boxes, colour(parts[k]->step, panel.schedule.steps), box);
    draw_forwarded(canvas, box, *parts[k]);
    elements += parts[k]->elements;
    red = red || at(panel.collide, parts[k] - panel.schedule.parts.data());
  }
  if (red)
    canvas.box(Canvas::marks, "fill='none' stroke='#d00' stroke-width='1.4'",
               {cell.x + 1.2, cell.y + 1.2, cell.width - 2.4, cell.height - 2.4});
  else
    canvas.box(Canvas::strips, "fill='none' stroke='#fff' stroke-width='0.6'", cell);
  canvas.word(parts[0]->to_self() ? "self" : "mid", cell.x + cell.width / 2, cell.y + 13, std::to_string(elements));
}

// Draws the communication grid. A message of several parts is striped.
void draw_grid(Canvas& canvas, const Panel& panel) {
  canvas.box(Canvas::background, "fill='#f7f7f7' stroke='#999'",
             {left, top, panel.cell_width * static_cast<double>(panel.receivers),
              cell_height * static_cast<double>(panel.senders)});
  canvas.word("note", left, top - 16, "receiver; rows: sender; elements, coloured by step");
  for (Index q = 0; q < panel.receivers; ++q)
    canvas.word("mid", left + panel.cell_width * (static_cast<double>(q) + 0.5), top - 4, std::to_string(q));
  for (Index p = 0; p < panel.senders; ++p)
    canvas.word("end", left - 4, top + cell_height * (static_cast<double>(p) + 0.7), std::to_string(p));
  std::map<std::pair<Index, Index>, std::vector<const ListedPart*>> cells;
  for (const ListedPart& x : panel.schedule.parts)
    if (panel.shows(x)) cells[{x.sender, x.receiver}].push_back(&x);
  for (const auto& [ends, parts] : cells)
    draw_cell(canvas, panel,
              {left + panel.cell_width * static_cast<double>(ends.second),
               top + cell_height * static_cast<double>(ends.first), panel.cell_width, cell_height},
              parts);
}

void draw_legend(Canvas& canvas, const Panel& panel) {
  const double y = top + cell_height * static_cast<double>(panel.senders) + 22;
  canvas.word("note", left, y - 6, "steps and their costs; in italics: to oneself");
  const std::size_t shown = std::min(panel.steps.size(), max_in_legend);
  for (std::size_t k = 0; k < shown; ++k) {
    const double x = left + panel.legend_width * static_cast<double>(k % panel.legend_in_line());
    const double line = y + legend_height * static_cast<double>(k / panel.legend_in_line());
    const double width = panel.legend_width - 2;
    canvas.box(Canvas::boxes, colour(static_cast<Index>(k), panel.schedule.steps), {x, line, width, 12});
    canvas.word("mid", x + width / 2, line + 9.5, letters(static_cast<Index>(k)));
    canvas.word("tiny", x + width / 2, line + 20, std::to_string(panel.steps[k].elements));
  }
}

// Returns a round distance between ticks, so that at most ten ticks reach `end`.
double tick_of(double end) {
  const double tenth = end / 10, power = std::pow(10, std::floor(std::log10(tenth)));
  for (const double digit : {1.0, 2.0, 5.0})
    if (digit * power >= tenth) return digit * power;
  return 10 * power;
}

// Returns microseconds with as many decimals as `tick` needs, so that all labels of an axis have equally many.
std::string on_axis(double seconds, double tick) {
  std::ostringstream label;
  label << std::fixed << std::setprecision(std::max(0, -static_cast<int>(std::floor(std::log10(1e6 * tick) + 1e-9))))
        << 1e6 * seconds;
  return label.str();
}

void draw_axis(Canvas& canvas, const Panel& panel, double scale, double end, double bound) {
  const double bottom = panel.receiver_y(panel.receivers), tick = tick_of(end);
  for (int k = 0; k * tick <= end; ++k) {
    const double x = panel.times_x() + scale * k * tick;
    canvas.vertical("stroke='#e4e4e4'", x, top, bottom);
    canvas.word("mid", x, bottom + 13, on_axis(k * tick, tick));
  }
  canvas.word("end", panel.times_x() + times_width, bottom + 26,
              "microseconds, without barriers; S: sends, R: receives");
  const double x = panel.times_x() + scale * bound;
  canvas.vertical("stroke='#000' stroke-dasharray='4 3'", x, top - 6, bottom);
  canvas.word("mid", x, top - 9, "bound");
}

void draw_rows(Canvas& canvas, const Panel& panel) {
  const double x = panel.times_x() - 4;
  const auto label = [&](char side, Index process, double y) {
    canvas.word("end", x, y + panel.row_height - 3, std::string(1, side).append(std::to_string(process)));
  };
  for (Index p = 0; p < panel.senders; ++p) label('S', p, panel.sender_y(p));
  for (Index q = 0; q < panel.receivers; ++q) label('R', q, panel.receiver_y(q));
}

void draw_earlier_hops(Canvas& canvas, const Panel& panel, double scale) {
  const double width = scale * panel.begin;
  canvas.box(Canvas::background, "fill='#f1f1f1'",
             {panel.times_x(), top, width, panel.receiver_y(panel.receivers) - top});
  canvas.word("mid", panel.times_x() + width / 2, panel.receiver_y(-1) + panel.row_height - 3,
              panel.schedule.hop == 2 ? "hop 1" : "hops 1 to " + std::to_string(panel.schedule.hop - 1));
}

// Draws one bar in the row of the sender and one in the row of the receiver, each with the number of the other process.
void draw_bars(Canvas& canvas, const Panel& panel, std::size_t k, double scale) {
  const ListedPart& part = panel.schedule.parts[k];
  const Span& span = panel.spans[k];
  const double x = panel.times_x() + scale * (panel.begin + span.start), width = scale * (span.end - span.start);
  const double high = panel.row_height - 2;
  const std::string style = colour(part.step, panel.schedule.steps) + " stroke='#666' stroke-width='0.5'" +
                            (part.to_self() ? " stroke-dasharray='2 2'" : "");
  const auto bar = [&](double y, Index peer) {
    const Box box{x, y + 1, width, high};
    canvas.box(Canvas::boxes, style, box);
    draw_forwarded(canvas, box, part);
    if (width > 16 && panel.row_height > 10) canvas.word("tiny", x + width / 2, y + high - 1, std::to_string(peer));
  };
  if (part.sender < panel.senders) bar(panel.sender_y(part.sender), part.receiver);
  if (part.receiver < panel.receivers) bar(panel.receiver_y(part.receiver), part.sender);
}

// Draws the time from which the sender is ready until the receiver takes the part: in the row of the sender and, if the
// schedule causes the wait, also as a line above the parts that the receiver takes meanwhile.
void draw_wait(Canvas& canvas, const Panel& panel, std::size_t k, double scale) {
  const ListedPart& part = panel.schedule.parts[k];
  const Span& span = panel.spans[k];
  const double x = panel.times_x() + scale * (panel.begin + span.ready), width = scale * (span.start - span.ready);
  if (width <= 0) return;
  const std::string red = "fill='#e22'";
  if (part.sender < panel.senders)
    canvas.box(Canvas::marks, panel.collide[k] ? red : "fill='#ddd'",
               {x, panel.sender_y(part.sender) + 1, width, panel.row_height - 2});
  if (part.receiver < panel.receivers && panel.collide[k])
    canvas.box(Canvas::marks, red, {x, panel.receiver_y(part.receiver), width, 3});
}

std::string title_of(const Panel& panel, double bound) {
  const Occupation sum = total(panel.steps);
  std::ostringstream title;
  title << panel.schedule.title() << ": " << panel.schedule.steps << " steps, S " << sum.messages << ", T "
        << sum.elements << ", " << microseconds(end_of(panel.spans)) << " us";
  if (panel.begin > 0) title << ", with the hops before " << microseconds(panel.end()) << " us";
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
  Canvas canvas;
  draw_grid(canvas, panel);
  draw_legend(canvas, panel);
  if (panel.begin > 0) draw_earlier_hops(canvas, panel, scale);
  draw_axis(canvas, panel, scale, end, bound);
  draw_rows(canvas, panel);
  for (std::size_t k = 0; k < panel.spans.size(); ++k) {
    draw_bars(canvas, panel, k, scale);
    draw_wait(canvas, panel, k, scale);
  }
  out << "<g transform='translate(0," << y << ")'>\n<text x='8' y='15' class='title'>" << title_of(panel, bound)
      << "</text>\n";
  canvas.write(out);
  out << "</g>\n";
}

constexpr const char* style =
    "<style>text{font:10px sans-serif;fill:#222} .title{font:bold 14px sans-serif} .note{fill:#666} "
    ".mid,.self,.tiny{text-anchor:middle} .self{font-style:italic;fill:#555} .tiny{font-size:9px;fill:#444} "
    ".end{text-anchor:end}</style>\n";

}  // namespace

void write_svg(std::ostream& out, const Shown& c, const Bounds& bounds, const std::vector<ListedSchedule>& schedules) {
  const double bound = min_time(bounds, c.network);
  std::vector<Panel> panels;
  double end = bound, width = 600, height = 46;
  for (const ListedSchedule& schedule : schedules) {
    panels.emplace_back(schedule, c.network, schedule.hop > 1 ? panels.back().end() : 0);
    end = std::max(end, panels.back().end());
    width = std::max(width, panels.back().times_x() + times_width + 40);
    height += panels.back().height;
  }
  out << "<svg xmlns='http://www.w3.org/2000/svg' width='" << width << "' height='" << height << "' viewBox='0 0 "
      << width << ' ' << height << "'>\n"
      << style << "<path fill='#fff' d='M0,0h" << width << 'v' << height << "H0z'/>\n"
      << "<text x='8' y='18' class='title'>" << c.title << "</text>\n"
      << "<text x='8' y='34' class='note'>red: a step has two messages for one process, and a sender waits; grey: a "
         "sender waits for its turn; dashed: to oneself; dark strip: the share that is forwarded</text>\n";
  double y = 46;
  for (const Panel& panel : panels) {
    draw(out, panel, y, end, bound);
    y += panel.height;
  }
  out << "</svg>\n";
}

}  // namespace xschedule
