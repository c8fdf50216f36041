#include "xschedule/occupation.hpp"

#include <algorithm>

namespace xschedule {
namespace {

std::size_t port_count(const Plan& plan) {
  return static_cast<std::size_t>(plan.half_duplex ? std::max(plan.senders, plan.receivers)
                                                   : plan.senders + plan.receivers);
}
std::size_t out_port(const Piece& piece) { return static_cast<std::size_t>(piece.sender); }
std::size_t in_port(const Plan& plan, const Piece& piece) {
  return static_cast<std::size_t>(plan.half_duplex ? piece.receiver : plan.senders + piece.receiver);
}

}  // namespace

std::vector<Occupation> busiest(const Plan& plan) {
  std::vector<Occupation> steps(static_cast<std::size_t>(plan.steps));
  std::vector<Occupation> ports(port_count(plan));
  std::vector<Index> step_of(ports.size(), -1);  // that the entry in `ports` is about
  const auto add = [&](std::size_t port, const Piece& piece) {
    if (step_of[port] != piece.step) ports[port] = {};
    step_of[port] = piece.step;
    ++ports[port].messages;
    ports[port].elements += piece.elements;
    Occupation& most = steps[static_cast<std::size_t>(piece.step)];
    most = {std::max(most.messages, ports[port].messages), std::max(most.elements, ports[port].elements)};
  };
  for (const Piece& piece : plan.pieces) {
    add(out_port(piece), piece);
    if (in_port(plan, piece) != out_port(piece)) add(in_port(plan, piece), piece);
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

// The pieces come in one order for all, so when one's turn comes both ends have done all before it.
std::vector<Span> timeline(const Plan& plan, const Network& network) {
  std::vector<double> free(port_count(plan), 0);
  std::vector<Span> spans;
  spans.reserve(plan.pieces.size());
  for (const Piece& piece : plan.pieces) {
    double& sender = free[out_port(piece)];
    double& receiver = free[in_port(plan, piece)];
    const double start = std::max(sender, receiver);
    spans.push_back({sender, start, start + network.alpha + network.beta * static_cast<double>(piece.elements)});
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
