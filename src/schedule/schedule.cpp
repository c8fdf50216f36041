// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/schedule.hpp"

#include <algorithm>
#include <utility>

#include "schedule/graph.hpp"
#include "schedule/limits.hpp"

namespace xredist::core {

Traffic reversed(const Traffic& traffic) { return {reversed(traffic.rows), reversed(traffic.cols)}; }

Traffic rows_alone(const Traffic& traffic) { return {traffic.rows, point}; }
Traffic cols_alone(const Traffic& traffic) { return {point, traffic.cols}; }

Parts AxisSchedules::both(const Parts& of_row, const Parts& of_col) const {
  if (of_row.size() == 1 && of_col.size() == 1) {  // most messages
    const Part &x = of_row.front(), &y = of_col.front();
    return Parts(Part{x.step * cols.count + y.step, x.weight * y.weight});
  }
  Parts parts;
  parts.reserve(of_row.size() * of_col.size());
  for (const Part& x : of_row)
    for (const Part& y : of_col) parts.push_back({x.step * cols.count + y.step, x.weight * y.weight});
  return parts;
}

Schedule product(Schedule rows, Schedule cols) {
  const Index count = rows.count * cols.count;
  auto axes = std::make_shared<const AxisSchedules>(AxisSchedules{std::move(rows), std::move(cols)});
  const auto parts = [of = axes](Coord p, Coord q) {
    return of->both(of->of_row(p.row, q.row), of->of_col(p.col, q.col));
  };
  return {count, parts, std::move(axes)};
}

Schedule reversed(Schedule schedule) {
  if (schedule.axes != nullptr) return product(reversed(schedule.axes->rows), reversed(schedule.axes->cols));
  return {schedule.count, [parts = std::move(schedule.parts)](Coord p, Coord q) { return parts(q, p); }};
}

namespace {

// Appends the parts of a message of rows x cols elements. Parts that are too small for an element are left out
// (THEORY.md, T27).
void add_message(const Parts& parts, Coord peer, Index rows, Index cols, std::vector<Message>& messages) {
  Index whole = 0, begin = 0, weight = 0;
  for (const Part& part : parts) whole += part.weight;
  const Index length = std::max(rows, cols);
  for (const Part& part : parts) {
    weight += part.weight;
    // The last part, mostly the only one, needs no division.
    const Index end = weight == whole ? length : static_cast<Index>(Wide{length} * weight / whole);
    if (end > begin)
      messages.push_back(cols >= rows ? Message{part.step, peer, {0, rows}, {begin, end}}
                                      : Message{part.step, peer, {begin, end}, {0, cols}});
    begin = end;
  }
}

}  // namespace

std::vector<Message> sends_of(const Traffic& traffic, const Schedule& schedule, Coord p) {
  const std::vector<Partner> rows = partners(traffic.rows, p.row);
  const std::vector<Partner> cols = partners(traffic.cols, p.col);
  const auto with_peers = [](Index own, const std::vector<Partner>& peers) {
    std::vector<std::pair<Index, Index>> pairs;
    pairs.reserve(peers.size());
    for (const Partner& partner : peers) pairs.push_back({own, partner.peer});
    return pairs;
  };
  std::vector<Message> messages;
  messages.reserve(rows.size() * cols.size());
  for_messages(schedule, with_peers(p.row, rows), with_peers(p.col, cols),
               [&](std::size_t i, std::size_t j, const Parts& parts) {
                 add_message(parts, {rows[i].peer, cols[j].peer}, rows[i].length, cols[j].length, messages);
               });
  std::ranges::stable_sort(messages, {}, &Message::step);
  return messages;
}

std::vector<Message> receives_of(const Traffic& traffic, const Schedule& schedule, Coord q) {
  return sends_of(reversed(traffic), reversed(schedule), q);
}

Schedule optimal_schedule(const Traffic& traffic, const Ranks& ranks) {
  if (!ranks.a.empty() && std::max(axis_edges(traffic.rows), axis_edges(traffic.cols)) <= limits::edges_to_weigh)
    if (auto graph = graph_of(traffic, ranks); !graph->own.empty())
      return schedule_from_colours(graph, colours_of(*graph));
  const bool whole_periods = traffic.rows.n >= period(traffic.rows) && traffic.cols.n >= period(traffic.cols);
  return whole_periods ? periodic_schedule(traffic) : coloured_schedule(traffic);
}

}  // namespace xredist::core
