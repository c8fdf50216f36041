// SPDX-License-Identifier: BSD-3-Clause
#include "json.hpp"

#include <algorithm>
#include <vector>

#include "settings/decimals.hpp"
#include "settings/json_text.hpp"
#include "xredist/version.h"

namespace xredist::trial {
namespace {

using core::Cost, core::Index, core::json_lines, core::json_object, core::member, core::json_text, core::Row,
    core::Shape;

std::string number(Index value) { return std::to_string(value); }
std::string seconds(double value) { return core::with_decimals(value, 9); }

std::string shape_json(const Shape& x) {
  return json_object({member("mb", number(x.mb)), member("nb", number(x.nb)), member("nprow", number(x.nprow)),
                      member("npcol", number(x.npcol))});
}

std::string cost_json(const Cost& cost) {
  return json_object(
      {member("seconds", seconds(cost.seconds)), member("memory", cost.memory < 0 ? "null" : number(cost.memory))});
}

std::vector<std::string> case_members(const core::Case& key) {
  return {member("routine", json_text(key.routine)), member("m", number(key.m)), member("n", number(key.n)),
          member("a", shape_json(key.a)), member("b", shape_json(key.b))};
}

std::string row_json(const Row& row) {
  std::vector<std::string> members = case_members(row.key);
  members.push_back(member("calls", number(row.calls)));
  members.push_back(member("bytes", number(row.bytes)));
  members.push_back(member("different", number(row.different)));
  members.push_back(member("not_tried", number(row.passed_on)));
  if (!only_xredist()) members.push_back(member("own", cost_json(row.own)));
  members.push_back(member("xredist", cost_json(row.xredist)));
  return json_object(members);
}

std::string slow_call_json(const SlowCall& call) {
  std::vector<std::string> members = case_members(call.key);
  members.push_back(member("call", number(call.number)));
  members.push_back(member("begin", seconds(call.begin)));
  if (!only_xredist()) members.push_back(member("own", seconds(call.own)));
  members.push_back(member("xredist", seconds(call.xredist)));
  return json_object(members);
}

std::string layout_json(const LayoutTrial& x) {
  return json_object({member("routine", json_text(x.routine)), member("n", number(x.n)),
                      member("layout", json_text(x.layout)), member("fitted_layout", json_text(x.fitted_layout)),
                      member("calls", number(x.calls)), member("own_seconds", seconds(x.seconds.own)),
                      member("fitted_seconds", seconds(x.seconds.fitted)),
                      member("moving_seconds", seconds(x.seconds.moving()))});
}

// Returns the JSON of all elements of a container.
template <class Container, class Convert>
std::string array_json(const Container& container, Convert convert) {
  std::vector<std::string> values;
  values.reserve(std::size(container));
  for (const auto& one : container) values.push_back(convert(one));
  return json_lines(values);
}

std::string where_json(const Where& where) {
  constexpr std::size_t max_hosts = 16;
  const std::vector<std::string> hosts(
      where.hosts.begin(), where.hosts.begin() + static_cast<std::ptrdiff_t>(std::min(where.hosts.size(), max_hosts)));
  return json_object({member("program", json_text(where.program)), member("date", json_text(where.date)),
                      member("processes", number(where.processes)), member("nodes", number(std::ssize(where.hosts))),
                      member("hosts", array_json(hosts, [](const std::string& host) { return json_text(host); })),
                      member("processor", json_text(where.processor)), member("cores", number(where.cores)),
                      member("mpi", json_text(where.mpi)), member("own_library", json_text(results().own_library)),
                      member("xredist", json_text(xredist_build()))});
}

}  // namespace

std::string json_of(const Gathered& all) {
  return json_object(
      {member("complete", all.complete ? "true" : "false"), member("run_seconds", core::with_decimals(all.seconds, 6)),
       member("rows", array_json(all.rows.all(), row_json)), member("left_out", all.left_out.json()),
       member("where", where_json(all.where)), member("slowest", array_json(all.slowest.all(), slow_call_json)),
       member("layouts", array_json(all.layouts.all(), layout_json)),
       member("solvers_left_out", all.solvers_left_out.json()),
       member("tuned", array_json(all.tuned, [](const std::string& line) { return json_text(line); }))});
}

}  // namespace xredist::trial
