// SPDX-License-Identifier: BSD-3-Clause
// xschedule: shows schedules of block-cyclic redistributions, without MPI.
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include "schedules/arguments.hpp"
#include "schedules/reports.hpp"

namespace xschedule {
namespace {

// An output file, opened before the work begins, so that a wrong name is reported at once.
class File {
 public:
  File(const char* option, const std::string& name) : option_(option), name_(name) {
    if (wanted()) out_.open(name);
    check();
  }
  bool wanted() const { return !name_.empty(); }
  std::ostream& out() { return out_; }
  void close() {
    if (wanted()) out_.close();
    check();
  }

 private:
  void check() const {
    if (wanted() && !out_) throw std::invalid_argument(std::string(option_) + ": cannot write " + name_);
  }
  const char* option_;
  std::string name_;
  std::ofstream out_;
};

void show(const Request& request) {
  const Shown& c = *request.wanted;
  File csv("--csv", request.csv), json("--json", request.json), svg("--svg", request.svg);
  const Bounds bounds = bounds_of(c.traffic);
  std::vector<Verdict> verdicts;
  std::vector<ListedSchedule> retained;  // for JSON and SVG only, because schedules can be large
  std::cout << c.title << '\n' << messages_of(c.traffic) << " messages\n\n";
  if (csv.wanted()) write_csv_header(csv.out());
  for (const Algorithm& algorithm : choices(c.route)) {
    const std::vector<ListedSchedule> schedules = schedules_of(algorithm, c);
    verdicts.push_back(verdict_on(algorithm, schedules, c.network));
    if (!request.shows(algorithm)) continue;
    if (schedules.empty()) std::cout << algorithm.name << ": " << why_undefined(algorithm) << "\n\n";
    if (!schedules.empty() && schedules[0].over_mesh()) print_hops(std::cout, schedules);
    for (const ListedSchedule& schedule : schedules) {
      print_grid(std::cout, schedule);
      print_costs(std::cout, schedule);
      if (csv.wanted()) write_csv(csv.out(), schedule);
      if (json.wanted() || svg.wanted()) retained.push_back(schedule);
    }
  }
  print_comparison(std::cout, verdicts, bounds, c.network);
  if (json.wanted()) write_json(json.out(), c, bounds, verdicts, retained);
  if (svg.wanted()) write_svg(svg.out(), c, bounds, retained);
  for (File* file : {&csv, &json, &svg}) file->close();
}

}  // namespace
}  // namespace xschedule

int main(int argc, char** argv) {
  try {
    const auto request = xschedule::parsed(argc, argv);
    if (!request) return 0;
    xschedule::show(*request);
    return std::cout.flush() ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "xschedule: " << error.what() << '\n';
    return 2;
  }
}
