#include "arguments.hpp"

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <cmath>
#include <iostream>
#include <limits>
#include <stdexcept>

namespace xschedule {
namespace {

constexpr Index largest = std::numeric_limits<int>::max();  // of grids and blocks, as in ScaLAPACK
constexpr Index most_elements = Index{1} << 60;

constexpr const char* footer = R"(
Tables: a cell is elements and step (a, b, ..., z, aa, ...); [] marks a message to oneself, from a process
to that of the same number in the other grid; a message that is cut shows its parts, 1a+2c. Processes are
numbered row-major. Costs take the two grids as disjoint, as the papers do: messages to oneself count. In
CSV and JSON steps are numbered from 0, and a message to oneself has step -1.

Times: "barriers" is alpha S + beta T; "without" follows each process through its list, one message at a
time: one starts when its sender and its receiver have done all that comes before it. An order in which a
step has several messages for one process pays for each of them.)";

using Pair = std::array<Index, 2>;

// Two numbers from `least` to `most`, joined by a letter.
Pair pair_of(const std::string& name, const std::string& text, char joint, Index least, Index most) {
  Pair pair{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (Index& value : pair) {
    const auto [next, error] = std::from_chars(at, end, value);
    const bool first = &value == &pair[0];
    if (error != std::errc{} || (first ? next == end || *next != joint : next != end))
      throw std::invalid_argument(name + ": two whole numbers as in 4" + joint + "8 expected, not '" + text + "'");
    if (value < least || value > most)
      throw std::invalid_argument(name + ": " + std::to_string(value) + " is not in " + std::to_string(least) + " to " +
                                  std::to_string(most));
    at = first ? next + 1 : next;
  }
  return pair;
}

// What is common to vectors and matrices.
struct Options {
  std::string algorithm = "default", svg, csv, json;
  double alpha = 2, beta = 0.0008;

  void add_to(CLI::App& app) {
    std::vector<std::string> names{"all"};
    for (const Algorithm& a : xredist::core::algorithms()) names.emplace_back(a.name);
    app.add_option("--algorithm", algorithm, "whose schedule to show")
        ->check(CLI::IsMember(names))
        ->capture_default_str();
    app.add_option("--alpha", alpha, "microseconds for a message")->check(CLI::Range(0.0, 1e9))->capture_default_str();
    app.add_option("--beta", beta, "microseconds for an element; 0.0008 is 8 bytes at 10 GB/s")
        ->check(CLI::Range(1e-9, 1e9))
        ->capture_default_str();
    app.add_option("--svg", svg, "draw the schedule: grid and times; red: a step has two messages for one process");
    app.add_option("--csv", csv, "write all messages: algorithm,step,sender,receiver,elements");
    app.add_option("--json", json, "write the case, the comparison and all messages");
  }
  Network network() const {
    if (std::isnan(alpha) || std::isnan(beta)) throw std::invalid_argument("--alpha, --beta: nan is not a number");
    return {1e-6 * alpha, 1e-6 * beta};
  }
  void put_in(Request& request) const {
    for (const Algorithm& a : xredist::core::algorithms())
      if (algorithm == "all" || algorithm == a.name) request.algorithms.push_back(&a);
    request.svg = svg;
    request.csv = csv;
    request.json = json;
  }
};

struct Vectors {
  Index P, Q, r, s, size = 0;
  Pair offsets{0, 0};

  CLI::App* add_to(CLI::App& app) {
    CLI::App* sub = app.add_subcommand("1d", "a vector: CYCLIC(r) on P processes to CYCLIC(s) on Q");
    sub->footer(footer);
    const auto number = [&](const char* name, Index& value, const char* what) {
      sub->add_option(name, value, what)->required()->check(CLI::Range(Index{1}, largest));
    };
    number("P", P, "processes before");
    number("Q", Q, "processes after");
    number("r", r, "block size before");
    number("s", s, "block size after");
    sub->add_option("--offsets", offsets, "index, from 0, of the first copied element in A and in B")
        ->check(CLI::Range(Index{0}, most_elements))
        ->type_name("OA OB");
    sub->add_option("--size", size, "elements copied; default: a period, lcm(P r, Q s)")
        ->check(CLI::Range(Index{1}, most_elements))
        ->type_name("M");
    return sub;
  }
  Case question(const Network& network) const {
    return make_case(line(P, r, offsets[0]), line(Q, s, offsets[1]),
                     size > 0 ? std::optional<Size>({size, 1}) : std::nullopt, network);
  }
};

struct Matrices {
  std::string grids[2], blocks[2], size;
  std::array<std::string, 2> at{"1,1", "1,1"}, src{"0,0", "0,0"};

  CLI::App* add_to(CLI::App& app) {
    CLI::App* sub = app.add_subcommand("2d", "a matrix on a PrxPc grid to a QrxQc grid");
    sub->footer(footer);
    sub->add_option("PrxPc", grids[0], "process grid before, as in 4x8")->required();
    sub->add_option("QrxQc", grids[1], "process grid after")->required();
    sub->add_option("MBxNB", blocks[0], "block size before, as in 64x64")->required();
    sub->add_option("MB2xNB2", blocks[1], "block size after")->required();
    sub->add_option("--size", size, "rows and columns copied, as in 1000x500; default: a period of each")
        ->type_name("MxN");
    sub->add_option("--at", at, "first copied row and column in A and in B, from 1; default 1,1 1,1")
        ->type_name("IA,JA IB,JB");
    sub->add_option("--src", src, "process row and column of A's and of B's first block, from 0")->type_name("p,q p,q");
    return sub;
  }
  Layout layout(std::size_t side) const {
    const Pair grid = pair_of(side == 0 ? "PrxPc" : "QrxQc", grids[side], 'x', 1, largest);
    const Pair block = pair_of(side == 0 ? "MBxNB" : "MB2xNB2", blocks[side], 'x', 1, largest);
    const Pair first = pair_of("--at", at[side], ',', 1, most_elements);
    const Pair source = pair_of("--src", src[side], ',', 0, largest);
    for (std::size_t axis = 0; axis < 2; ++axis)
      if (source[axis] >= grid[axis])
        throw std::invalid_argument("--src: process " + src[side] + " is not in the grid of " + grids[side]);
    return {{block[0], grid[0], source[0], first[0] - 1}, {block[1], grid[1], source[1], first[1] - 1}};
  }
  Case question(const Network& network) const {
    std::optional<Size> given;
    if (!size.empty()) {
      const Pair mn = pair_of("--size", size, 'x', 1, most_elements);
      given = Size{mn[0], mn[1]};
    }
    return make_case(layout(0), layout(1), given, network);
  }
};

std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

}  // namespace

std::optional<Request> parsed(int argc, const char* const* argv) {
  CLI::App app("Shows schedules of block-cyclic redistributions: who sends what to whom, in which step.", "xschedule");
  app.footer(footer);
  app.require_subcommand(0, 1);
  Request request;
  Options options;
  Vectors vectors{};
  Matrices matrices;
  app.add_flag("--paper", request.paper,
               "the examples of Desprez et al. 1998 and of Walker & Otto 1996, beside their numbers");
  CLI::App* const one = vectors.add_to(app);
  CLI::App* const two = matrices.add_to(app);
  for (CLI::App* sub : {one, two}) options.add_to(*sub);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    app.exit(help, std::cout, std::cout);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(one_line(error.what()));
  }
  if (request.paper == (one->parsed() || two->parsed()))
    throw std::invalid_argument("one of 1d, 2d and --paper is needed; --help explains them");
  options.put_in(request);
  if (one->parsed()) request.shown = vectors.question(options.network());
  if (two->parsed()) request.shown = matrices.question(options.network());
  return request;
}

}  // namespace xschedule
