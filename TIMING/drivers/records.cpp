// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>

#include "drivers/reports.hpp"

namespace drivers {
namespace {

using Json = nlohmann::ordered_json;

std::optional<double> ratio(double seconds, const std::vector<double>& reference) {
  if (reference.empty()) return std::nullopt;
  const double median = runs::summary_of(reference).median;
  return median > 0 ? std::optional(seconds / median) : std::nullopt;
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

template <class Value>
void put(std::ostream& out, const std::optional<Value>& value) {
  out << ',';
  if (value) out << *value;
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

template <class Value>
Json value(const std::optional<Value>& x) {
  return x ? Json(*x) : Json();
}

Json outcome(const Verdict& verdict, const Outcome& x) {
  Json json{{"algorithm", x.name},
            {"steps", value(x.facts.steps)},
            {"messages", value(x.facts.messages)},
            {"check", check_text(x)}};
  if (!x.undefined.empty()) {
    json["undefined"] = x.undefined;
    return json;
  }
  const Figures figures = figures_of(verdict, x);
  json.update({{"min", figures.seconds.min},
               {"median", figures.seconds.median},
               {"interval", {figures.seconds.low, figures.seconds.high}},
               {"gigabytes_per_second", figures.gigabytes_per_second},
               {"to_scalapack", value(figures.to_scalapack)},
               {"to_memcpy", value(figures.to_memcpy)},
               {"extra_bytes", value(x.memory)},
               {"wrong_elements", x.wrong.count},
               {"seconds", x.seconds}});
  if (x.failed()) json["first_wrong"] = x.wrong.first;
  return json;
}

Json json_of(const Verdict& verdict) {
  const Case& c = verdict.shown;
  Json json{{"case", verdict.number},
            {"part", part_text(c)},
            {"m", c.m},
            {"n", c.n},
            {"a", matrix(c.a)},
            {"b", matrix(c.b)},
            {"bytes", verdict.bytes},
            {"memcpy_seconds", verdict.times.memory_copy},
            {"results", Json::array()}};
  for (const Outcome& x : verdict.times.outcomes) json["results"].push_back(outcome(verdict, x));
  return json;
}

}  // namespace

Figures figures_of(const Verdict& verdict, const Outcome& outcome) {
  const runs::Summary seconds = runs::summary_of(outcome.seconds);
  const auto& all = verdict.times.outcomes;
  const auto scalapack = std::ranges::find_if(
      all, [](const Outcome& x) { return x.undefined.empty() && (x.name == "scalapack" || x.name == "mkl"); });
  return {seconds, 1e-9 * static_cast<double>(verdict.bytes) / seconds.median,
          scalapack == all.end() ? std::nullopt : ratio(seconds.median, scalapack->seconds),
          ratio(seconds.median, verdict.times.memory_copy)};
}

std::string check_text(const Outcome& outcome) {
  return outcome.failed() ? "FAILED" : outcome.passed() ? "passed" : "-";
}

void write_csv_header(std::ostream& out) {
  out << "case,part,m,n,grid_a,grid_b,block_a,block_b,algorithm,steps,messages,bytes,rounds,min_s,median_s,low_s,high_"
         "s,"
         "gb_per_s,to_scalapack,to_memcpy,extra_bytes,check,note\n";
}

void write_csv(std::ostream& out, const Verdict& verdict) {
  const Case& c = verdict.shown;
  for (const Outcome& x : verdict.times.outcomes) {
    out << verdict.number << ',' << part_text(c) << ',' << c.m << ',' << c.n << ',' << grid_text(c.a) << ','
        << grid_text(c.b) << ',' << block_text(c.a) << ',' << block_text(c.b) << ',' << x.name;
    put(out, x.facts.steps);
    put(out, x.facts.messages);
    out << ',' << verdict.bytes << ',' << x.seconds.size();
    if (x.undefined.empty()) {
      const Figures figures = figures_of(verdict, x);
      for (const double seconds :
           {figures.seconds.min, figures.seconds.median, figures.seconds.low, figures.seconds.high})
        out << ',' << seconds;
      out << ',' << figures.gigabytes_per_second;
      put(out, figures.to_scalapack);
      put(out, figures.to_memcpy);
      put(out, x.memory);
    } else {
      out << ",,,,,,,,";
    }
    const std::string& note = x.failed() ? x.wrong.first : x.undefined;
    out << ',' << check_text(x) << ',' << (note.empty() ? note : quoted(note)) << '\n';
  }
  out << std::flush;
}

void write_json(std::ostream& out, const Element& element, const Input& input, const Description& description,
                const std::vector<Verdict>& verdicts, const Counts& counts) {
  const Rounds& rounds = input.rounds;
  Json json{{"format", "xredist timing"},
            {"version", 1},
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
