// SPDX-License-Identifier: BSD-3-Clause
// The messages of a redistribution and their steps: pure arithmetic, with the same result on every process.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "layout/layout.hpp"
#include "layout/traffic.hpp"

namespace xredist::core {

/// The rank of each process of A's and of B's grid, row-major: positions with one rank are one process. Empty: the
/// grids count as disjoint.
struct Ranks {
  std::span<const int> a, b;
};

/// The part of a message that travels in one step: the fraction `weight` / (sum of the weights of the message).
struct Part {
  Index step, weight;
};

/// The parts of a message. One part, as most messages have, takes no memory of its own.
class Parts {
 public:
  Parts() = default;
  explicit Parts(const Part& only) : count_(1), first_(only) {}
  Parts(std::initializer_list<Part> parts) {
    for (const Part& part : parts) push_back(part);
  }

  void push_back(const Part& part) {
    if (count_ == 1) several_.assign(1, first_);
    (count_ == 0 ? first_ : several_.emplace_back()) = part;
    ++count_;
  }

  void reserve(std::size_t count) {
    if (count > 1) several_.reserve(count);
  }

  std::size_t size() const { return count_; }
  const Part& front() const { return *begin(); }
  const Part* begin() const { return count_ > 1 ? several_.data() : &first_; }
  const Part* end() const { return begin() + count_; }
  Part* begin() { return count_ > 1 ? several_.data() : &first_; }
  Part* end() { return begin() + count_; }

 private:
  std::size_t count_ = 0;
  Part first_{};
  std::vector<Part> several_;  // all parts, if there are several
};

struct AxisSchedules;

/// A schedule. parts(p, q) returns the parts of sender p's message for receiver q, for every pair that has a message:
/// mostly one part. Steps are in [0, count). In a proper schedule no process sends two parts in one step, nor receives
/// two. A message to oneself has a step like any other, unless the schedule was made without own messages (THEORY.md,
/// T32): then an own message is whole, and its step 0 has no meaning.
struct Schedule {
  Index count;
  std::function<Parts(Coord p, Coord q)> parts;
  std::shared_ptr<const AxisSchedules> axes = {};  ///< of a product: its factors, by which the parts follow
};

/// The factors of a product: a schedule of the rows alone, and one of the columns alone. Each step of the rows contains
/// all steps of the columns.
struct AxisSchedules {
  Schedule rows, cols;

  Parts of_row(Index p, Index q) const { return rows.parts({p, 0}, {q, 0}); }
  Parts of_col(Index p, Index q) const { return cols.parts({0, p}, {0, q}); }
  /// Returns the parts of the message with these parts along both axes (THEORY.md, T3).
  Parts both(const Parts& of_row, const Parts& of_col) const;
};

/// Calls visit(i, j, parts) for the messages of each pair of rows with each pair of columns, which are pairs (sender's,
/// receiver's). The factors of a product are evaluated once for each pair of an axis, not for each message.
template <class Visit>
void for_messages(const Schedule& schedule, std::span<const std::pair<Index, Index>> rows,
                  std::span<const std::pair<Index, Index>> cols, const Visit& visit) {
  std::vector<Parts> of_cols;
  if (schedule.axes != nullptr) {
    of_cols.reserve(cols.size());
    for (const auto& [p, q] : cols) of_cols.push_back(schedule.axes->of_col(p, q));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& [p_row, q_row] = rows[i];
    if (schedule.axes != nullptr) {
      const Parts of_row = schedule.axes->of_row(p_row, q_row);
      for (std::size_t j = 0; j < cols.size(); ++j) visit(i, j, schedule.axes->both(of_row, of_cols[j]));
    } else {
      for (std::size_t j = 0; j < cols.size(); ++j)
        visit(i, j, schedule.parts({p_row, cols[j].first}, {q_row, cols[j].second}));
    }
  }
}

/// A message or a part of it, as its sender or its receiver sees it: the given rows and columns, counted from 0 among
/// those that the two processes share. Parts cut the longer side.
struct Message {
  Index step;
  Coord peer;  ///< in the other grid
  Interval rows, cols;

  Index elements() const { return rows.length() * cols.length(); }
};

/// Return the messages that a process sends (receives), in the order of their steps. Take time proportional to the
/// process's blocks in one period.
std::vector<Message> sends_of(const Traffic& traffic, const Schedule& schedule, Coord p);
std::vector<Message> receives_of(const Traffic& traffic, const Schedule& schedule, Coord q);

/// Returns a schedule with the minimum number of steps, that is, the maximum number of messages that one process sends
/// or receives: periodic_schedule if both axes are at least a period long, otherwise coloured_schedule. If there are
/// few messages, messages to oneself take no step (graph_of).
Schedule optimal_schedule(const Traffic& traffic, const Ranks& ranks = {});

/// Returns a step-optimal schedule if both axes are at least a period long (THEORY.md, T13). Computes nothing of the
/// size of a grid.
Schedule periodic_schedule(const Traffic& traffic);

/// Returns a schedule for any lengths by colouring the graph of the messages that exist. Step-optimal unless the graph
/// is large and rows and columns are heavier on opposite sides; then below twice the minimum (THEORY.md, T15). With
/// `max_edges` the work is bounded, and axes of many messages take some more steps: an axis with more than `max_edges`
/// pieces is coloured in stretches (T19), other large axes with a few more colours than the minimum.
Schedule coloured_schedule(const Traffic& traffic, std::optional<double> max_edges = std::nullopt);

/// Return orders that depend on the numbers of processes only. caterpillar (Prylli & Tourancheau 1996, section 3.3): in
/// step d processes i and -i-d (modulo) exchange. reference: the caterpillar as ScaLAPACK's routine runs it; the lower
/// number of a pair sends first and then receives, so a round is two steps. shifted: process p sends to p first, then
/// to p + 1 ... (modulo). rank: every process sends to receiver 0 first, then to 1 ...: not a proper schedule.
Schedule caterpillar_schedule(const Traffic& traffic);
Schedule reference_schedule(const Traffic& traffic);
Schedule shifted_schedule(const Traffic& traffic);
Schedule rank_schedule(const Traffic& traffic);

/// Return the traffic of one axis alone, as if the other had one element.
Traffic rows_alone(const Traffic& traffic);
Traffic cols_alone(const Traffic& traffic);

/// Returns the product of a schedule of the rows alone and a schedule of the columns alone: each step of `rows`
/// contains all steps of `cols` (THEORY.md, T3).
Schedule product(Schedule rows, Schedule cols);

/// Exchange the roles of A and B.
Traffic reversed(const Traffic& traffic);
Schedule reversed(Schedule schedule);

}  // namespace xredist::core
