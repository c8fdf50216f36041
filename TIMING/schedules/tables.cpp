// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdio>

#include "schedules/listed.hpp"

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

namespace {

constexpr Index max_senders = 64, max_receivers = 32;
constexpr std::size_t steps_in_line = 24, max_steps = 10 * steps_in_line, max_listed = 3;

// The parts between each shown sender and receiver, and the number of messages of every process.
struct Grid {
  Index senders, receivers;
  std::vector<std::vector<ListedPart>> cells;
  std::vector<Index> sent, received;

  explicit Grid(const ListedSchedule& schedule)
      : senders(std::min(schedule.senders, max_senders)),
        receivers(std::min(schedule.receivers, max_receivers)),
        cells(as_size(senders * receivers)),
        sent(as_size(schedule.senders), 0),
        received(as_size(schedule.receivers), 0) {
    std::vector<Index> pairs;
    for (const ListedPart& part : schedule.parts) {
      pairs.push_back(part.sender * schedule.receivers + part.receiver);
      if (part.sender < senders && part.receiver < receivers)
        at(cells, part.sender * receivers + part.receiver).push_back(part);
    }
    std::ranges::sort(pairs);
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    for (const Index pair : pairs) {
      ++at(sent, pair / schedule.receivers);
      ++at(received, pair % schedule.receivers);
    }
  }
};

std::string parts_of(const std::vector<ListedPart>& parts) {
  std::string text;
  if (parts.size() > max_listed) {
    Index elements = 0;
    for (const ListedPart& part : parts) elements += part.elements;
    return text.append(std::to_string(elements)).append("/").append(std::to_string(parts.size()));
  }
  for (const ListedPart& part : parts)
    text.append(text.empty() ? "" : "+").append(std::to_string(part.elements)).append(letters(part.step));
  return text;
}

std::string cell(const std::vector<ListedPart>& parts) {
  if (parts.empty()) return ".";
  if (!parts[0].to_self()) return parts_of(parts);
  return std::string("[").append(parts_of(parts)).append("]");
}

}  // namespace

void print_grid(std::ostream& out, const ListedSchedule& schedule) {
  const Grid grid(schedule);
  out << "Communication grid, " << schedule.title() << ": elements and step of each message; [] to oneself\n";
  if (std::ranges::any_of(grid.cells, [](const auto& parts) { return parts.size() > max_listed; }))
    out << "(n/k: n elements in k parts; --csv FILE writes every part)\n";
  std::vector<Row> rows{{"S/R"}};
  for (Index q = 0; q < grid.receivers; ++q) rows[0].push_back(std::to_string(q));
  rows[0].push_back("N.M.");
  for (Index p = 0; p < grid.senders; ++p) {
    rows.push_back({std::to_string(p)});
    for (Index q = 0; q < grid.receivers; ++q) rows.back().push_back(cell(at(grid.cells, p * grid.receivers + q)));
    rows.back().push_back(std::to_string(at(grid.sent, p)));
  }
  rows.push_back({"N.M."});
  for (Index q = 0; q < grid.receivers; ++q) rows.back().push_back(std::to_string(at(grid.received, q)));
  print_columns(out, rows);
  if (grid.senders < schedule.senders || grid.receivers < schedule.receivers)
    out << "Shown: " << grid.senders << " of " << schedule.senders << " senders, " << grid.receivers << " of "
        << schedule.receivers << " receivers; --csv FILE writes all messages\n";
  out << '\n';
}

void print_costs(std::ostream& out, const ListedSchedule& schedule) {
  const std::vector<Occupation> steps = busiest(schedule);
  const std::size_t shown = std::min(steps.size(), max_steps);
  out << "Cost of each step, " << schedule.title() << ": "
      << (proper(steps) ? "elements of its longest message\n"
                        : "maximum elements that one process sends or receives\n");
  for (std::size_t begin = 0; begin < shown; begin += steps_in_line) {
    std::vector<Row> rows{{"Step"}, {"Cost"}};
    for (std::size_t k = begin; k < std::min(begin + steps_in_line, shown); ++k) {
      rows[0].push_back(letters(static_cast<Index>(k)));
      rows[1].push_back(std::to_string(steps[k].elements));
    }
    print_columns(out, rows);
  }
  if (shown < steps.size())
    out << "Shown: " << shown << " of " << steps.size() << " steps; --csv FILE writes all messages\n";
  out << "Total " << total(steps).elements << "\n\n";
}

void write_csv_header(std::ostream& out) { out << "algorithm,hop,step,sender,receiver,elements,forwarded\n"; }

void write_csv(std::ostream& out, const ListedSchedule& schedule) {
  for (const ListedPart& part : schedule.parts)
    out << schedule.name << ',' << schedule.hop << ',' << part.step << ',' << part.sender << ',' << part.receiver << ','
        << part.elements << ',' << part.forwarded << '\n';
}

}  // namespace xschedule
