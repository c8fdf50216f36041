#include "schedule/schedule.hpp"

#include <algorithm>
#include <utility>

namespace xredist {

Traffic reversed(const Traffic& traffic) {
  return {reversed(traffic.rows), reversed(traffic.cols)};
}

Schedule reversed(Schedule schedule) {
  return {schedule.count, [step = std::move(schedule.step)](Coord p, Coord q) { return step(q, p); }};
}

std::vector<Message> sends_of(const Traffic& traffic, const Schedule& schedule, Coord p) {
  const std::vector<Share> rows = shares(traffic.rows, p.row);
  const std::vector<Share> cols = shares(traffic.cols, p.col);
  std::vector<Message> messages;
  messages.reserve(rows.size() * cols.size());
  for (const Share& row : rows)
    for (const Share& col : cols) {
      const Coord q{row.peer, col.peer};
      messages.push_back({schedule.step(p, q), q, row.length, col.length});
    }
  std::ranges::sort(messages, {}, &Message::step);
  return messages;
}

std::vector<Message> receives_of(const Traffic& traffic, const Schedule& schedule, Coord q) {
  return sends_of(reversed(traffic), reversed(schedule), q);
}

Schedule optimal_schedule(const Traffic& traffic) {
  const bool whole_periods =
      traffic.rows.n >= period(traffic.rows) && traffic.cols.n >= period(traffic.cols);
  return whole_periods ? periodic_schedule(traffic) : existing_schedule(traffic);
}

}  // namespace xredist
