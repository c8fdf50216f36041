// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/listed.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "layout/partition.hpp"
#include "papers/papers.hpp"
#include "papers/walker_otto.hpp"

namespace xschedule {
namespace {

constexpr Index max_elements = Index{1} << 62;
constexpr Index max_messages = Index{1} << 22;  // messages of a listed schedule, which take 128 MB
constexpr double max_walk = 1 << 28;            // blocks that are visited, about a second for each algorithm

// Returns the number of elements from the first copied one to the end of the partition.
Index room(const Axis& x) { return is_cyclic(x) ? max_elements : x.partition()->extent() - x.first; }

Index default_length(const Axis& a, const Axis& b, const char* axis) {
  if (!is_cyclic(a) || !is_cyclic(b)) return std::min(room(a), room(b));
  if (const auto length = cases::period_of(a, b)) return *length;
  throw std::invalid_argument(std::string("--size: required, because a period of the ") + axis +
                              " exceeds 2^62 elements");
}

void check_room(const Axis& a, const Axis& b, Index n, const char* axis) {
  const Index max = std::min(room(a), room(b));
  const std::string intervals = std::string("the intervals of the ") + axis;
  if (max < 1) throw std::invalid_argument("--offsets, --at: " + intervals + " end before the first element copied");
  if (n > max) throw std::invalid_argument("--size: " + intervals + " have room for " + std::to_string(max));
}

// Returns a bound on the number of blocks that are visited to list the messages of all processes of an axis.
double walk_of(const Overlap& o) {
  const Index length = std::min(o.n, period(o));
  return static_cast<double>(max_blocks(o.a, length)) + static_cast<double>(max_blocks(o.b, length)) +
         static_cast<double>(o.a.procs) * static_cast<double>(o.b.procs);
}

Index messages_along(const Overlap& o) {
  Index count = 0;
  for (Index p = 0; p < o.a.procs; ++p) count += static_cast<Index>(partners(o, p).size());
  return count;
}

// Throws if listing would take too long: sends_of() walks both axes for every sender.
void check_work(const Traffic& t) {
  const double processes = static_cast<double>(std::max(t.cols.a.procs, t.cols.b.procs)) * walk_of(t.rows) +
                           static_cast<double>(std::max(t.rows.a.procs, t.rows.b.procs)) * walk_of(t.cols);
  if (processes > max_walk)
    throw std::invalid_argument("grids, block sizes, --size: too many processes or blocks in a period to list");
  if (const Index count = messages_of(t); count > max_messages)
    throw std::invalid_argument("grids: " + std::to_string(count) + " messages, more than the " +
                                std::to_string(max_messages) + " that can be listed");
}

// Returns grid and blocks, and the first element and process where they are not 0.
std::string side_text(const cases::Matrix& x) {
  const auto pair = [](const char* what, Index i, Index j) {
    return i > 0 || j > 0 ? what + std::to_string(i) + "," + std::to_string(j) + ")" : std::string();
  };
  return grid_text(x) + " processes, blocks " + block_text(x) + pair(", from element (", x.i - 1, x.j - 1) +
         pair(", source (", x.rows ? 0 : x.rsrc, x.cols ? 0 : x.csrc);
}

}  // namespace

Index messages_of(const Traffic& traffic) { return messages_along(traffic.rows) * messages_along(traffic.cols); }

Shown shown(cases::Case c, const Network& network, int per_node, const std::string& route) {
  const Layout a = layout_of(c.a), b = layout_of(c.b);
  if (c.m == 0) c.m = default_length(a.rows, b.rows, "rows");
  if (c.n == 0) c.n = default_length(a.cols, b.cols, "columns");
  check_room(a.rows, b.rows, c.m, "rows");
  check_room(a.cols, b.cols, c.n, "columns");
  if (c.m > max_elements / c.n) throw std::invalid_argument("--size: more than 2^62 elements");
  const Traffic traffic = traffic_of(c);
  check_work(traffic);
  const std::string title =
      side_text(c.a) + " -> " + side_text(c.b) + ", " + std::to_string(c.m) + "x" + std::to_string(c.n) + " elements";
  return {title, c, traffic, network, per_node, route, {{a.rows, b.rows, c.m}, {a.cols, b.cols, c.n}}};
}

ListedSchedule listed_schedule(const std::string& name, const Traffic& t, const Schedule& schedule) {
  const Index a_cols = t.cols.a.procs, b_cols = t.cols.b.procs;
  ListedSchedule listed{.name = name,
                        .half_duplex = name == "reference",
                        .senders = t.rows.a.procs * a_cols,
                        .receivers = t.rows.b.procs * b_cols,
                        .steps = schedule.count,
                        .parts = {}};
  for (Index p = 0; p < listed.senders; ++p)
    for (const Message& message : sends_of(t, schedule, {p / a_cols, p % a_cols}))
      listed.parts.push_back({message.step, p, message.peer.row * b_cols + message.peer.col, message.elements()});
  std::ranges::sort(listed.parts, {}, [](const ListedPart& x) { return std::tuple(x.step, x.sender, x.receiver); });
  return listed;
}

std::vector<Algorithm> choices(std::string_view route) {
  std::vector<Algorithm> all(algorithms().begin(), algorithms().end());
  all.insert(all.end(), papers::schedules().begin(), papers::schedules().end());
  for (const std::string_view several : {papers::passes_name, route})
    all.push_back({several, [](const Traffic&, const Network&, const Ranks&) { return std::optional<Schedule>(); }});
  return all;
}

namespace {

std::vector<ListedSchedule> passes_of(const Shown& c) {
  std::vector<ListedSchedule> all;
  for (const cases::Case& pass : papers::passes(c.c)) {
    const Traffic traffic = traffic_of(pass);
    ListedSchedule& listed = all.emplace_back(
        listed_schedule(std::string(papers::passes_name), traffic, papers::walker_otto(traffic).value()));
    listed.is_pass = true;
    listed.hop = static_cast<int>(all.size());
  }
  return all;
}

}  // namespace

std::vector<ListedSchedule> schedules_of(const Algorithm& algorithm, const Shown& c) {
  if (algorithm.name == c.route) return hops_of(c.route, c);
  if (algorithm.name == papers::passes_name) return passes_of(c);
  if (const auto schedule = algorithm.make(c.traffic, c.network, {}))
    return {listed_schedule(std::string(algorithm.name), c.traffic, *schedule)};
  return {};
}

std::string why_undefined(const Algorithm& algorithm, const Shown& c) {
  const std::string_view why = algorithm.name == c.route ? "the mesh is one row or one column, or too large to list"
                               : algorithm.name == papers::passes_name
                                   ? papers::why_no_passes(c.traffic)
                                   : papers::why_undefined(algorithm.name, c.traffic);
  return "not defined: " + std::string(why);
}

}  // namespace xschedule
