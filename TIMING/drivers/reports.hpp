// SPDX-License-Identifier: BSD-3-Clause
// Output: a table in the form of ScaLAPACK's timing programs, and records for programs.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <utility>
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

using Json = nlohmann::ordered_json;

/// Returns what identifies a case, as the first columns of a row.
Json case_row(int number, const Case& c);

/// Returns a row of results by the names of CSV columns, in seconds and bytes; null if unknown. Ratios are ratios of
/// medians; below 1 the algorithm is faster. The row of an algorithm that has not been timed has no figures.
Json row_of(const Verdict& verdict, const Outcome& outcome);

using Entries = std::vector<std::pair<std::string, std::string>>;
struct Description {
  Entries machine, mpi, library;
};

/// Describes the machine of rank 0, the MPI and the library. Collective.
Description describe();

/// Returns the text of a file on rank 0, to all processes. Throws std::runtime_error on all of them.
std::string shared_text(const std::string& file);

/// The output files of rank 0. They are opened before the work begins, so that a wrong name is reported at once.
struct Outputs {
  /// Collective; throws std::runtime_error on all processes.
  Outputs(const Input& input, const std::string& csv_name, const std::string& json_name);

  /// Closes the files. Throws if a file could not be written.
  void close();

  std::ofstream report_file, csv, json;  ///< open if they are wanted
  std::ostream* report = &report_file;
};

/// Prints the banner, an explanation of the columns, parameter values and headings; a line for each algorithm.
void print_head(std::ostream& out, const Element& element, const Input& input, const Description& description);
void print_case(std::ostream& out, const Verdict& verdict);
void print_skipped(std::ostream& out, int number, const Case& c, int size);
/// Prints the median of the ratios of drop-in to ScaLAPACK's routine, and the cases with the largest ratios.
void print_worst(std::ostream& out, const std::vector<Verdict>& verdicts);
void print_end(std::ostream& out, const Counts& counts);

/// Writes the rows of a case, after a header if `out` is empty. Cells without a value are empty.
void write_csv(std::ostream& out, const Verdict& verdict);

/// Writes everything as JSON. "version" grows when the meaning of a member changes.
void write_json(std::ostream& out, const Element& element, const Input& input, const Description& description,
                const std::vector<Verdict>& verdicts, const Counts& counts);

}  // namespace drivers
