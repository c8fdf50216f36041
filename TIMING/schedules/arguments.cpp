// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/arguments.hpp"

#include <array>
#include <cmath>
#include <iostream>
#include <stdexcept>

#include "schedules/command_line.hpp"
#include "schedules/listed.hpp"
#include "schedules/reader.hpp"

namespace xschedule {
namespace {

constexpr const char* footer = R"(
Tables: a cell shows elements and step (a, b, ..., z, aa, ...). [] marks a message to oneself: sender and
receiver have the same number in their grids. A message in several parts shows each part: 1a+2c. Processes are
numbered row-major. Costs treat the two grids as disjoint, as the papers do, so messages to oneself count. In
CSV and JSON, steps count from 0, and a message to oneself has step -1.

Times: "barriers" is alpha S + beta T. "without" has no barriers: each process works through its list, one
message at a time, and a message starts when sender and receiver have finished all earlier messages. If a step
has several messages for one process, their times add up.

two-hop: messages go along the rows of a mesh of the processes, then along the columns. With --route 4x4x4, each
hop replaces one digit of the receiver's number, which is written with these radices (the last one is repeated).
With --route striped --per-node C, messages between nodes are cut into C stripes, which take different processes.
"forwarded" counts elements that a third process passes on. The time is the sum of the hops. Process k of A is process k of B,
so elements that stay on a process take no step and no time, and are not listed.)";

// Adds the options that 1d and 2d share.
void add_common(CLI::App& app, Request& request, Network& microseconds, int& per_node) {
  std::vector<std::string> names{"all"};
  for (const Algorithm& a : choices("two-hop")) names.emplace_back(a.name);
  app.add_option("--algorithm", request.algorithm, "algorithm whose schedule is shown")
      ->check(CLI::IsMember(names))
      ->capture_default_str();
  app.add_option("--route", request.route,
                 "route over a mesh in place of two-hop, as 4x4x4, or striped; shown unless --algorithm is given");
  app.add_option("--per-node", per_node,
                 "processes of a node; if all nodes have as many, they are the rows of the mesh of two-hop")
      ->check(cases::positive());
  app.add_option("--alpha", microseconds.alpha, "microseconds for a message")
      ->check(CLI::Range(0.0, 1e9))
      ->capture_default_str();
  app.add_option("--beta", microseconds.beta, "microseconds for an element; 0.0008 is 8 bytes at 10 GB/s")
      ->check(CLI::Range(1e-9, 1e9))
      ->capture_default_str();
  app.add_option("--svg", request.svg,
                 "draw the schedule: grid and times; red: a step has two messages for one process");
  app.add_option("--csv", request.csv, "write all messages: algorithm,hop,step,sender,receiver,elements,forwarded");
  app.add_option("--json", request.json, "write the case, the comparison and all messages");
  app.footer(footer);
}

// Files of partitions, which replace block sizes: of A and of B.
struct Files {
  std::array<std::optional<std::string>, 2> rows, cols;

  void add_to(CLI::App& sub) {
    const auto file = [&](const char* name, std::optional<std::string>& value, const char* what) {
      sub.add_option(name, value, what)->type_name("FILE");
    };
    file("--rows-a", rows[0], "A's rows (1d: elements) in intervals, not blocks; each line of the file: END OWNER");
    file("--rows-b", rows[1], "B's");
    if (sub.get_name() == "1d") return;
    file("--cols-a", cols[0], "A's columns");
    file("--cols-b", cols[1], "B's");
  }
  void put_in(cases::Case& c) const {
    const auto put = [](const std::optional<std::string>& file, int procs, std::optional<cases::Partition>& place) {
      if (file) place = cases::read_partition(*file, cases::text_of_file(*file), procs);
    };
    put(rows[0], c.a.nprow, c.a.rows);
    put(rows[1], c.b.nprow, c.b.rows);
    put(cols[0], c.a.npcol, c.a.cols);
    put(cols[1], c.b.npcol, c.b.cols);
  }
};

// The arguments of 1d. CLI11 stores them in the case, except the offsets, which count from 0 on the command line.
struct Vectors {
  std::array<Index, 2> offsets{0, 0};

