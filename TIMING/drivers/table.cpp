// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "drivers/reports.hpp"

namespace drivers {
namespace {

constexpr const char* explanation = R"(
Every call is checked: B is filled with a value that does not occur in A, and all of B is compared afterwards.
The columns are:

CASE       : Number of the case.
PART       : GE: the whole submatrix, P?GEMR2D; otherwise UPLO and DIAG of P?TRMR2D.
M, N       : Rows and columns of the submatrix.
GRID       : Process rows and columns before (A) and after (B); RxC@P begins with process P.
BLOCK      : Rows and columns of a block, before and after; [N]: N intervals instead.
ALGORITHM  : Name of a schedule of xredist: executes a plan, which is made before the timing;
             direct, two-hop: executes a plan with the default schedule and that route;
             drop-in: xredist's routine with ScaLAPACK's name, the whole call; scalapack: ScaLAPACK's routine;
             mkl: the same, if it is MKL's;
             alltoallv: packs, calls MPI_Alltoallv, unpacks; tables and buffers are made before the timing;
             alltoallw: calls MPI_Alltoallw with datatypes; fftw: FFTW's transpose. Their types and plans are, too.
STEPS, MSGS: Steps of the schedule, and messages (or parts of messages) between different processes.
             -: unknown, for instance because messages take two hops.
MB         : 10^6 bytes of all elements of the submatrix, including those that stay on their process.
MIN, MEDIAN: Milliseconds of a call on the slowest process, from a barrier to the end of the call.
INTERVAL   : Contains the median with a probability of 95 %; for fewer than six rounds: minimum and maximum.
GB/S       : MB divided by the median, in 10^9 bytes per second.
/SCAL      : Median divided by the median of ScaLAPACK's routine; below 1 is faster.
/COPY      : Median divided by the median of a copy in memory, in which all processes at once copy as many
             bytes as they receive of B (the second of two copies of the same bytes).
EXTRA MB   : Maximum memory of a process besides A and B in the first call, including the memory that xredist has
             kept from earlier calls.
CHECK      : passed, FAILED, or -: the algorithm is not defined for the case.
)";

constexpr const char* heading =
    "CASE PART     M     N  GRID A GRID B   BLOCK A   BLOCK B ALGORITHM   STEPS  MSGS        MB      MIN ms "
    "  MEDIAN ms            INTERVAL ms   GB/S  /SCAL  /COPY EXTRA MB CHECK\n"
    "---- ---- ----- ----- ------- ------ --------- --------- ----------- ----- ----- --------- ----------- "
    "----------- ---------------------- ------ ------ ------ -------- ------\n";

[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...) {
  char buffer[400];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  return buffer;
}

std::string number(std::optional<Index> value) { return value ? std::to_string(*value) : "-"; }
std::string number(std::optional<double> value) {
  return value ? text(*value < 1 ? "%.3f" : *value < 100 ? "%.2f" : "%.0f", *value) : "-";
}
std::string milliseconds(double seconds) { return text("%.4f", 1e3 * seconds); }

std::string beginning(int number, const Case& c) {
  return text("%4d %4s %5s %5s %7s %6s %9s %9s", number, part_text(c).c_str(), std::to_string(c.m).c_str(),
              std::to_string(c.n).c_str(), grid_text(c.a).c_str(), grid_text(c.b).c_str(), block_text(c.a).c_str(),
              block_text(c.b).c_str());
}

std::string measured(const Verdict& verdict, const Outcome& outcome) {
  const Figures figures = figures_of(verdict, outcome);
  const runs::Summary& s = figures.seconds;
  const std::string interval = milliseconds(s.low) + ".." + milliseconds(s.high);
  const auto extra = outcome.memory ? std::optional(1e-6 * static_cast<double>(*outcome.memory)) : std::nullopt;
  return text("%11s %11s %22s %6.2f %6s %6s %8s", milliseconds(s.min).c_str(), milliseconds(s.median).c_str(),
              interval.c_str(), figures.gigabytes_per_second, number(figures.to_scalapack).c_str(),
              number(figures.to_memcpy).c_str(), number(extra).c_str());
}

void print_entries(std::ostream& out, const Entries& entries) {
  for (const auto& [name, value] : entries) out << text("%-32s: ", name.c_str()) << value << '\n';
}

}  // namespace

