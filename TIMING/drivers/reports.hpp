// SPDX-License-Identifier: BSD-3-Clause
// What is reported of a case and of an algorithm: a table in the manner of ScaLAPACK's own timing programs, and records
// for programs.
#pragma once

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "drivers/rounds.hpp"
#include "runs/statistics.hpp"

namespace drivers {

struct Verdict {
  Case shown;
  int number;   ///< from 1
  Index bytes;  ///< of the elements that move
  CaseTimes times;
};

struct Counts {
  Index passed = 0, failed = 0;  ///< algorithms of cases
  Index undefined = 0;
  Index skipped = 0;  ///< cases
};

/// Of an algorithm that has been timed. Ratios are of medians, below 1 where it is the faster.
struct Figures {
  runs::Summary seconds;
  double gigabytes_per_second;
  std::optional<double> to_scalapack;  ///< nothing where ScaLAPACK's routine has not been timed
  std::optional<double> to_memcpy;     ///< nothing where a copy is too short to be timed
};
Figures figures_of(const Verdict& verdict, const Outcome& outcome);

/// "passed", "FAILED" or "-"
std::string check_text(const Outcome& outcome);

/// The machine, the MPI and the library of the measurement. Called by all processes; the machine is that of process 0.
using Entries = std::vector<std::pair<std::string, std::string>>;
struct Description {
  Entries machine, mpi, library;
};
Description describe();

/// Banner, explanation of the columns, parameter values, headings; a line for each algorithm, and what is wrong.
void print_head(std::ostream& out, const Element& element, const Input& input, const Description& description);
void print_case(std::ostream& out, const Verdict& verdict);
void print_skipped(std::ostream& out, int number, const Case& c, int size);
/// The median of the ratios of drop-in to ScaLAPACK's routine, and the cases with the greatest.
void print_worst(std::ostream& out, const std::vector<Verdict>& verdicts);
void print_end(std::ostream& out, const Counts& counts);

/// A row for each case and algorithm, in seconds and bytes. Cells without a value are empty.
void write_csv_header(std::ostream& out);
void write_csv(std::ostream& out, const Verdict& verdict);

/// Everything, as JSON. "version" grows when the meaning of a member changes.
void write_json(std::ostream& out, const Element& element, const Input& input, const Description& description,
                const std::vector<Verdict>& verdicts, const Counts& counts);

}  // namespace drivers
