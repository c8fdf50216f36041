// SPDX-License-Identifier: BSD-3-Clause
// A redistribution that xschedule shows, its schedules as lists of messages, their costs, tables, records and pictures.
// Costs count the grids as disjoint, as in the papers, so a message to oneself costs as much as any other. Tables and
// pictures of large grids are cut; records are complete.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "schedule/algorithm.hpp"
#include "schedule/cost.hpp"
#include "schedules/case.hpp"

namespace xschedule {

using namespace xredist::core;

/// A dimension of an array: its distributions, and the number of elements copied.
struct Dimension {
  Axis a, b;
  Index n;
};

struct Shown {
  std::string title;
  cases::Case c;
  Traffic traffic;
  Network network;    ///< seconds
  int per_node;       ///< processes of a node; 0: unknown
  std::string route;  ///< a mesh, as the option `route` names it
  std::vector<Dimension> dimensions;
};

/// Completes a case. Without a size, each axis gets one period, lcm(P r, Q s), or all elements up to the end of the
/// partitions. Throws std::invalid_argument, with a line that names the argument, if the case is too large to be listed
/// or larger than its partitions.
Shown shown(cases::Case c, const Network& network, int per_node, const std::string& route);

/// Returns the number of pairs of processes that share an element.
Index messages_of(const Traffic& traffic);

/// A message or a part of one. Processes are numbered row-major in their own grid.
struct ListedPart {
  Index step, sender, receiver, elements;
  Index forwarded = 0;  ///< elements, over a mesh, whose final receiver or first sender is a third process

  /// Both ends have the same number and count as one process, though the papers draw the grids apart.
  bool to_self() const { return sender == receiver; }
};

struct ListedSchedule {
  std::string name;
  bool half_duplex;  ///< process i of A is process i of B, and sends or receives one message at a time
  Index senders, receivers, steps;
  std::vector<ListedPart> parts;  ///< ordered by step, sender, receiver
  int hop = 1;                    ///< or the number of the pass
  bool is_pass = false;           ///< one of several redistributions in a row (papers/walker_otto.hpp)
  std::string mesh = {};          ///< radices in the order of the hops, as "16x16"; empty: messages are not forwarded
  Index stored = 0;               ///< in the first hop: maximum of elements that a process forwards in all hops

  bool over_mesh() const { return !mesh.empty(); }
  std::string title() const {
    return over_mesh() || is_pass ? name + (is_pass ? ", pass " : ", hop ") + std::to_string(hop) : name;
  }
};

/// Returns the algorithms of the library and of the papers, Walker & Otto's passes, and the route over a mesh. Only
/// schedules_of() can make the schedules of the last two. `route` must outlive the result.
std::vector<Algorithm> choices(std::string_view route);

ListedSchedule listed_schedule(const std::string& name, const Traffic& traffic, const Schedule& schedule);

/// Returns one schedule, one for each hop over a mesh or each pass, none if the algorithm is not defined.
std::vector<ListedSchedule> schedules_of(const Algorithm& algorithm, const Shown& c);

/// Returns the reason why an algorithm has no schedule.
std::string why_undefined(const Algorithm& algorithm, const Shown& c);

/// Returns the schedules of all hops, as the library makes them when it can store all forwarded elements. All elements
/// that a process sends to another in one hop are one message. Empty if the mesh is one row or one column, or very
/// large.
std::vector<ListedSchedule> hops_of(const std::string& name, const Shown& c);

/// Returns the mesh and the steps in a few words; or the number of passes and the steps.
std::string described_hops(const std::vector<ListedSchedule>& hops);
std::string described_passes(const std::vector<ListedSchedule>& passes);

struct Occupation {
  Index messages = 0, elements = 0;
};

/// Returns, for each step, the maxima over all processes of the messages and of the elements that one process sends or
/// receives. In a proper schedule these are one message and the length of the longest message.
std::vector<Occupation> busiest(const ListedSchedule& schedule);

/// Returns the maxima over all processes of what a process sends or receives in all steps.
Occupation busiest_of(ListedSchedule schedule);

/// Returns the sum over the steps. In a proper schedule: the number of steps that are not empty, and T.
Occupation total(const std::vector<Occupation>& steps);

/// Returns whether no process sends two parts in one step, or receives two.
bool proper(const std::vector<Occupation>& steps);

/// The time in which a part travels (s).
struct Span {
  double start, end;
};

/// Simulates the schedule without barriers. Each process has one port for sending and one for receiving (one for both
/// if half duplex). Each port takes its parts in the order of step and sender. A part starts when both ports have
/// finished all parts before it, and takes alpha + beta times its elements.
std::vector<Span> timeline(const ListedSchedule& schedule, const Network& network);

double end_of(const std::vector<Span>& spans);

/// The costs of an algorithm; with several passes or hops, the sum of all.
struct Verdict {
  std::string name, note = {};
  bool defined = false;
  Index steps = 0;              ///< of the schedule, with empty steps
  Index rounds = 0, total = 0;  ///< S and T: the sum of busiest() over the steps
  double barriers = 0;          ///< alpha S + beta T: seconds with a barrier after each step
  double predicted = 0;         ///< seconds without barriers: the end of timeline()
};

Verdict verdict_on(const Algorithm& algorithm, const std::vector<ListedSchedule>& schedules, const Shown& c);

/// Returns Delta and T*.
Bounds bounds_of(const Traffic& traffic);

/// Returns alpha Delta + beta T*. With a barrier after each step, no schedule of direct messages takes less time.
/// Without barriers, none does if one process has both Delta messages and T* elements; otherwise a schedule can take
/// less.
double min_time(const Bounds& bounds, const Network& network);

/// Prints all algorithms side by side.
void print_comparison(std::ostream& out, const std::vector<Verdict>& verdicts, const Bounds& bounds,
                      const Network& network);

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

/// Writes a line for each part; steps count from 0.
void write_csv_header(std::ostream& out);
void write_csv(std::ostream& out, const ListedSchedule& schedule);

/// Draws, for each algorithm, the sends and receives of every process over time, coloured by step, all on one scale,
/// which counts in multiples of the bound. A hop or a pass begins when the one before ends.
void write_svg(std::ostream& out, const Shown& c, const Bounds& bounds, const std::vector<ListedSchedule>& schedules);

/// Returns an algorithm and its schedules as JSON for a page. Schedules of many processes are cut.
std::string algorithm_json(const Verdict& verdict, const std::vector<ListedSchedule>& schedules);

/// Writes a page of HTML: the array, the messages step by step, costs, and the target grid that keeps the most
/// elements. `algorithms`: JSON of all. `first`: names of those that are shown at first.
void write_page(std::ostream& out, const Shown& c, const Bounds& bounds, const std::vector<std::string>& algorithms,
                const std::vector<std::string>& first);

}  // namespace xschedule
