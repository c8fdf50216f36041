// SPDX-License-Identifier: BSD-3-Clause
// Who sends what to whom, and in which step. Pure arithmetic: the same on every process.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "layout/layout.hpp"
#include "layout/overlap.hpp"

namespace xredist::core {

/// A submatrix on its way from grid A to grid B. Sender (p.row, p.col) has a message for receiver
/// (q.row, q.col) iff p.row shares rows with q.row and p.col shares columns with q.col.
struct Traffic {
  Overlap rows, cols;
};

/// The rank of each process of A's and of B's grid, row-major: processes of one rank are one process. Empty: the grids
/// are taken as disjoint.
struct Ranks {
  std::span<const int> a, b;
};

/// Part of a message, which travels in one step: `weight` over the sum of the message's weights of it.
struct Part {
  Index step, weight;
};
using Parts = std::vector<Part>;

/// A schedule: the parts of sender p's message for receiver q, for every pair that has a message;
/// mostly one part. Steps are in [0, count). In a proper schedule no process sends two parts in one
/// step, nor receives two. A message to oneself has a step like any other, unless the schedule was made without such
/// messages (THEORY.md, T32): then it is whole, and its step is 0, whatever else the process does there.
struct Schedule {
  Index count;
  std::function<Parts(Coord p, Coord q)> parts;
};

/// One message or part of one, as its sender or its receiver sees it: the given rows and columns,
/// counted from 0 among those that the two processes share. Parts cut the longer side.
struct Message {
  Index step;
  Coord peer;  ///< in the other grid
  Interval rows, cols;

  Index elements() const { return (rows.end - rows.begin) * (cols.end - cols.begin); }
};

/// What a process sends (receives), in the order of its steps. Walks its own blocks of one period.
std::vector<Message> sends_of(const Traffic& traffic, const Schedule& schedule, Coord p);
std::vector<Message> receives_of(const Traffic& traffic, const Schedule& schedule, Coord q);

/// The schedule with the fewest steps: the largest number of messages that one process sends or
/// receives. periodic_schedule where both axes are at least a period long, coloured_schedule
/// otherwise. Messages to oneself take no step where there are few messages (graph_of).
Schedule optimal_schedule(const Traffic& traffic, const Ranks& ranks = {});

/// Both axes are at least one period long (THEORY.md, T13). Nothing of the size of a grid is computed (periodic.cpp).
Schedule periodic_schedule(const Traffic& traffic);

/// Any lengths: colours the graph of the messages that exist (coloured.cpp). Step-optimal unless
/// the graph is large and rows and columns are heavier on opposite sides; then below twice the
/// least (THEORY.md, T15). With `most_edges` the work is bounded, and axes of many messages take some more steps:
/// an axis of more than `most_edges` pieces is coloured in stretches (T19), other large ones with a few more colours
/// than needed.
Schedule coloured_schedule(const Traffic& traffic, double most_edges = std::numeric_limits<double>::infinity());

/// Each axis alone, as if the other had one element.
Traffic rows_alone(const Traffic& traffic);
Traffic cols_alone(const Traffic& traffic);

/// The steps of a schedule of the rows alone, in each of them those of a schedule of the columns alone (THEORY.md, T3).
Schedule product(Schedule rows, Schedule cols);

/// The roles of A and B exchanged.
Traffic reversed(const Traffic& traffic);
Schedule reversed(Schedule schedule);

}  // namespace xredist::core
