// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>

#include "schedules/command_line.hpp"
#include "schedules/listed.hpp"

namespace xschedule {
namespace {

using Json = nlohmann::ordered_json;

Index recorded_step(const ListedPart& part) { return part.to_self() ? -1 : part.step; }

Json verdict(const Verdict& v) {
  Json json{{"algorithm", v.name}, {"defined", v.defined}, {"note", v.note}};
  if (v.defined)
    json.update({{"steps", v.steps},
                 {"S", v.rounds},
                 {"T", v.total},
                 {"barriers_us", 1e6 * v.barriers},
                 {"without_us", 1e6 * v.predicted}});
  return json;
}

Json schedule(const ListedSchedule& p) {
  Json messages = Json::array();
  for (const ListedPart& part : p.parts)
    messages.push_back({{"step", recorded_step(part)},
                        {"sender", part.sender},
                        {"receiver", part.receiver},
                        {"elements", part.elements},
                        {"forwarded", part.forwarded}});
  Json json{{"algorithm", p.name}, {"hop", p.hop}, {"steps", p.steps}, {"messages", std::move(messages)}};
  if (p.over_mesh()) json["mesh"] = p.mesh;
  return json;
}

}  // namespace

void write_csv_header(std::ostream& out) { out << "algorithm,hop,step,sender,receiver,elements,forwarded\n"; }

void write_csv(std::ostream& out, const ListedSchedule& p) {
  for (const ListedPart& part : p.parts)
    out << p.name << ',' << p.hop << ',' << recorded_step(part) << ',' << part.sender << ',' << part.receiver << ','
        << part.elements << ',' << part.forwarded << '\n';
}

void write_json(std::ostream& out, const Shown& c, const Bounds& bounds, const std::vector<Verdict>& verdicts,
                const std::vector<ListedSchedule>& schedules) {
  Json json{
      {"case", text_of(c.c)},
      {"title", c.title},
      {"size", {c.traffic.rows.n, c.traffic.cols.n}},
      {"alpha_us", 1e6 * c.network.alpha},
      {"beta_us", 1e6 * c.network.beta},
      {"bounds", {{"steps", bounds.steps}, {"elements", bounds.elements}, {"us", 1e6 * min_time(bounds, c.network)}}},
      {"comparison", Json::array()},
      {"schedules", Json::array()}};
  for (const Verdict& v : verdicts) json["comparison"].push_back(verdict(v));
  for (const ListedSchedule& p : schedules) json["schedules"].push_back(schedule(p));
  out << json.dump(1) << '\n';
}

}  // namespace xschedule
