// SPDX-License-Identifier: BSD-3-Clause
// Tables, records and pictures of schedules. Tables and pictures of large grids are cut; records are complete.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "schedules/costs.hpp"

namespace xschedule {

using Row = std::vector<std::string>;

/// Prints rows in columns as wide as their widest cell. The first column, and the last column if it is text, are
/// aligned to the left, the others to the right.
void print_columns(std::ostream& out, const std::vector<Row>& rows, bool last_is_text = false);

/// Returns a step in the notation of the papers: a, b, ..., z, aa, ab, ...
std::string letters(Index step);

/// Returns seconds as text in microseconds.
std::string microseconds(double seconds);

/// Prints the mesh and, for each hop, the steps, the maximum load of a process and the elements that a forwarder
/// stores.
void print_hops(std::ostream& out, const std::vector<ListedSchedule>& hops);

/// Prints the elements and the step of every message, as tables 2, 4, 6, 8, 11, 13 of Desprez et al. 1998 do.
void print_grid(std::ostream& out, const ListedSchedule& schedule);

/// Prints the cost of each step, as tables 3, 5, 7, 9, 12, 14 do. Long lists are cut; the total covers all steps.
void print_costs(std::ostream& out, const ListedSchedule& schedule);

/// Writes a line for each part; steps count from 0, and a message to oneself has step -1.
void write_csv_header(std::ostream& out);
void write_csv(std::ostream& out, const ListedSchedule& schedule);

/// Writes the case, the bounds, the costs of all algorithms and the messages of the schedules.
void write_json(std::ostream& out, const Shown& c, const Bounds& bounds, const std::vector<Verdict>& verdicts,
                const std::vector<ListedSchedule>& schedules);

/// Draws, for each schedule, the sends and receives of every process over time, coloured by step, all on one scale. A
/// hop begins when the one before ends.
void write_svg(std::ostream& out, const Shown& c, const Bounds& bounds, const std::vector<ListedSchedule>& schedules);

}  // namespace xschedule
