// SPDX-License-Identifier: BSD-3-Clause
// xschedule: shows schedules of block-cyclic redistributions, without MPI.
#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include "schedules/array.hpp"
#include "schedules/classic_locale.hpp"
#include "schedules/command_line.hpp"
#include "schedules/listed.hpp"
#include "schedules/reader.hpp"

namespace xschedule {
namespace {

// The command line: a case, and what to show of it.
struct Request {
  cases::Case c;
  Array array;                                     // in place of c, if it has dimensions
  std::vector<std::string> algorithms{"default"};  // names or "all"
  std::string svg, csv, html;                      // files, empty: none
  std::string route = "two-hop";
  int per_node = 0;
  Network microseconds{2, 0.0008, 1000};
  std::array<std::string, 4> partitions;  // files: rows and columns of A, of B

  bool shows_all() const { return std::ranges::find(algorithms, "all") != algorithms.end(); }
  bool shows(const Algorithm& a) const {
    return shows_all() || std::ranges::find(algorithms, a.name) != algorithms.end();
  }
};

void add_vectors(CLI::App& app, Request& r) {
  CLI::App* const sub = app.add_subcommand("1d", "a vector: CYCLIC(r) on P processes to CYCLIC(s) on Q");
  const auto number = [&](const char* name, auto& value, const char* help) {
    sub->add_option(name, value, help)->required()->check(cases::positive());
  };
  number("P", r.c.a.nprow, "processes before");
  number("Q", r.c.b.nprow, "processes after");
  number("r", r.c.a.mb, "block size before");
  number("s", r.c.b.mb, "block size after");
  const auto set_offsets = [&r](const std::array<Index, 2>& x) { r.c.a.i = x[0] + 1, r.c.b.i = x[1] + 1; };
  sub->add_option_function<std::array<Index, 2>>("--offsets", set_offsets,
                                                 "index, from 0, of the first copied element in A and in B")
      ->check(CLI::Range(Index{0}, cases::max_elements))
      ->type_name("OA OB");
  sub->add_option("--size", r.c.m, "elements copied; default: a period, lcm(P r, Q s), or up to the end of intervals")
      ->check(CLI::Range(Index{1}, cases::max_elements))
      ->type_name("M");
}

void add_matrices(CLI::App& app, Request& r) {
  CLI::App* const sub = app.add_subcommand("2d", "a matrix on a PrxPc grid to a QrxQc grid");
  const auto sides = [&](const char* name, auto& rows, auto& cols, const char* help) {
    cases::joined(*sub, name, 'x', 1, cases::max_int, help, rows, cols)->required()->type_name("");
  };
  sides("PrxPc", r.c.a.nprow, r.c.a.npcol, "process grid before, as in 4x8");
  sides("QrxQc", r.c.b.nprow, r.c.b.npcol, "process grid after");
  sides("MBxNB", r.c.a.mb, r.c.a.nb, "block size before, as in 64x64");
  sides("MB2xNB2", r.c.b.mb, r.c.b.nb, "block size after");
  cases::joined(*sub, "--size", 'x', 1, cases::max_elements,
                "rows and columns copied, as in 1000x500; default: a period of each, or up to the end of intervals",
                r.c.m, r.c.n)
      ->type_name("MxN");
  cases::joined(*sub, "--at", ',', 1, cases::max_elements,
                "first copied row and column in A and in B, from 1; default 1,1 1,1", r.c.a.i, r.c.a.j, r.c.b.i,
                r.c.b.j)
      ->type_name("IA,JA IB,JB");
  cases::joined(*sub, "--src", ',', 0, cases::max_int, "process row and column of A's and of B's first block, from 0",
                r.c.a.rsrc, r.c.a.csrc, r.c.b.rsrc, r.c.b.csrc)
      ->type_name("p,q p,q");
}

// Adds a command for arrays of `dims` dimensions, or of any number of them; 3d is nd with a fixed number.
void add_arrays(CLI::App& app, Request& r, const std::string& command, std::optional<std::size_t> dims,
                const std::string& help) {
  CLI::App* const sub = app.add_subcommand(command, help);
  const auto sides = [&](std::string name, Index max, const char* explained, std::vector<Index>& x) {
    return cases::sides(*sub, name, {.max = max, .dims = dims.value_or(0)}, explained, x);
  };
  sides("P1x...xPd", cases::max_int, "process grid before, as in 2x4x4", r.array.procs_a)->required();
  sides("Q1x...xQd", cases::max_int, "process grid after", r.array.procs_b)->required();
  sides("R1x...xRd", cases::max_int, "block size before, as in 16x16x16", r.array.blocks_a)->required();
  sides("S1x...xSd", cases::max_int, "block size after", r.array.blocks_b)->required();
  sides("--size", cases::max_elements, "elements copied; default: a period of each dimension", r.array.size)
      ->type_name("N1x...xNd");
}

// Adds the options that all kinds of arrays share.
void add_common(CLI::App& sub, Request& r) {
  const char* const names[] = {"--rows-a", "--cols-a", "--rows-b", "--cols-b"};
  for (std::size_t k = 0; k < r.partitions.size(); ++k)
    if (sub.get_name() == "2d" || (sub.get_name() == "1d" && k % 2 == 0))
      sub.add_option(names[k], r.partitions[k], "intervals in place of blocks; each line of the file: END OWNER")
          ->type_name("FILE");
  std::vector<std::string> known{"all"};
  for (const Algorithm& a : choices("two-hop")) known.emplace_back(a.name);
  cases::list(sub, "--algorithm", r.algorithms, "algorithms whose schedules are shown, or all")
      ->check(CLI::IsMember(known))
      ->allow_extra_args(false);  // the case may follow
  sub.add_option("--route", r.route,
                 "route over a mesh in place of two-hop, as 4x4x4; shown unless --algorithm is given");
  sub.add_option("--per-node", r.per_node,
                 "processes of a node; if all nodes are full, nodes are the rows of the mesh of two-hop")
      ->check(cases::positive());
  sub.add_option("--alpha", r.microseconds.alpha, "microseconds for a message")
      ->check(CLI::Range(0.0, 1e9))
      ->capture_default_str();
  sub.add_option("--beta", r.microseconds.beta, "microseconds for an element; 0.0008 is 8 bytes at 10 GB/s")
      ->check(CLI::Range(1e-9, 1e9))
      ->capture_default_str();
  sub.add_option("--executions", r.microseconds.executions,
                 "executions in which a search of the default may pay off; 1: a call of P?GEMR2D")
      ->check(CLI::Range(1.0, 1e9))
      ->capture_default_str();
  sub.add_option("--svg", r.svg, "draw when each process sends and receives, coloured by step");
  sub.add_option("--html", r.html,
                 "write a page for a browser: the array, all algorithms step by step, and their costs");
  sub.add_option("--csv", r.csv, "write all messages: algorithm,hop,step,sender,receiver,elements,forwarded");
}

void read_partitions(Request& r) {
  const auto put = [](const std::string& file, int procs, std::optional<cases::Partition>& axis) {
    if (!file.empty()) axis = cases::read_partition(file, cases::text_of_file(file), procs);
  };
  put(r.partitions[0], r.c.a.nprow, r.c.a.rows);
  put(r.partitions[1], r.c.a.npcol, r.c.a.cols);
  put(r.partitions[2], r.c.b.nprow, r.c.b.rows);
  put(r.partitions[3], r.c.b.npcol, r.c.b.cols);
}

// Parses the command line. Returns nothing if the user asked for help.
std::optional<Request> parsed(int argc, const char* const* argv) {
  CLI::App app("Shows schedules of block-cyclic redistributions: who sends what to whom, in which step.", "xschedule");
  app.require_subcommand(0, 1);
  app.footer("[] marks a message to oneself. xschedule(1) explains the tables.");
  Request r;
  add_vectors(app, r);
  add_matrices(app, r);
  add_arrays(app, r, "nd", std::nullopt, "an array of 1 to 15 dimensions on a P1x...xPd grid to another grid");
  add_arrays(app, r, "3d", 3, "the same with three dimensions");
  for (CLI::App* sub : app.get_subcommands(nullptr)) {
    add_common(*sub, r);
    sub->footer(app.get_footer());
  }
  if (!cases::parsed(app, argc, argv, std::cout)) return std::nullopt;
  if (app.get_subcommands().empty()) throw std::invalid_argument("1d, 2d or nd is needed; --help explains them");
  if (std::isnan(r.microseconds.alpha) || std::isnan(r.microseconds.beta))
    throw std::invalid_argument("--alpha, --beta: nan is not a number");
  for (const cases::Matrix* x : {&r.c.a, &r.c.b})
    if (x->rsrc >= x->nprow || x->csrc >= x->npcol) throw std::invalid_argument("--src: a process is not in its grid");
  read_partitions(r);
  if (r.route != "two-hop" && !r.shows_all()) r.algorithms = {r.route};
  return r;
}

// Opens an output file before the work begins, so that a wrong name is reported at once.
std::ofstream opened(const char* option, const std::string& name) {
  std::ofstream out;
  if (!name.empty()) out.open(name);
  if (!out) throw std::invalid_argument(std::string(option) + ": cannot write " + name);
  return out;
}

void show(const Request& request) {
  const Network& us = request.microseconds;
  const Network network{1e-6 * us.alpha, 1e-6 * us.beta, us.executions};
  const Shown c = request.array.procs_a.empty() ? shown(request.c, network, request.per_node, request.route)
                                                : shown(request.array, network, request.per_node, request.route);
  std::ofstream csv = opened("--csv", request.csv), svg = opened("--svg", request.svg),
                html = opened("--html", request.html);
  const Bounds bounds = bounds_of(c.traffic);
  std::vector<Verdict> verdicts;
  std::vector<ListedSchedule> retained;  // for SVG only, because schedules can be large
  std::vector<std::string> algorithms;   // for the page
  std::cout << c.title << '\n' << messages_of(c.traffic) << " messages\n\n";
  if (csv.is_open()) write_csv_header(csv);
  for (const Algorithm& algorithm : choices(c.route)) {
    const std::vector<ListedSchedule> schedules = schedules_of(algorithm, c);
    verdicts.push_back(verdict_on(algorithm, schedules, c));
    if (html.is_open()) algorithms.push_back(algorithm_json(verdicts.back(), schedules));
    if (!request.shows(algorithm)) continue;
    if (schedules.empty()) std::cout << algorithm.name << ": " << why_undefined(algorithm, c) << "\n\n";
    if (!schedules.empty() && schedules[0].over_mesh()) print_hops(std::cout, schedules);
    for (const ListedSchedule& schedule : schedules) {
      print_grid(std::cout, schedule);
      print_costs(std::cout, schedule);
      if (csv.is_open()) write_csv(csv, schedule);
      if (svg.is_open()) retained.push_back(schedule);
    }
  }
  print_comparison(std::cout, verdicts, bounds, c.network);
  if (svg.is_open()) write_svg(svg, c, bounds, retained);
  if (html.is_open())
    write_page(html, c, bounds, algorithms,
               request.shows_all() ? std::vector<std::string>{"default"} : request.algorithms);
  for (std::ofstream* file : {&csv, &svg, &html})
    if (!file->flush()) throw std::runtime_error("cannot write all of the output");
}

}  // namespace
}  // namespace xschedule

int main(int argc, char** argv) {
  cases::use_classic_locale();
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
