// SPDX-License-Identifier: BSD-3-Clause
// What is printed and written of schedules. Large grids are cut in tables and pictures, but not in records.
#pragma once

#include <ostream>
#include <vector>

#include "xschedule/comparison.hpp"
#include "xschedule/listed_schedule.hpp"

namespace xschedule {

/// The mesh and, of each hop, the steps and the busiest process; what a process keeps between the hops.
void print_hops(std::ostream& out, const std::vector<ListedSchedule>& hops);

/// Laid out as in the tables of Desprez et al. 1998. Elements and step of every message: tables 2, 4, 6, 8, 11, 13.
void print_grid(std::ostream& out, const ListedSchedule& schedule);

/// What each step costs, and the total: tables 3, 5, 7, 9, 12, 14. Long lists are cut; the total is that of all steps.
void print_costs(std::ostream& out, const ListedSchedule& schedule);

/// The published examples beside the numbers of the papers. False where a number disagrees.
bool print_paper(std::ostream& out);

/// One line for each part; steps from 0, -1 for what a process keeps.
void write_csv_header(std::ostream& out);
void write_csv(std::ostream& out, const ListedSchedule& schedule);

/// The case, the bounds, what every algorithm costs and the messages of the schedules.
void write_json(std::ostream& out, const Shown& c, const Bounds& bounds, const std::vector<Verdict>& verdicts,
                const std::vector<ListedSchedule>& schedules);

/// For each schedule the communication grid, coloured by step, and beside it what every process sends and receives over
/// time, all on one scale. Red is contention: a step has two messages for one process, and a sender waits while its
/// receiver takes the other one. Grey: the receiver is busy with an earlier step. The second
/// hop of two begins when the first one has ended; a dark strip is as long as what is forwarded.
void write_svg(std::ostream& out, const Shown& c, const Bounds& bounds, const std::vector<ListedSchedule>& schedules);

}  // namespace xschedule
