#include <algorithm>

#include "xschedule/columns.hpp"
#include "xschedule/occupation.hpp"
#include "xschedule/reports.hpp"

namespace xschedule {
namespace {

constexpr Index most_senders = 64, most_receivers = 32;
constexpr std::size_t steps_in_line = 24, most_steps = 10 * steps_in_line, most_parts = 3;

// The pieces between each shown sender and receiver, and everybody's numbers of messages.
struct Grid {
  Index senders, receivers;
  std::vector<std::vector<Piece>> cells;
  std::vector<Index> sent, received;

  explicit Grid(const Plan& plan)
      : senders(std::min(plan.senders, most_senders)),
        receivers(std::min(plan.receivers, most_receivers)),
        cells(static_cast<std::size_t>(senders * receivers)),
        sent(static_cast<std::size_t>(plan.senders), 0),
        received(static_cast<std::size_t>(plan.receivers), 0) {
    std::vector<Index> pairs;
    for (const Piece& piece : plan.pieces) {
      pairs.push_back(piece.sender * plan.receivers + piece.receiver);
      if (piece.sender < senders && piece.receiver < receivers)
        cells[static_cast<std::size_t>(piece.sender * receivers + piece.receiver)].push_back(piece);
    }
    std::ranges::sort(pairs);
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    for (const Index pair : pairs) {
      ++sent[static_cast<std::size_t>(pair / plan.receivers)];
      ++received[static_cast<std::size_t>(pair % plan.receivers)];
    }
  }
};

std::string parts_of(const std::vector<Piece>& pieces) {
  std::string text;
  if (pieces.size() > most_parts) {
    Index elements = 0;
    for (const Piece& piece : pieces) elements += piece.elements;
    return text.append(std::to_string(elements)).append("/").append(std::to_string(pieces.size()));
  }
  for (const Piece& piece : pieces)
    text.append(text.empty() ? "" : "+").append(std::to_string(piece.elements)).append(letters(piece.step));
  return text;
}

std::string cell(const std::vector<Piece>& pieces) {
  if (pieces.empty()) return ".";
  if (!pieces[0].to_self()) return parts_of(pieces);
  return std::string("[").append(parts_of(pieces)).append("]");
}

}  // namespace

void print_grid(std::ostream& out, const Plan& plan) {
  const Grid grid(plan);
  out << "Communication grid, " << plan.name << ": elements and step of each message; [] to oneself\n";
  if (std::ranges::any_of(grid.cells, [](const auto& pieces) { return pieces.size() > most_parts; }))
    out << "(n/k: n elements in k parts; --csv FILE writes every part)\n";
  std::vector<Row> rows{{"S/R"}};
  for (Index q = 0; q < grid.receivers; ++q) rows[0].push_back(std::to_string(q));
  rows[0].push_back("N.M.");
  for (Index p = 0; p < grid.senders; ++p) {
    rows.push_back({std::to_string(p)});
    for (Index q = 0; q < grid.receivers; ++q)
      rows.back().push_back(cell(grid.cells[static_cast<std::size_t>(p * grid.receivers + q)]));
    rows.back().push_back(std::to_string(grid.sent[static_cast<std::size_t>(p)]));
  }
  rows.push_back({"N.M."});
  for (Index q = 0; q < grid.receivers; ++q)
    rows.back().push_back(std::to_string(grid.received[static_cast<std::size_t>(q)]));
  print_columns(out, rows);
  if (grid.senders < plan.senders || grid.receivers < plan.receivers)
    out << "Shown: " << grid.senders << " of " << plan.senders << " senders, " << grid.receivers << " of "
        << plan.receivers << " receivers; --csv FILE writes all messages\n";
  out << '\n';
}

void print_costs(std::ostream& out, const Plan& plan) {
  const std::vector<Occupation> steps = busiest(plan);
  const std::size_t shown = std::min(steps.size(), most_steps);
  out << "Cost of each step, " << plan.name << ": "
      << (proper(steps) ? "elements of its longest message\n"
                        : "most elements that one process sends or receives in it\n");
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

}  // namespace xschedule
