// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <ctime>

#include "drivers/reports.hpp"
#include "drivers/times.hpp"

namespace drivers {
namespace {

std::optional<double> ratio(double seconds, const std::vector<double>& reference) {
  if (reference.empty()) return std::nullopt;
  const double median = summary_of(reference).median;
  return median > 0 ? std::optional(seconds / median) : std::nullopt;
}

template <class Value>
Json value(const std::optional<Value>& x) {
  return x ? Json(*x) : Json();
}

std::string now() {
  const std::time_t time = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&time));
  return text;
}

Json object(const Entries& entries) {
  Json json = Json::object();
  for (const auto& [name, value] : entries) json[name] = value;
  return json;
}

Json matrix(const Matrix& x) {
  Json json{{"M", x.M},         {"N", x.N},         {"rsrc", x.rsrc}, {"csrc", x.csrc}, {"i", x.i},        {"j", x.j},
            {"nprow", x.nprow}, {"npcol", x.npcol}, {"mb", x.mb},     {"nb", x.nb},     {"first", x.first}};
  const auto put_intervals = [&](const char* name, const std::optional<Partition>& intervals) {
    if (intervals) json[name] = {{"cuts", intervals->cuts}, {"owners", intervals->owners}};
  };
  put_intervals("rows", x.rows);  // mb and rsrc have no meaning then
  put_intervals("cols", x.cols);
  return json;
}

Json json_of(const Verdict& verdict) {
  Json results = Json::array();
  for (const Outcome& x : verdict.times.outcomes) {
    results.push_back(row_of(verdict, x));
    results.back().update({{"wrong_elements", x.wrong.count}, {"seconds", x.seconds}});
  }
  return {{"case", verdict.number},
          {"a", matrix(verdict.shown.a)},
          {"b", matrix(verdict.shown.b)},
          {"memcpy_seconds", verdict.times.memory_copy},
          {"results", results}};
}

}  // namespace

Json case_row(int number, const Case& c) {
  return {{"case", number},
          {"part", part_text(c)},
          {"m", c.m},
          {"n", c.n},
          {"grid_a", grid_text(c.a)},
          {"grid_b", grid_text(c.b)},
          {"block_a", block_text(c.a)},
          {"block_b", block_text(c.b)}};
}

Json row_of(const Verdict& verdict, const Outcome& x) {
  Json row = case_row(verdict.number, verdict.shown);
  row.update({{"algorithm", x.name},
              {"route", x.route.empty() ? Json() : Json(x.route)},
              {"steps", value(x.steps)},
              {"messages", value(verdict.messages)},
              {"bytes", verdict.bytes},
              {"rounds", x.seconds.size()}});
  const char* const measured[] = {"min_s",        "median_s",  "low_s",    "high_s",     "gb_per_s",
                                  "to_scalapack", "to_memcpy", "to_bound", "extra_bytes"};
  for (const char* name : measured) row[name] = nullptr;
  if (x.undefined.empty()) {
    const Summary s = summary_of(x.seconds);
    const auto& all = verdict.times.outcomes;
    const auto scalapack = std::ranges::find(all, "scalapack", &Outcome::name);
    row.update({{"min_s", s.min},
                {"median_s", s.median},
                {"low_s", s.low},
                {"high_s", s.high},
                {"gb_per_s", 1e-9 * static_cast<double>(verdict.bytes) / s.median},
                {"to_scalapack", scalapack == all.end() ? Json() : value(ratio(s.median, scalapack->seconds))},
                {"to_memcpy", value(ratio(s.median, verdict.times.memory_copy))},
                {"to_bound", verdict.bound > 0 ? Json(s.median / verdict.bound) : Json()},
                {"extra_bytes", value(x.memory)}});
  }
  row["check"] = x.failed() ? "FAILED" : x.passed() ? "passed" : "-";
  row["note"] = x.failed() ? x.wrong.first : x.undefined;
  return row;
}

void write_csv(std::ostream& out, const Verdict& verdict) {
  for (const Outcome& x : verdict.times.outcomes) {
    const Json row = row_of(verdict, x);
    if (out.tellp() == 0)
      for (const auto& [name, cell] : row.items()) out << name << (name == "note" ? '\n' : ',');
    for (const auto& [name, cell] : row.items()) {
      if (cell.is_number_float())
        out << cell.get<double>();
      else if (cell.is_string() && (name != "note" || cell == ""))
        out << cell.get<std::string>();
      else if (!cell.is_null())
        out << cell;
      out << (name == "note" ? '\n' : ',');
    }
  }
  out << std::flush;
}

void write_json(std::ostream& out, const Element& element, const Input& input, const Description& description,
                const std::vector<Verdict>& verdicts, const Counts& counts) {
  const Rounds& rounds = input.rounds;
  Json json{{"format", "xredist timing"},
            {"version", 3},
            {"time", now()},
            {"title", input.title},
            {"element", {{"letter", std::string(1, element.letter)}, {"name", element.name}, {"bytes", element.bytes}}},
            {"machine", object(description.machine)},
            {"mpi", object(description.mpi)},
            {"library", object(description.library)},
            {"rounds",
             {{"warm_up", rounds.warm_up}, {"least", rounds.min}, {"most", rounds.max}, {"seconds", rounds.seconds}}},
            {"counts",
             {{"passed", counts.passed},
              {"failed", counts.failed},
              {"undefined", counts.undefined},
              {"skipped_cases", counts.skipped}}},
            {"cases", Json::array()}};
  for (const Verdict& verdict : verdicts) json["cases"].push_back(json_of(verdict));
  out << json.dump(1) << '\n';
}

}  // namespace drivers
