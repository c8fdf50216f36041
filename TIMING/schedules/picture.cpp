// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iomanip>
#include <map>
#include <sstream>

#include "schedules/listed.hpp"

namespace xschedule {
namespace {

constexpr Index max_rows = 64;   // of senders, and of receivers
constexpr double max_marks = 8;  // between the marks of a time axis

// Pixels.
constexpr double left = 38, right = 34, full_width = 880, row_height = 16, head = 48, heading = 20;
constexpr double foot = 48, letter = 7;  // height below the rows; width of a digit

// The schedule of a hop or a pass; the first one begins at 0.
struct Exchange {
  const ListedSchedule& schedule;
  double begin;       // seconds: the end of the one before
  Index steps_ahead;  // of those before
  std::vector<Span> spans;

  double end() const { return begin + end_of(spans); }
};

// All exchanges of an algorithm, in the same rows of processes.
struct Panel {
  std::vector<Exchange> exchanges;
  Index steps = 0;

  const ListedSchedule& schedule() const { return exchanges.front().schedule; }
  Index senders() const { return std::min(schedule().senders, max_rows); }
  Index receivers() const { return std::min(schedule().receivers, max_rows); }
  double end() const { return exchanges.back().end(); }
  double top() const { return exchanges.size() > 1 ? 2 * heading : heading; }
  double sender_y(Index p) const { return top() + row_height * static_cast<double>(p); }
  double receiver_y(Index q) const { return top() + row_height * (static_cast<double>(senders() + q) + 0.5); }
  double bottom() const { return receiver_y(receivers()); }
  double height() const { return bottom() + foot; }
};

std::vector<Panel> panels_of(const std::vector<ListedSchedule>& schedules, const Network& network) {
  std::vector<Panel> panels;
  for (const ListedSchedule& schedule : schedules) {
    if (schedule.hop == 1) panels.emplace_back();
    Panel& panel = panels.back();
    panel.exchanges.push_back(
        {schedule, panel.exchanges.empty() ? 0 : panel.end(), panel.steps, timeline(schedule, network)});
    panel.steps += schedule.steps;
  }
  return panels;
}

// The horizontal axis: seconds to pixels.
struct Scale {
  double bound, end;  // seconds: of the bound, and of the last panel that ends

