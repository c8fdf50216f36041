// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <string>
#include <vector>

#include "drivers/reports.hpp"
#include "settings/decimals.hpp"
#include "settings/json_text.hpp"

namespace drivers {
namespace {

using xredist::core::json_object, xredist::core::json_text, xredist::core::member;

constexpr int digits = 6;

// Returns a value as JSON, without quotation marks around numbers.
std::string in_json(const Cell::Value& value) {
  if (const auto* const text = std::get_if<std::string>(&value)) return json_text(*text);
  if (const auto* const whole = std::get_if<Index>(&value)) return std::to_string(*whole);
  const auto* const real = std::get_if<double>(&value);
  return real != nullptr && std::isfinite(*real) ? xredist::core::with_digits(*real, digits) : "null";
}

// Returns a value as CSV. Texts with blanks, commas, quotation marks or line ends are quoted.
std::string in_csv(const Cell::Value& value) {
  const auto* const text = std::get_if<std::string>(&value);
  if (text == nullptr) {
    const std::string number = in_json(value);
    return number == "null" ? "" : number;
  }
  if (text->find_first_of(" ,\"\n") == std::string::npos) return *text;
  std::string quoted;
  for (const char c : *text) quoted.append(c == '"' ? 2 : 1, c);
  return std::string("\"").append(quoted).append("\"");
}

std::string row_in_json(const Row& row) {
  std::vector<std::string> members;
  for (const Cell& cell : row) members.push_back(member(cell.column, in_json(cell.value)));
  return json_object(members);
}

std::string row_in_csv(const Row& row, bool header) {
  std::string line;
  for (const Cell& cell : row) {
    if (&cell != &row.front()) line += ',';
    line += header ? std::string(cell.column) : in_csv(cell.value);
  }
  return line + "\n";
}

std::string entries_in_json(const Entries& entries) {
  std::vector<std::string> members;
  for (const auto& [name, value] : entries) members.push_back(member(name, json_text(value)));
  return json_object(members);
}

}  // namespace

void Report::begin(const Element& element, const Input& input, const std::vector<Entries>& description) {
  if (format_ == Format::table) print_head(*out_, element, input, description);
  if (format_ != Format::json) return;
  Entries all;
  for (const Entries& entries : description) all.insert(all.end(), entries.begin(), entries.end());
  *out_ << "{" << member("type", json_text(element.name)) << ", "
        << member("element_bytes", std::to_string(element.bytes)) << ",\n"
        << member("parameters", entries_in_json(parameters_of(input))) << ",\n"
        << member("environment", entries_in_json(all)) << ",\n"
        << member("rows", "[") << std::flush;
}

void Report::add(const Verdict& verdict) {
  if (format_ == Format::table) return print_case(*out_, verdict);
  for (const Outcome& outcome : verdict.times.outcomes) {
    const Row row = row_of(verdict, outcome);
    if (format_ == Format::json) {
      *out_ << (empty_ ? "\n" : ",\n") << row_in_json(row);
    } else {
      if (empty_) *out_ << row_in_csv(row, true);
      *out_ << row_in_csv(row, false);
    }
    empty_ = false;
  }
  *out_ << std::flush;
}

void Report::skip(int number, const Case& c, int size) {
  if (format_ == Format::table) print_skipped(*out_, number, c, size);
}

void Report::end(const Counts& counts, const std::vector<Verdict>& sweep) {
  if (format_ == Format::table) {
    print_worst(*out_, sweep);
    print_end(*out_, counts);
  } else if (format_ == Format::json) {
    const auto count = [](std::string_view name, Index value) { return member(name, std::to_string(value)); };
    *out_ << "\n],\n"
          << member("tests", json_object({count("passed", counts.passed), count("failed", counts.failed),
                                          count("not_run", counts.undefined), count("cases_skipped", counts.skipped)}))
          << "}\n"
          << std::flush;
  }
}

}  // namespace drivers
