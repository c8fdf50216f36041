#include <nlohmann/json.hpp>

#include "xschedule/reports.hpp"

namespace xschedule {
namespace {

using Json = nlohmann::ordered_json;

Index recorded_step(const Piece& piece) { return piece.to_self() ? -1 : piece.step; }

Json axis(const Axis& x) {
  return {{"processes", x.procs}, {"block", x.block}, {"source", x.source}, {"first", x.first}};
}

Json layout(const Layout& x) { return {{"rows", axis(x.rows)}, {"cols", axis(x.cols)}}; }

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

Json plan(const Plan& p) {
  Json messages = Json::array();
  for (const Piece& piece : p.pieces)
    messages.push_back({{"step", recorded_step(piece)},
                        {"sender", piece.sender},
                        {"receiver", piece.receiver},
                        {"elements", piece.elements}});
  return {{"algorithm", p.name}, {"steps", p.steps}, {"messages", std::move(messages)}};
}

}  // namespace

void write_csv_header(std::ostream& out) { out << "algorithm,step,sender,receiver,elements\n"; }

void write_csv(std::ostream& out, const Plan& p) {
  for (const Piece& piece : p.pieces)
    out << p.name << ',' << recorded_step(piece) << ',' << piece.sender << ',' << piece.receiver << ','
        << piece.elements << '\n';
}

void write_json(std::ostream& out, const Shown& c, const Bounds& bounds, const std::vector<Verdict>& verdicts,
                const std::vector<Plan>& plans) {
  Json json{
      {"size", {c.traffic.rows.n, c.traffic.cols.n}},
      {"from", layout(layout_of(c.c.a))},
      {"to", layout(layout_of(c.c.b))},
      {"alpha_us", 1e6 * c.network.alpha},
      {"beta_us", 1e6 * c.network.beta},
      {"bounds", {{"steps", bounds.steps}, {"elements", bounds.elements}, {"us", 1e6 * least_time(bounds, c.network)}}},
      {"comparison", Json::array()},
      {"schedules", Json::array()}};
  for (const Verdict& v : verdicts) json["comparison"].push_back(verdict(v));
  for (const Plan& p : plans) json["schedules"].push_back(plan(p));
  out << json.dump(1) << '\n';
}

}  // namespace xschedule
