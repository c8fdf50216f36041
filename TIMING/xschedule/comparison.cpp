// SPDX-License-Identifier: BSD-3-Clause
#include "xschedule/comparison.hpp"

#include <cstdio>

#include "xschedule/columns.hpp"
#include "xschedule/occupation.hpp"
#include "xschedule/two_hops.hpp"

namespace xschedule {
namespace {

std::string ratio(double time, double least) {
  if (least <= 0) return "-";
  char text[400];
  std::snprintf(text, sizeof text, "%.2f", time / least);
  return text;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

}  // namespace

double least_time(const Bounds& bounds, const Network& network) {
  return network.alpha * static_cast<double>(bounds.steps) + network.beta * static_cast<double>(bounds.elements);
}

Verdict verdict_on(const Algorithm& algorithm, const std::vector<ListedSchedule>& schedules, const Network& network) {
  Verdict v{.name = std::string(algorithm.name), .defined = !schedules.empty()};
  if (!v.defined) v.note = why_undefined(algorithm);
  for (const ListedSchedule& schedule : schedules) {
    const std::vector<Occupation> steps = busiest(schedule);
    const Occupation sum = total(steps);
    v.steps += schedule.steps;
    v.rounds += sum.messages;
    v.total += sum.elements;
    v.predicted += end_of(timeline(schedule, network));
    if (!proper(steps)) v.note = "not proper: two messages at one process in a step";
    if (schedule.half_duplex) v.note = "half duplex: sends or receives";
  }
  if (v.defined && schedules[0].in_two_hops())
    v.note = described_hops(schedules);
  else if (schedules.size() > 1)
    v.note = std::to_string(schedules.size()) + " passes over the data, one after the other";
  v.barriers = network.alpha * static_cast<double>(v.rounds) + network.beta * static_cast<double>(v.total);
  return v;
}

void print_comparison(std::ostream& out, const std::vector<Verdict>& verdicts, const Bounds& bounds,
                      const Network& network) {
  const double least = least_time(bounds, network);
  out << "Comparison: alpha " << number(1e6 * network.alpha) << " us for a message, beta " << number(1e6 * network.beta)
      << " us for an element\n"
      << "S, T: most messages, most elements at one process in each step, summed. Ratios: to the bound.\n";
  std::vector<Row> rows{{"algorithm", "steps", "S", "T", "barriers us", "ratio", "without us", "ratio", ""}};
  for (const Verdict& v : verdicts) {
    if (v.defined)
      rows.push_back({v.name, std::to_string(v.steps), std::to_string(v.rounds), std::to_string(v.total),
                      microseconds(v.barriers), ratio(v.barriers, least), microseconds(v.predicted),
                      ratio(v.predicted, least), v.note});
    else
      rows.push_back({v.name, "-", "-", "-", "-", "-", "-", "-", v.note});
  }
  rows.push_back({"lower bound", std::to_string(bounds.steps), std::to_string(bounds.steps),
                  std::to_string(bounds.elements), microseconds(least), "1.00", microseconds(least), "1.00",
                  "Delta, T*, alpha Delta + beta T*"});
  print_columns(out, rows, true);
}

}  // namespace xschedule