void print_head(std::ostream& out, const Element& element, const Input& input, const Description& description) {
  for (const std::string& line : input.title) out << line << '\n';
  out << "\nTiming of the redistribution of block-cyclic matrices, " << element.name << " (" << element.bytes
      << " bytes an element)\n"
      << explanation << "\nThe following parameter values will be used:\n\n";
  std::string names;
  for (const std::string& name : input.algorithms) names += (names.empty() ? "" : " ") + name;
  const Rounds& rounds = input.rounds;
  print_entries(out, {{"algorithms", names},
                      {"rounds to warm up", std::to_string(rounds.warm_up)},
                      {"rounds, minimum and maximum", std::to_string(rounds.min) + " " + std::to_string(rounds.max)},
                      {"seconds of a case", text("%g", rounds.seconds)}});
  print_entries(out, input.parameters);
  for (const Entries* entries : {&description.machine, &description.mpi, &description.library}) {
    out << '\n';
    print_entries(out, *entries);
  }
  out << '\n' << heading << std::flush;
}

void print_case(std::ostream& out, const Verdict& verdict) {
  for (const Outcome& outcome : verdict.times.outcomes) {
    out << beginning(verdict.number, verdict.shown)
        << text(" %-11s %5s %5s %9.2f ", outcome.name.c_str(), number(outcome.facts.steps).c_str(),
                number(outcome.facts.messages).c_str(), 1e-6 * static_cast<double>(verdict.bytes));
    if (outcome.undefined.empty())
      out << measured(verdict, outcome) << ' ' << check_text(outcome) << '\n';
    else
      out << text("%11s %11s %22s %6s %6s %6s %8s -  ", "-", "-", "-", "-", "-", "-", "-") << outcome.undefined << '\n';
    if (outcome.failed())
      out << "     " << outcome.wrong.count << " elements wrong in all calls; " << outcome.wrong.first << '\n';
  }
  out << std::flush;
}

void print_skipped(std::ostream& out, int number, const Case& c, int size) {
  out << beginning(number, c) << " skipped: the case needs " << processes(c) << " processes, there are " << size << '\n'
      << std::flush;
}

void print_worst(std::ostream& out, const std::vector<Verdict>& verdicts) {
  std::vector<std::pair<double, const Verdict*>> ratios;
  for (const Verdict& verdict : verdicts)
    for (const Outcome& outcome : verdict.times.outcomes)
      if (outcome.name == "drop-in" && outcome.undefined.empty())
        if (const auto ratio = figures_of(verdict, outcome).to_scalapack) ratios.emplace_back(*ratio, &verdict);
  if (ratios.empty()) return;
  std::ranges::sort(ratios, std::ranges::greater(), &std::pair<double, const Verdict*>::first);
  out << text("\nDrop-in to ScaLAPACK's routine, %zu cases: median %.3f; the worst:\n", ratios.size(),
              ratios[ratios.size() / 2].first);
  for (std::size_t k = 0; k < std::min<std::size_t>(ratios.size(), 5); ++k)
    out << beginning(ratios[k].second->number, ratios[k].second->shown) << text(" %.3f\n", ratios[k].first);
}

void print_end(std::ostream& out, const Counts& counts) {
  out << "\nFinished " << counts.passed + counts.failed << " tests, with the following results:\n";
  const auto line = [&](Index count, const char* what) {
    out << text("%7s ", number(std::optional(count)).c_str()) << what;
  };
  line(counts.passed, "tests passed.\n");
  line(counts.failed, "tests failed.\n");
  line(counts.undefined, "tests not run: the algorithm is not defined for the case.\n");
  line(counts.skipped, "cases skipped: they need more processes than there are.\n\n");
  out << "END OF TESTS.\n" << std::flush;
}

}  // namespace drivers
