// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iomanip>
#include <map>
#include <sstream>

#include "schedules/listed.hpp"

namespace xschedule {
namespace {

constexpr Index max_rows = 64;                                            // of senders, and of receivers
constexpr double left = 34, top = 24, row_height = 14, full_width = 900;  // pixels

// A schedule and its place in the picture.
struct Panel {
  const ListedSchedule& schedule;
  double begin;  // seconds: a hop begins when the one before ends
  std::vector<Span> spans;
  Index senders, receivers;

  Panel(const ListedSchedule& p, const Network& network, double from)
      : schedule(p),
        begin(from),
        spans(timeline(p, network)),
        senders(std::min(p.senders, max_rows)),
        receivers(std::min(p.receivers, max_rows)) {}
  double end() const { return begin + end_of(spans); }
  double sender_y(Index p) const { return top + row_height * static_cast<double>(p); }
  double receiver_y(Index q) const { return top + row_height * static_cast<double>(senders + 1 + q); }
  double height() const { return receiver_y(receivers) + 24; }
};

// Hues run from yellow over green and blue to violet in the order of the steps. Neighbours differ in lightness too.
std::string style_of(const ListedPart& part, Index steps) {
  std::ostringstream text;
  const double position = steps > 1 ? static_cast<double>(part.step) / static_cast<double>(steps - 1) : 0;
  text << "fill='hsl(" << static_cast<int>(50 + 240 * position) << ",70%," << (part.step % 2 == 0 ? 80 : 66)
       << "%)' stroke='#666' stroke-width='0.5'" << (part.to_self() ? " stroke-dasharray='2 2'" : "");
  return text.str();
}

void word(std::ostringstream& words, double x, double y, const std::string& text) {
  words << std::fixed << std::setprecision(1) << "<tspan x='" << x << "' y='" << y << "'>" << text << "</tspan>";
}

// Draws each message as a bar in the row of its sender and a bar in the row of its receiver, with the number of the
// other process. The bars of a step are one element of the file.
void draw_bars(std::ostream& out, const Panel& panel, double scale) {
  std::map<std::string, std::ostringstream> bars;
  std::ostringstream peers;
  for (std::size_t k = 0; k < panel.spans.size(); ++k) {
    const ListedPart& part = panel.schedule.parts[k];
    const Span& span = panel.spans[k];
    const double x = left + scale * (panel.begin + span.start), width = scale * (span.end - span.start);
    const auto bar = [&](double y, Index peer) {
      bars[style_of(part, panel.schedule.steps)] << std::fixed << std::setprecision(1) << 'M' << x << ',' << y + 1
                                                 << 'h' << width << 'v' << row_height - 2 << 'h' << -width << 'z';
      if (width > 16) word(peers, x + width / 2, y + row_height - 4, std::to_string(peer));
    };
    if (part.sender < panel.senders) bar(panel.sender_y(part.sender), part.receiver);
    if (part.receiver < panel.receivers) bar(panel.receiver_y(part.receiver), part.sender);
  }
  for (const auto& [style, shapes] : bars) out << "<path " << style << " d='" << shapes.str() << "'/>\n";
  out << "<text class='mid'>" << peers.str() << "</text>\n";
}

void draw_axes(std::ostream& out, const Panel& panel, double scale, double bound) {
  std::ostringstream words;
  for (Index p = 0; p < panel.senders; ++p)
    word(words, left - 4, panel.sender_y(p) + row_height - 4, std::string("S").append(std::to_string(p)));
  for (Index q = 0; q < panel.receivers; ++q)
    word(words, left - 4, panel.receiver_y(q) + row_height - 4, std::string("R").append(std::to_string(q)));
  const double bottom = panel.receiver_y(panel.receivers);
  word(words, left + scale * bound, bottom + 12, std::string("bound: ").append(microseconds(bound)) + " us");
  out << "<path fill='none' stroke='#000' stroke-dasharray='4 3' d='M" << left + scale * bound << ',' << top - 4 << 'V'
      << bottom << "'/>\n<text class='end'>" << words.str() << "</text>\n";
}

std::string title_of(const Panel& panel, double bound) {
  std::ostringstream title;
  title << panel.schedule.title() << ": " << panel.schedule.steps << " steps, end at " << microseconds(panel.end())
        << " us";
  if (bound > 0) title << ", " << std::fixed << std::setprecision(2) << panel.end() / bound << " times the bound";
  if (panel.senders < panel.schedule.senders || panel.receivers < panel.schedule.receivers)
    title << "; the first " << max_rows << " senders and receivers";
  return title.str();
}

}  // namespace

void write_svg(std::ostream& out, const Shown& c, const Bounds& bounds, const std::vector<ListedSchedule>& schedules) {
  const double bound = min_time(bounds, c.network);
  std::vector<Panel> panels;
  double end = bound, height = 26;
  for (const ListedSchedule& schedule : schedules) {
    panels.emplace_back(schedule, c.network, schedule.hop > 1 ? panels.back().end() : 0);
    end = std::max(end, panels.back().end());
    height += panels.back().height();
  }
  const double scale = end > 0 ? full_width / end : 0, width = left + full_width + 10;
  double y = 26;
  out << "<svg xmlns='http://www.w3.org/2000/svg' width='" << width << "' height='" << height << "' viewBox='0 0 "
      << width << ' ' << height << "'>\n"
      << "<style>text{font:10px sans-serif} .title{font:bold 13px sans-serif} .mid{text-anchor:middle} "
         ".end{text-anchor:end}</style>\n<path fill='#fff' d='M0,0h"
      << width << 'v' << height << "H0z'/>\n<text x='8' y='16' class='title'>" << c.title << "</text>\n";
  for (const Panel& panel : panels) {
    out << "<g transform='translate(0," << y << ")'>\n<text x='8' y='15' class='title'>" << title_of(panel, bound)
        << "</text>\n";
    draw_axes(out, panel, scale, bound);
    draw_bars(out, panel, scale);
    out << "</g>\n";
    y += panel.height();
  }
  out << "</svg>\n";
}

}  // namespace xschedule