  double x(double seconds) const { return left + (end > 0 ? full_width * seconds / end : 0); }
};

// Hues run from yellow over green and blue to violet in the order of the steps. Neighbours differ in lightness too.
std::string style_of(Index step, Index steps, bool to_self) {
  std::ostringstream text;
  const double position = steps > 1 ? static_cast<double>(step) / static_cast<double>(steps - 1) : 0;
  text << "fill='hsl(" << static_cast<int>(50 + 240 * position) << ",70%," << (step % 2 == 0 ? 80 : 66) << "%)' "
       << (to_self ? "stroke='#000' stroke-width='1.6' stroke-dasharray='4 3'" : "stroke='#666' stroke-width='0.5'");
  return text.str();
}

void word(std::ostream& words, double x, double y, const std::string& text) {
  words << std::fixed << std::setprecision(1) << "<tspan x='" << x << "' y='" << y << "'>" << text << "</tspan>";
}

// Draws each message as a bar in the row of its sender and a bar in the row of its receiver, with the number of the
// other process. The bars of a step are one element of the file.
void draw_bars(std::ostream& out, const Panel& panel, const Exchange& exchange, const Scale& scale) {
  std::map<std::string, std::ostringstream> bars;
  std::ostringstream peers;
  for (std::size_t k = 0; k < exchange.spans.size(); ++k) {
    const ListedPart& message = exchange.schedule.parts[k];
    const double x = scale.x(exchange.begin + exchange.spans[k].start),
                 width = scale.x(exchange.begin + exchange.spans[k].end) - x;
    const auto bar = [&](double y, Index peer) {
      bars[style_of(exchange.steps_ahead + message.step, panel.steps, message.to_self())]
          << std::fixed << std::setprecision(1) << 'M' << x << ',' << y + 1.5 << 'h' << width << 'v' << row_height - 3
          << 'h' << -width << 'z';
      const std::string number = std::to_string(peer);
      if (width > letter * static_cast<double>(number.size()) + 2)
        word(peers, x + width / 2, y + row_height - 4, number);
    };
    if (message.sender < panel.senders()) bar(panel.sender_y(message.sender), message.receiver);
    if (message.receiver < panel.receivers()) bar(panel.receiver_y(message.receiver), message.sender);
  }
  out << "<g class='" << (exchange.schedule.is_pass ? "pass" : "hop") << "'>\n";
  for (const auto& [style, shapes] : bars) out << "<path " << style << " d='" << shapes.str() << "'/>\n";
  out << "<text class='mid'>" << peers.str() << "</text>\n</g>\n";
}

// Returns the distance between the marks of an axis as a multiple of the bound.
double distance_of_marks(double length) {
  double distance = 0.25;
  while (length > max_marks * distance) distance *= 2;
  return distance;
}

// Draws the time axis below the rows, in multiples of the bound, which is a dashed line behind the bars.
void draw_time(std::ostream& out, const Panel& panel, const Scale& scale) {
  if (scale.bound <= 0) return;
  const double bottom = panel.bottom() + 4, length = scale.end / scale.bound, distance = distance_of_marks(length);
  std::ostringstream lines, words;
  lines << std::fixed << std::setprecision(1) << 'M' << left << ',' << bottom << 'H' << left + full_width;
  for (Index k = 0; static_cast<double>(k) * distance <= length * (1 + 1e-9); ++k) {
    const double multiple = static_cast<double>(k) * distance, x = scale.x(multiple * scale.bound);
    std::ostringstream text;
    text << multiple;
    lines << 'M' << x << ',' << bottom << "v4";
    word(words, x, bottom + 16, text.str());
  }
  const double x = scale.x(scale.bound);
  word(words, left + full_width / 2, bottom + 32,
       "time, in multiples of the bound: the shortest time of direct messages");
  out << "<path fill='none' stroke='#000' d='" << lines.str() << "'/>\n"
      << "<path fill='none' stroke='#000' stroke-width='1.6' stroke-dasharray='7 4' d='M" << x << ',' << panel.top() - 4
      << 'V' << bottom << "'/>\n<text class='mid'>" << words.str() << "</text>\n";
}

// Writes the names of the rows and, above them, the hop or pass that begins there.
void draw_names(std::ostream& out, const Panel& panel, const Scale& scale) {
  std::ostringstream rows, names;
  for (Index p = 0; p < panel.senders(); ++p)
    word(rows, left - 4, panel.sender_y(p) + row_height - 4, std::string("S").append(std::to_string(p)));
  for (Index q = 0; q < panel.receivers(); ++q)
    word(rows, left - 4, panel.receiver_y(q) + row_height - 4, std::string("R").append(std::to_string(q)));
  for (const Exchange& exchange : panel.exchanges)
    if (panel.exchanges.size() > 1)
      word(names, scale.x(exchange.begin), panel.top() - 5,
           (exchange.schedule.is_pass ? "pass " : "hop ") + std::to_string(exchange.schedule.hop));
  out << "<text class='end'>" << rows.str() << "</text>\n<text>" << names.str() << "</text>\n";
}

std::string title_of(const Panel& panel, double bound) {
  const ListedSchedule& first = panel.schedule();
  std::ostringstream title;
  title << first.name << ": ";
  for (const Exchange& exchange : panel.exchanges)
    title << (&exchange != &panel.exchanges.front() ? " + " : "") << exchange.schedule.steps;
  title << (panel.steps == 1 ? " step" : " steps");
  if (bound > 0) {
    title << ", " << std::fixed << std::setprecision(2) << panel.end() / bound;
    if (first.over_mesh())
      title << " of the shortest time of direct messages";
    else
      title << (first.is_pass ? " of the shortest time of one pass" : " times the bound");
  }
  if (panel.senders() < first.senders || panel.receivers() < first.receivers)
    title << "; the first " << max_rows << " senders and receivers";
  return title.str();
}

// Explains borders, rows, numbers and colours in one line.
void draw_key(std::ostream& out) {
  out << "<path " << style_of(0, 1, true)
      << " d='M8,27h30v12h-30z'/>\n<text x='44' y='37'>stays on its process. S: senders, R: receivers; the number in a "
         "bar "
         "is the process at the other end. A colour is a step.</text>\n";
}

}  // namespace

void write_svg(std::ostream& out, const Shown& c, const Bounds& bounds, const std::vector<ListedSchedule>& schedules) {
  const std::vector<Panel> panels = panels_of(schedules, c.network);
  Scale scale{min_time(bounds, c.network), min_time(bounds, c.network)};
  double height = head;
  for (const Panel& panel : panels) {
    scale.end = std::max(scale.end, panel.end());
    height += panel.height();
  }
  const double width = left + full_width + right;
  out << "<svg xmlns='http://www.w3.org/2000/svg' width='" << width << "' height='" << height << "' viewBox='0 0 "
      << width << ' ' << height << "'>\n"
      << "<style>text{font:12px sans-serif} .title{font:bold 14px sans-serif} .mid{text-anchor:middle} "
         ".end{text-anchor:end}</style>\n<path fill='#fff' d='M0,0h"
      << width << 'v' << height << "H0z'/>\n<text x='8' y='17' class='title'>" << c.title << "</text>\n";
  draw_key(out);
  double y = head;
  for (const Panel& panel : panels) {
    out << "<g transform='translate(0," << y << ")'>\n<text x='8' y='15' class='title'>" << title_of(panel, scale.bound)
        << "</text>\n";
    draw_names(out, panel, scale);
    draw_time(out, panel, scale);
    for (const Exchange& exchange : panel.exchanges) draw_bars(out, panel, exchange, scale);
    out << "</g>\n";
    y += panel.height();
  }
  out << "</svg>\n";
}

}  // namespace xschedule
