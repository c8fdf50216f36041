// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "drivers/reports.hpp"

namespace drivers {
namespace {

constexpr const char* explanation = R"(
Every call is checked: B is filled with a value that does not occur in A, and all of B is compared afterwards.

A case begins with a line: its number; GE for the whole submatrix (P?GEMR2D), otherwise UPLO and DIAG of P?TRMR2D; rows
and columns of the submatrix; process rows and columns, and rows and columns of a block, before (A) and after (B). RxC@P
begins with process P, and [N] are N intervals. Messages are pairs of different processes of which one has elements for
the other. MB are 10^6 bytes of all elements of the submatrix, including those that stay on their process.

Then each algorithm has a line. The columns are:

ALGORITHM  : Name of a schedule of xredist: executes a plan, which is made before the timing;
             direct, two-hop, 4x4: executes a plan with the default schedule and that route;
             tuned: executes a plan that has been tuned before the timing (xredist_plan_tune);
             drop-in: xredist's routine with ScaLAPACK's name, the whole call; scalapack: ScaLAPACK's routine;
             FILE.so: the routine of another library;
             alltoallv: packs, calls MPI_Alltoallv, unpacks; tables and buffers are made before the timing;
             at-once, scalapack-order, steps:NAME: packs, exchanges all messages at once, in the order of ScaLAPACK's
             routine, or in the steps of a schedule, one after the other; unpacks;
             one-receive:NAME, all-receives:NAME: the same, with one receive at a time from any process, or all of them
             posted first, and the sends in the order of a schedule;
             pipelined:NAME: step by step in packets, and packs and unpacks some while others travel;
             wo-passes: several redistributions, axis after axis through the least common multiple of the block sizes;
             alltoallw: calls MPI_Alltoallw with datatypes; fftw: FFTW's transpose. Their types and plans are made
             before the timing.
STEPS      : Steps of the schedule of a plan. -: unknown, or messages take several hops.
MIN, MEDIAN: Milliseconds from the first start of a call, after a barrier, to its last end; on several nodes, of
             the slowest process.
LOW, HIGH  : An interval that contains the median with a probability of 95 %; for fewer than six rounds: minimum
             and maximum.
GB/S       : Bytes of the case divided by the median, in 10^9 bytes per second.
/SCAL      : Median divided by the median of ScaLAPACK's routine; below 1 is faster.
/COPY      : Median divided by the median of a copy from A to B in memory, in which all processes at once copy as many
             bytes as they receive of B, until the last one has ended.
EXTRA MB   : Maximum memory of a process besides A and B in the first call, including the memory that xredist has
             kept from earlier calls.
/BOUND     : With --rate: median divided by the time in which the busiest port of a node carries its bytes.
CHECK      : passed or FAILED. An algorithm that is not defined for the case is not run.
)";

// A column shows a value of the row, in other units, with `decimals` decimals.
struct Column {
  const char* heading;
  std::string_view key;
  int width;  // negative: aligned to the left
  double factor = 1;
  int decimals = -1;  // -1: about three digits
};

constexpr Column columns[] = {
    {"ALGORITHM", "algorithm", -24},      {"STEPS", "steps", 5},          {"MIN ms", "min_s", 9, 1e3, 4},
    {"MEDIAN ms", "median_s", 9, 1e3, 4}, {"LOW ms", "low_s", 9, 1e3, 4}, {"HIGH ms", "high_s", 9, 1e3, 4},
    {"GB/S", "gb_per_s", 6, 1, 2},        {"/SCAL", "to_scalapack", 6},   {"/COPY", "to_memcpy", 6},
    {"EXTRA MB", "extra_bytes", 8, 1e-6}, {"/BOUND", "to_bound", 6},      {"CHECK", "check", -6}};
constexpr std::size_t max_columns = 120;  // of a terminal

[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...) {
  char buffer[400];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  return buffer;
}

std::string cell(const Cell::Value& value, const Column& column) {
  if (const auto* const words = std::get_if<std::string>(&value)) return *words;
  const auto* const whole = std::get_if<Index>(&value);
  const auto* const real = std::get_if<double>(&value);
  if (whole == nullptr && real == nullptr) return "-";
  if (whole != nullptr && column.factor == 1) return std::to_string(*whole);
  const double x = column.factor * (whole != nullptr ? static_cast<double>(*whole) : *real);
  return text("%.*f", column.decimals >= 0 ? column.decimals : x < 1 ? 3 : x < 100 ? 2 : 0, x);
}

// Prints words from a column on. Lines that would be too long continue, after blanks.
void print_words(std::ostream& out, const std::string& words, std::size_t blanks, std::size_t column = 0) {
  std::string word;
  bool first = true;
  for (std::istringstream in(words); in >> word; first = false) {
    if (!first && column + 1 + word.size() > max_columns) {
      out << '\n' << std::string(blanks, ' ');
      column = blanks;
    } else if (!first) {
      out << ' ';
      ++column;
    }
    out << word;
    column += word.size();
  }
  out << '\n';
}

std::string without_end(std::string line) {
  line.resize(line.find_last_not_of(' ') + 1);
  return line;
}

// Prints a line. A name that does not fit into its column has a line of its own.
void print_row(std::ostream& out, const Row& row) {
  std::string line = " ";
  for (const Column& column : columns) {
    const auto found = std::ranges::find(row, column.key, &Cell::column);
    const std::string shown = cell(found->value, column);
    if (column.width < 0 && std::ssize(shown) > -column.width)
      line += " " + shown + "\n " + text(" %*s", column.width, "");
    else
      line += text(" %*s", column.width, shown.c_str());
  }
  out << without_end(std::move(line)) << '\n';
}

void print_heading(std::ostream& out) {
  std::string headings = " ", dashes = " ";
  for (const Column& column : columns) {
    headings += text(" %*s", column.width, column.heading);
    dashes.append(" ").append(as_size(std::abs(column.width)), '-');
  }
  out << without_end(std::move(headings)) << '\n' << dashes << '\n' << std::flush;
}

void print_entries(std::ostream& out, const Entries& entries) {
  for (const auto& [name, value] : entries) {
    out << text("%-32s: ", name.c_str());
    print_words(out, value, 34, 34);
  }
}

// Returns what identifies a case, and what is known of it.
std::string case_text(int number, const Case& c) {
  return text("case %d: ", number) + part_text(c) +
         text(" %lld x %lld, ", static_cast<long long>(c.m), static_cast<long long>(c.n)) + grid_text(c.a) +
         " processes with blocks " + block_text(c.a) + " -> " + grid_text(c.b) + " with " + block_text(c.b);
}

}  // namespace

