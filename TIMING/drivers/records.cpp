// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "drivers/reports.hpp"
#include "drivers/times.hpp"

namespace drivers {
namespace {

using Value = Cell::Value;

std::optional<double> ratio(const std::vector<double>& times, const std::vector<double>& reference) {
  if (times.empty() || reference.empty()) return std::nullopt;
  const double median = summary_of(reference).median;
  return median > 0 ? std::optional(summary_of(times).median / median) : std::nullopt;
}

template <class Number>
Value value(const std::optional<Number>& x) {
  return x ? Value(*x) : Value();
}

}  // namespace

Row case_row(int number, const Case& c) {
  return {{"case", Index{number}},
          {"part", part_text(c)},
          {"m", c.m},
          {"n", c.n},
          {"grid_a", grid_text(c.a)},
          {"grid_b", grid_text(c.b)},
          {"block_a", block_text(c.a)},
          {"block_b", block_text(c.b)}};
}

std::optional<double> to_scalapack(const CaseTimes& times, const Outcome& outcome) {
  const auto found = std::ranges::find(times.outcomes, "scalapack", &Outcome::name);
  return found == times.outcomes.end() ? std::nullopt : ratio(outcome.seconds, found->seconds);
}

Row row_of(const Verdict& verdict, const Outcome& x) {
  const bool timed = !x.seconds.empty();
  const Summary s = timed ? summary_of(x.seconds) : Summary{};
  const auto figure = [&](double seconds) { return timed ? Value(seconds) : Value(); };
  Row row = case_row(verdict.number, verdict.shown);
  row.insert(row.end(), {{"algorithm", x.name},
                         {"route", x.route},
                         {"steps", value(x.steps)},
                         {"messages", value(verdict.messages)},
                         {"bytes", verdict.bytes},
                         {"rounds", std::ssize(x.seconds)},
                         {"min_s", figure(s.min)},
                         {"median_s", figure(s.median)},
                         {"low_s", figure(s.low)},
                         {"high_s", figure(s.high)},
                         {"gb_per_s", figure(1e-9 * static_cast<double>(verdict.bytes) / s.median)},
                         {"to_scalapack", value(to_scalapack(verdict.times, x))},
                         {"to_memcpy", value(ratio(x.seconds, verdict.times.memory_copy))},
                         {"to_bound", verdict.bound > 0 ? figure(s.median / verdict.bound) : Value()},
                         {"extra_bytes", value(x.memory)},
                         {"check", x.failed()   ? "FAILED"
                                   : x.passed() ? "passed"
                                                : "-"},
                         {"note", x.failed() ? x.wrong.first : x.undefined}});
  return row;
}

}  // namespace drivers
