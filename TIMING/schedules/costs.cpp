// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdio>

#include "schedules/listed.hpp"

namespace xschedule {
namespace {

std::size_t port_count(const ListedSchedule& schedule) {
  return as_size(schedule.half_duplex ? std::max(schedule.senders, schedule.receivers)
                                      : schedule.senders + schedule.receivers);
}
std::size_t out_port(const ListedPart& part) { return as_size(part.sender); }
std::size_t in_port(const ListedSchedule& schedule, const ListedPart& part) {
  return as_size(schedule.half_duplex ? part.receiver : schedule.senders + part.receiver);
}

}  // namespace

std::vector<Occupation> busiest(const ListedSchedule& schedule) {
  std::vector<Occupation> steps(as_size(schedule.steps));
  std::vector<Occupation> ports(port_count(schedule));
  std::vector<Index> step_of(ports.size(), -1);  // of the entry in `ports`
  const auto add = [&](std::size_t port, const ListedPart& part) {
    if (step_of[port] != part.step) ports[port] = {};
    step_of[port] = part.step;
    ++ports[port].messages;
    ports[port].elements += part.elements;
    Occupation& max = at(steps, part.step);
    max = {std::max(max.messages, ports[port].messages), std::max(max.elements, ports[port].elements)};
  };
  for (const ListedPart& part : schedule.parts) {
    add(out_port(part), part);
    if (in_port(schedule, part) != out_port(part)) add(in_port(schedule, part), part);
  }
  return steps;
}

Occupation total(const std::vector<Occupation>& steps) {
  Occupation sum;
  for (const Occupation& step : steps) {
    sum.messages += step.messages;
    sum.elements += step.elements;
  }
  return sum;
}

bool proper(const std::vector<Occupation>& steps) {
  return std::ranges::all_of(steps, [](const Occupation& step) { return step.messages <= 1; });
}

// All ports take parts in one order, so one pass over the parts finds both ends of a part ready.
std::vector<Span> timeline(const ListedSchedule& schedule, const Network& network) {
  std::vector<double> free(port_count(schedule), 0);
  std::vector<Span> spans;
  spans.reserve(schedule.parts.size());
  for (const ListedPart& part : schedule.parts) {
    double& sender = free[out_port(part)];
    double& receiver = free[in_port(schedule, part)];
    const double start = std::max(sender, receiver);
    spans.push_back({start, start + network.alpha + network.beta * static_cast<double>(part.elements)});
    sender = receiver = spans.back().end;
  }
  return spans;
}

double end_of(const std::vector<Span>& spans) {
  double end = 0;
  for (const Span& span : spans) end = std::max(end, span.end);
  return end;
}

namespace {

std::string ratio(double time, double min) {
  if (min <= 0) return "-";
  char text[400];
  std::snprintf(text, sizeof text, "%.2f", time / min);
  return text;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

}  // namespace

Occupation busiest_of(ListedSchedule schedule) {
  for (ListedPart& part : schedule.parts) part.step = 0;
  schedule.steps = 1;
  return busiest(schedule).front();
}

Bounds bounds_of(const Traffic& traffic) {
  const Occupation max = busiest_of(listed_schedule("", traffic, rank_schedule(traffic)));
  return {max.messages, max.elements};
}

double min_time(const Bounds& bounds, const Network& network) {
  return network.alpha * static_cast<double>(bounds.steps) + network.beta * static_cast<double>(bounds.elements);
}

Verdict verdict_on(const Algorithm& algorithm, const std::vector<ListedSchedule>& schedules, const Shown& c) {
  const Network& network = c.network;
  Verdict v{.name = std::string(algorithm.name), .defined = !schedules.empty()};
  if (!v.defined) v.note = why_undefined(algorithm, c);
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
  if (v.defined && schedules[0].over_mesh()) v.note = described_hops(schedules);
  if (v.defined && schedules[0].is_pass) v.note = described_passes(schedules);
  v.barriers = network.alpha * static_cast<double>(v.rounds) + network.beta * static_cast<double>(v.total);
  return v;
}

void print_comparison(std::ostream& out, const std::vector<Verdict>& verdicts, const Bounds& bounds,
                      const Network& network) {
  const double min = min_time(bounds, network);
  out << "Comparison: alpha " << number(1e6 * network.alpha) << " us for a message, beta " << number(1e6 * network.beta)
      << " us for an element\n"
      << "S, T: maximum messages and elements of a process in a step, summed over the steps. Ratios: to the bound.\n";
  std::vector<Row> rows{{"algorithm", "steps", "S", "T", "barriers us", "ratio", "without us", "ratio", ""}};
  for (const Verdict& v : verdicts) {
    if (v.defined)
      rows.push_back({v.name, std::to_string(v.steps), std::to_string(v.rounds), std::to_string(v.total),
                      microseconds(v.barriers), ratio(v.barriers, min), microseconds(v.predicted),
                      ratio(v.predicted, min), v.note});
    else
      rows.push_back({v.name, "-", "-", "-", "-", "-", "-", "-", v.note});
  }
  rows.push_back({"lower bound", std::to_string(bounds.steps), std::to_string(bounds.steps),
                  std::to_string(bounds.elements), microseconds(min), "1.00", microseconds(min), "1.00",
                  "Delta, T*, alpha Delta + beta T*"});
  print_columns(out, rows, true);
}

}  // namespace xschedule