Entries parameters_of(const Input& input) {
  std::string names;
  for (const std::string& name : input.algorithms) names += (names.empty() ? "" : " ") + name;
  const Rounds& rounds = input.rounds;
  Entries all{{"algorithms", names},
              {"rounds to warm up", std::to_string(rounds.warm_up)},
              {"rounds, minimum and maximum", std::to_string(rounds.min) + " " + std::to_string(rounds.max)},
              {"seconds of a case", text("%g", rounds.seconds)}};
  all.insert(all.end(), input.parameters.begin(), input.parameters.end());
  return all;
}

void print_head(std::ostream& out, const Element& element, const Input& input,
                const std::vector<Entries>& description) {
  for (const std::string& line : input.title) out << line << '\n';
  out << "\nTiming of the redistribution of block-cyclic matrices, " << element.name << " (" << element.bytes
      << " bytes an element)\n"
      << explanation << "\nThe following parameter values will be used:\n\n";
  print_entries(out, parameters_of(input));
  for (const Entries& entries : description) {
    out << '\n';
    print_entries(out, entries);
  }
  out << '\n';
  print_heading(out);
}

void print_case(std::ostream& out, const Verdict& verdict) {
  std::string line = case_text(verdict.number, verdict.shown);
  if (verdict.messages) line += text(", %lld messages", static_cast<long long>(*verdict.messages));
  print_words(out, line + text(", %.2f MB", 1e-6 * static_cast<double>(verdict.bytes)), 4);
  for (const Outcome& outcome : verdict.times.outcomes) {
    if (!outcome.undefined.empty()) {
      out << "  ";
      print_words(out, outcome.name + " is not run: " + outcome.undefined, 4, 2);
      continue;
    }
    print_row(out, row_of(verdict, outcome));
    if (outcome.failed())
      out << "     " << outcome.wrong.count << " elements wrong in all calls; " << outcome.wrong.first << '\n';
  }
  out << std::flush;
}

void print_skipped(std::ostream& out, int number, const Case& c, int size) {
  print_words(out,
              case_text(number, c) + ", skipped: the case needs " + std::to_string(processes(c)) +
                  " processes, there are " + std::to_string(size),
              4);
  out << std::flush;
}

void print_worst(std::ostream& out, const std::vector<Verdict>& verdicts) {
  std::vector<std::pair<double, const Verdict*>> ratios;
  for (const Verdict& verdict : verdicts)
    for (const Outcome& outcome : verdict.times.outcomes)
      if (outcome.name == "drop-in")
        if (const auto ratio = to_scalapack(verdict.times, outcome)) ratios.emplace_back(*ratio, &verdict);
  if (ratios.empty()) return;
  std::ranges::sort(ratios, std::ranges::greater(), &std::pair<double, const Verdict*>::first);
  out << text("\nDrop-in to ScaLAPACK's routine, %zu cases: median %.3f; the worst:\n", ratios.size(),
              ratios[ratios.size() / 2].first);
  for (std::size_t k = 0; k < std::min<std::size_t>(ratios.size(), 5); ++k) {
    out << text("%.3f  ", ratios[k].first) << case_text(ratios[k].second->number, ratios[k].second->shown) << '\n';
  }
}

void print_end(std::ostream& out, const Counts& counts) {
  out << "\nFinished " << counts.passed + counts.failed << " tests, with the following results:\n";
  const auto line = [&](Index count, const char* what) { out << text("%7ld ", count) << what; };
  line(counts.passed, "tests passed.\n");
  line(counts.failed, "tests failed.\n");
  line(counts.undefined, "tests not run: the algorithm is not defined for the case.\n");
  line(counts.skipped, "cases skipped: they need more processes than there are.\n\n");
  out << "END OF TESTS.\n" << std::flush;
}

}  // namespace drivers