  CLI::App* add_to(CLI::App& app, cases::Case& c) {
    CLI::App* const sub = app.add_subcommand("1d", "a vector: CYCLIC(r) on P processes to CYCLIC(s) on Q");
    const auto number = [&](const char* name, auto& value, const char* what) {
      sub->add_option(name, value, what)->required()->check(cases::positive());
    };
    number("P", c.a.nprow, "processes before");
    number("Q", c.b.nprow, "processes after");
    number("r", c.a.mb, "block size before");
    number("s", c.b.mb, "block size after");
    sub->add_option("--offsets", offsets, "index, from 0, of the first copied element in A and in B")
        ->check(CLI::Range(Index{0}, cases::max_elements))
        ->type_name("OA OB");
    sub->add_option("--size", c.m, "elements copied; default: a period, lcm(P r, Q s), or up to the end of intervals")
        ->check(CLI::Range(Index{1}, cases::max_elements))
        ->type_name("M");
    return sub;
  }
  void put_in(cases::Case& c) const {
    c.a.i = offsets[0] + 1;
    c.b.i = offsets[1] + 1;
  }
};

struct Matrices {
  std::array<cases::Grid, 2> grids{}, blocks{};
  std::array<cases::ElementPosition, 2> at{{{1, 1}, {1, 1}}};
  std::array<cases::Source, 2> src{};
  cases::Size size{0, 0};

  CLI::App* add_to(CLI::App& app) {
    CLI::App* const sub = app.add_subcommand("2d", "a matrix on a PrxPc grid to a QrxQc grid");
    const auto sides = [&](const char* name, cases::Grid& value, const char* what) {
      sub->add_option(name, value, what)->required()->type_name("");
    };
    sides("PrxPc", grids[0], "process grid before, as in 4x8");
    sides("QrxQc", grids[1], "process grid after");
    sides("MBxNB", blocks[0], "block size before, as in 64x64");
    sides("MB2xNB2", blocks[1], "block size after");
    sub->add_option("--size", size,
                    "rows and columns copied, as in 1000x500; default: a period of each, or up to the end of intervals")
        ->type_name("MxN");
    sub->add_option("--at", at, "first copied row and column in A and in B, from 1; default 1,1 1,1")
        ->type_name("IA,JA IB,JB");
    sub->add_option("--src", src, "process row and column of A's and of B's first block, from 0")->type_name("p,q p,q");
    return sub;
  }
  cases::Matrix matrix(std::size_t side) const {
    if (src[side].row >= grids[side].row || src[side].col >= grids[side].col)
      throw std::invalid_argument("--src: a process is not in its grid");
    const auto narrow = [](Index x) { return static_cast<int>(x); };
    return {.rsrc = narrow(src[side].row),
            .csrc = narrow(src[side].col),
            .i = at[side].row,
            .j = at[side].col,
            .nprow = narrow(grids[side].row),
            .npcol = narrow(grids[side].col),
            .mb = blocks[side].row,
            .nb = blocks[side].col};
  }
  void put_in(cases::Case& c) const { c = {size.row, size.col, matrix(0), matrix(1)}; }
};

}  // namespace

std::optional<Request> parsed(int argc, const char* const* argv) {
  CLI::App app("Shows schedules of block-cyclic redistributions: who sends what to whom, in which step.", "xschedule");
  app.footer(footer);
  app.require_subcommand(0, 1);
  Request request;
  Network microseconds{2, 0.0008};
  int per_node = 0;
  cases::Case c;
  Vectors vectors;
  Matrices matrices;
  Files files;
  CLI::App* const one = vectors.add_to(app, c);
  CLI::App* const two = matrices.add_to(app);
  for (CLI::App* sub : {one, two}) {
    files.add_to(*sub);
    add_common(*sub, request, microseconds, per_node);
  }
  if (!cases::parsed(app, argc, argv, std::cout)) return std::nullopt;
  if (!one->parsed() && !two->parsed()) throw std::invalid_argument("1d or 2d is needed; --help explains them");
  if (std::isnan(microseconds.alpha) || std::isnan(microseconds.beta))
    throw std::invalid_argument("--alpha, --beta: nan is not a number");
  if (one->parsed()) vectors.put_in(c);
  if (two->parsed()) matrices.put_in(c);
  files.put_in(c);
  request.wanted = shown(c, {1e-6 * microseconds.alpha, 1e-6 * microseconds.beta});
  request.wanted->per_node = per_node;
  if (!request.route.empty()) {
    request.wanted->route = request.route;
    if (request.algorithm != "all") request.algorithm = request.route;
  }
  return request;
}

}  // namespace xschedule
