// SPDX-License-Identifier: BSD-3-Clause
// Output: a table in the form of ScaLAPACK's timing programs, CSV and JSON.
#pragma once

#include <fstream>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "drivers/input.hpp"

namespace drivers {

struct Verdict {
  Case shown;
  int number;                     ///< from 1
  Index bytes;                    ///< of the elements that move
  std::optional<Index> messages;  ///< pairs of different processes that exchange elements; unknown for trapezoids
  double bound = 0;               ///< seconds in which the busiest port carries its bytes; 0: unknown
  CaseTimes times;
};

struct Counts {
  Index passed = 0, failed = 0;  ///< algorithms of cases
  Index undefined = 0;
  Index skipped = 0;  ///< cases
};

/// A value of a column of CSV; nothing if it is unknown.
struct Cell {
  using Value = std::variant<std::monostate, Index, double, std::string>;
  std::string_view column;
  Value value;
};
using Row = std::vector<Cell>;

/// Returns what identifies a case, as the first columns of a row.
Row case_row(int number, const Case& c);

/// Returns a row of results, in seconds and bytes. Ratios are ratios of medians; below 1 the algorithm is faster. The
/// row of an algorithm that has not been timed has no figures.
Row row_of(const Verdict& verdict, const Outcome& outcome);

/// Returns the median of the contender divided by that of ScaLAPACK's routine, or nothing if one was not timed.
std::optional<double> to_scalapack(const CaseTimes& times, const Outcome& outcome);

using Entries = std::vector<std::pair<std::string, std::string>>;

/// Describes the machine of rank 0, the MPI and the library. Collective.
std::vector<Entries> describe();

/// Returns the text of a file on rank 0, to all processes. Throws std::runtime_error on all of them.
std::string shared_text(const std::string& file);

/// The output files of rank 0. They are opened before the work begins, so that a wrong name is reported at once.
struct Outputs {
  /// Collective; throws std::runtime_error on all processes.
  Outputs(const Input& input, const std::string& csv_name);

  /// Closes the files. Throws if a file could not be written.
  void close();

  std::ofstream report_file, csv;  ///< open if they are wanted
  std::ostream* report = &report_file;
};

/// Returns the values of the input that are not those of a case, with their names.
Entries parameters_of(const Input& input);

/// Prints the banner, an explanation of the columns, parameter values and headings; for each case a line, and a line
/// for each algorithm.
void print_head(std::ostream& out, const Element& element, const Input& input, const std::vector<Entries>& description);
void print_case(std::ostream& out, const Verdict& verdict);
void print_skipped(std::ostream& out, int number, const Case& c, int size);
/// Prints the median of the ratios of drop-in to ScaLAPACK's routine, and the cases with the largest ratios.
void print_worst(std::ostream& out, const std::vector<Verdict>& verdicts);
void print_end(std::ostream& out, const Counts& counts);

/// The form of a report: a table for people, of lines with at most 120 columns; CSV or JSON for programs.
enum class Format { table, csv, json };

/// A report that grows case by case. Values that are unknown are empty in CSV, null in JSON.
class Report {
 public:
  Report(std::ostream& out, Format format) : out_(&out), format_(format) {}

  void begin(const Element& element, const Input& input, const std::vector<Entries>& description);
  void add(const Verdict& verdict);
  void skip(int number, const Case& c, int size);
  /// `sweep`: the random cases, of which a table lists the worst.
  void end(const Counts& counts, const std::vector<Verdict>& sweep);

 private:
  std::ostream* out_;
  Format format_;
  bool empty_ = true;
};

}  // namespace drivers
