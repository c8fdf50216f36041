// SPDX-License-Identifier: BSD-3-Clause
#include "xschedule/occupation.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace xschedule {
namespace {

std::size_t port_count(const ListedSchedule& schedule) {
  return static_cast<std::size_t>(schedule.half_duplex ? std::max(schedule.senders, schedule.receivers)
                                                       : schedule.senders + schedule.receivers);
}
std::size_t out_port(const ListedPart& part) { return static_cast<std::size_t>(part.sender); }
std::size_t in_port(const ListedSchedule& schedule, const ListedPart& part) {
  return static_cast<std::size_t>(schedule.half_duplex ? part.receiver : schedule.senders + part.receiver);
}

}  // namespace

std::vector<Occupation> busiest(const ListedSchedule& schedule) {
  std::vector<Occupation> steps(static_cast<std::size_t>(schedule.steps));
  std::vector<Occupation> ports(port_count(schedule));
  std::vector<Index> step_of(ports.size(), -1);  // to which the entry in `ports` belongs
  const auto add = [&](std::size_t port, const ListedPart& part) {
    if (step_of[port] != part.step) ports[port] = {};
    step_of[port] = part.step;
    ++ports[port].messages;
    ports[port].elements += part.elements;
    Occupation& most = steps[static_cast<std::size_t>(part.step)];
    most = {std::max(most.messages, ports[port].messages), std::max(most.elements, ports[port].elements)};
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

std::vector<bool> collisions(const ListedSchedule& schedule) {
  std::map<std::pair<Index, Index>, Index> sends, receives;  // (step, process)
  for (const ListedPart& x : schedule.parts) {
    ++sends[{x.step, x.sender}];
    ++receives[{x.step, x.receiver}];
  }
  std::vector<bool> collide;
  for (const ListedPart& x : schedule.parts)
    collide.push_back(sends[{x.step, x.sender}] > 1 || receives[{x.step, x.receiver}] > 1);
  return collide;
}

// All parts are in one order, so when the turn of a part comes, both its ends have finished all that comes before it.
std::vector<Span> timeline(const ListedSchedule& schedule, const Network& network) {
  std::vector<double> free(port_count(schedule), 0);
  std::vector<Span> spans;
  spans.reserve(schedule.parts.size());
  for (const ListedPart& part : schedule.parts) {
    double& sender = free[out_port(part)];
    double& receiver = free[in_port(schedule, part)];
    const double start = std::max(sender, receiver);
    spans.push_back({sender, start, start + network.alpha + network.beta * static_cast<double>(part.elements)});
    sender = receiver = spans.back().end;
  }
  return spans;
}

double end_of(const std::vector<Span>& spans) {
  double end = 0;
  for (const Span& span : spans) end = std::max(end, span.end);
  return end;
}

}  // namespace xschedule
