// SPDX-License-Identifier: BSD-3-Clause
#include "page.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "mapping/relabel.hpp"
#include "schedules/listed.hpp"
#include "settings/decimals.hpp"
#include "settings/json_text.hpp"

namespace xschedule {
namespace {

constexpr Index max_parts = 3000;  // of an exchange: a page of 20 algorithms remains below 1 MB
constexpr Index max_blocks = 24;   // of each dimension in the pictures of A and B

std::string whole(Index x) { return std::to_string(x); }
std::string real(double x) { return with_digits(x, 9); }
std::string microseconds_of(double seconds) { return real(1e6 * seconds); }

template <class Values, class Convert>
std::string joined(const Values& values, Convert convert) {
  std::string text;
  for (const auto& value : values) text.append(text.empty() ? "" : ",").append(convert(value));
  return text;
}

template <class Values, class Convert>
std::string list(const Values& values, Convert convert) {
  return std::string("[").append(joined(values, convert)).append("]");
}

// Returns the number of the first senders whose messages the page shows; at least one.
Index shown_senders(const ListedSchedule& schedule) {
  std::vector<Index> count(as_size(schedule.senders), 0);
  for (const ListedPart& part : schedule.parts) ++at(count, part.sender);
  Index sum = 0, senders = 0;
  for (; senders < schedule.senders; ++senders)
    if ((sum += at(count, senders)) > max_parts && senders > 0) break;
  return senders;
}

std::string exchange_json(const ListedSchedule& schedule) {
  const Index senders = shown_senders(schedule);
  std::string parts;
  for (const ListedPart& part : schedule.parts)
    if (part.sender < senders)
      parts.append(parts.empty() ? "" : ",")
          .append(joined(std::array{part.step, part.sender, part.receiver, part.elements}, whole));
  return json_object({member("name", json_text(schedule.title())), member("steps", whole(schedule.steps)),
                      member("senders", whole(schedule.senders)), member("receivers", whole(schedule.receivers)),
                      member("cut", senders < schedule.senders ? whole(senders) : "null"),
                      member("parts", std::string("[").append(parts).append("]"))});
}

// Returns the blocks of an axis as pairs of an end and an owner, up to `max_blocks`.
std::vector<std::pair<Index, Index>> blocks_of(const Axis& axis, Index n) {
  std::vector<std::pair<Index, Index>> blocks;
  for (BlockScan scan(axis, 0);; scan.step()) {
    const Index end = std::min(scan.end(), n);
    if (blocks.empty() || end > blocks.back().first) blocks.emplace_back(end, scan.owner());
    if (end == n || std::ssize(blocks) == max_blocks) return blocks;
  }
}

std::string dimension_json(const Dimension& dimension) {
  auto a = blocks_of(dimension.a, dimension.n), b = blocks_of(dimension.b, dimension.n);
  const Index shown = std::min(a.back().first, b.back().first);
  for (auto* const blocks : {&a, &b}) {
    while (blocks->size() > 1 && (*blocks)[blocks->size() - 2].first >= shown) blocks->pop_back();
    blocks->back().first = shown;
  }
  const auto pair = [](const auto& block) { return list(std::array{block.first, block.second}, whole); };
  return json_object({member("n", whole(dimension.n)), member("shown", whole(shown)), member("a", list(a, pair)),
                      member("b", list(b, pair))});
}

std::string grids_json(const std::vector<Dimension>& dimensions) {
  return json_object({member("a", list(dimensions, [](const Dimension& x) { return whole(x.a.procs); })),
                      member("b", list(dimensions, [](const Dimension& x) { return whole(x.b.procs); }))});
}

// Returns the target grid that keeps the most elements, among the processes of both grids.
std::string stay_json(const Shown& c) {
  const Layout a{c.traffic.rows.a, c.traffic.cols.a}, b{c.traffic.rows.b, c.traffic.cols.b};
  const Index p = a.rows.procs * a.cols.procs, q = b.rows.procs * b.cols.procs;
  Available available{std::vector<int>(as_size(p)), static_cast<int>(std::max(p, q))};
  std::iota(available.at_a.begin(), available.at_a.end(), 0);
  const Relabelling found = relabel(a, b, c.c.m, c.c.n, available);
  return json_object({member("row_major", real(found.retained_row_major)), member("relabelled", real(found.retained)),
                      member("optimal", found.optimal ? "true" : "false"),
                      member("map", list(found.map, [](int x) { return whole(x); }))});
}

}  // namespace

std::string algorithm_json(const Verdict& v, const std::vector<ListedSchedule>& schedules) {
  const std::string name = member("name", json_text(v.name)), note = member("note", json_text(v.note));
  if (!v.defined) return json_object({name, note});
  return json_object({name, note, member("steps", whole(v.steps)), member("S", whole(v.rounds)),
                      member("T", whole(v.total)), member("barriers", microseconds_of(v.barriers)),
                      member("without", microseconds_of(v.predicted)),
                      member("exchanges", list(schedules, exchange_json))});
}

void write_page(std::ostream& out, const Shown& c, const Bounds& bounds, const std::vector<std::string>& algorithms,
                const std::vector<std::string>& first) {
  const std::string bound =
      json_object({member("steps", whole(bounds.steps)), member("elements", whole(bounds.elements)),
                   member("us", microseconds_of(min_time(bounds, c.network)))});
  out << xredist::pages::filled(
      xredist::pages::schedule_template, "xschedule: " + c.title,
      json_object({member("title", json_text(c.title)), member("messages", whole(messages_of(c.traffic))),
                   member("elements", whole(c.c.m * c.c.n)), member("alpha", microseconds_of(c.network.alpha)),
                   member("beta", microseconds_of(c.network.beta)), member("bound", bound),
                   member("grids", grids_json(c.dimensions)), member("dimensions", list(c.dimensions, dimension_json)),
                   member("first", list(first, [](const std::string& name) { return json_text(name); })),
                   member("stay", stay_json(c)), member("algorithms", json_lines(algorithms))}));
}

}  // namespace xschedule
