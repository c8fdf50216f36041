// SPDX-License-Identifier: BSD-3-Clause
#include "xschedule/shown.hpp"

#include <algorithm>
#include <stdexcept>

namespace xschedule {
namespace {

constexpr Index most_elements = Index{1} << 62;
constexpr Index most_messages = Index{1} << 22;  // a schedule keeps them all: 128 MB
constexpr double most_walk = 1 << 28;            // blocks, which take about a second for each algorithm

Index whole_period(const Axis& a, const Axis& b, const char* axis) {
  if (const auto length = cases::period_of(a, b)) return *length;
  throw std::invalid_argument(std::string("--size: needed, for a period of the ") + axis + " exceeds 2^62 elements");
}

// How many blocks are walked to list the messages of all processes of an axis.
double walk_of(const Overlap& o) {
  const auto length = static_cast<double>(std::min(o.n, period(o)));
  return length / static_cast<double>(o.a.block) + length / static_cast<double>(o.b.block) +
         static_cast<double>(o.a.procs) * static_cast<double>(o.b.procs);
}

Index messages_along(const Overlap& o) {
  Index count = 0;
  for (Index p = 0; p < o.a.procs; ++p) count += static_cast<Index>(partners(o, p).size());
  return count;
}

// sends_of() walks both axes for every sender.
void check_work(const Traffic& t) {
  const double processes = static_cast<double>(std::max(t.cols.a.procs, t.cols.b.procs)) * walk_of(t.rows) +
                           static_cast<double>(std::max(t.rows.a.procs, t.rows.b.procs)) * walk_of(t.cols);
  if (processes > most_walk)
    throw std::invalid_argument("grids, block sizes, --size: too many processes or blocks in a period to list");
  if (const Index count = messages_of(t); count > most_messages)
    throw std::invalid_argument("grids: " + std::to_string(count) + " messages, more than the " +
                                std::to_string(most_messages) + " that can be listed");
}

std::string described(const Layout& x) {
  const auto pair = [](Index i, Index j, const char* joint) { return std::to_string(i) + joint + std::to_string(j); };
  std::string text =
      pair(x.rows.procs, x.cols.procs, "x") + " processes, blocks " + pair(x.rows.block, x.cols.block, "x");
  if (x.rows.first > 0 || x.cols.first > 0) text += ", from element (" + pair(x.rows.first, x.cols.first, ",") + ")";
  if (x.rows.source > 0 || x.cols.source > 0) text += ", source (" + pair(x.rows.source, x.cols.source, ",") + ")";
  return text;
}

std::string described(const Axis& x) {
  const std::string first = x.first > 0 ? ", from element " + std::to_string(x.first) : "";
  return "CYCLIC(" + std::to_string(x.block) + ") on " + std::to_string(x.procs) + " processes" + first;
}

std::string title_of(const cases::Case& c) {
  const Layout a = layout_of(c.a), b = layout_of(c.b);
  const std::string rows = std::to_string(c.m);
  if (a.cols == b.cols && a.cols == Axis{1, 1, 0, 0} && c.n == 1)
    return described(a.rows) + " -> " + described(b.rows) + ", " + rows + " elements";
  return described(a) + " -> " + described(b) + ", " + rows + "x" + std::to_string(c.n) + " elements";
}

}  // namespace

cases::Matrix line(int procs, Index block) { return {.nprow = procs, .mb = block}; }

Index messages_of(const Traffic& traffic) { return messages_along(traffic.rows) * messages_along(traffic.cols); }

Shown shown(cases::Case c, const Network& network) {
  const Layout a = layout_of(c.a), b = layout_of(c.b);
  if (c.m == 0) c.m = whole_period(a.rows, b.rows, "rows");
  if (c.n == 0) c.n = whole_period(a.cols, b.cols, "columns");
  if (c.m > most_elements / c.n) throw std::invalid_argument("--size: more than 2^62 elements");
  const Traffic traffic = traffic_of(c);
  check_work(traffic);
  return {title_of(c), c, traffic, network};
}

}  // namespace xschedule
