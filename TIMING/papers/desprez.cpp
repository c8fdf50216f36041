// SPDX-License-Identifier: BSD-3-Clause
#include "papers/desprez.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "mapping/assignment.hpp"
#include "schedule/classes.hpp"

namespace papers {

using namespace core;

namespace {

constexpr Index max_processes = 128;

// The communication grid while steps are taken out of it: the length of each message that has no step yet, and the step
// of the others. Processes are numbered row-major.
class Grid {
 public:
  explicit Grid(const Traffic& traffic)
      : a_cols_(traffic.cols.a.procs),
        b_cols_(traffic.cols.b.procs),
        senders_(traffic.rows.a.procs * a_cols_),
        receivers_(traffic.rows.b.procs * b_cols_),
        lengths_(as_size(senders_ * receivers_), 0),
        steps_(lengths_.size(), 0),
        left_of_senders_(as_size(senders_), 0),
        left_of_receivers_(as_size(receivers_), 0) {
    for (Coord p{0, 0}; p.row < traffic.rows.a.procs; ++p.row)
      for (p.col = 0; p.col < a_cols_; ++p.col)
        for (const Partner& row : partners(traffic.rows, p.row))
          for (const Partner& col : partners(traffic.cols, p.col)) {
            const Index sender = p.row * a_cols_ + p.col, receiver = row.peer * b_cols_ + col.peer;
            at(lengths_, sender * receivers_ + receiver) = row.length * col.length;
            ++at(left_of_senders_, sender);
            ++at(left_of_receivers_, receiver);
          }
    // Weights of matchings must fit 62 bits. Rounding loses a millionth of the longest message.
    while (std::ranges::max(lengths_) >> 20 > 0)
      for (Index& length : lengths_) length = (length + 1) / 2;
  }

  Index most_left() const { return std::max(std::ranges::max(left_of_senders_), std::ranges::max(left_of_receivers_)); }

  // Takes the heaviest matching out of the grid. Each process that has `urgent` messages left counts more than all
  // lengths together.
  void take_step(Index urgent) {
    const Index size = std::max(senders_, receivers_), most = most_left();
    const Index tie = 2 * size * most + 1, bonus = (std::ranges::max(lengths_) * size + 1) * tie;
    Weights weights{as_size(size)};
    for (Index p = 0; p < senders_; ++p)
      for (Index q = 0; q < receivers_; ++q) {
        const Index length = at(lengths_, p * receivers_ + q), sends = at(left_of_senders_, p),
                    receives = at(left_of_receivers_, q);
        if (length > 0)
          weights(as_size(p), as_size(q)) =
              bonus * ((sends == urgent) + (receives == urgent)) + length * tie + sends + receives;
      }
    const std::vector<std::size_t> sender_of = heaviest_matching(weights);
    for (Index q = 0; q < receivers_; ++q) {
      const auto p = static_cast<Index>(at(sender_of, q));
      if (p >= senders_ || at(lengths_, p * receivers_ + q) == 0) continue;
      at(lengths_, p * receivers_ + q) = 0;
      at(steps_, p * receivers_ + q) = count_;
      --at(left_of_senders_, p);
      --at(left_of_receivers_, q);
    }
    ++count_;
  }

  Schedule schedule() && {
    return {count_, [steps = std::make_shared<const std::vector<Index>>(std::move(steps_)), a_cols = a_cols_,
                     b_cols = b_cols_, receivers = receivers_](Coord p, Coord q) {
              return Parts{{at(*steps, (p.row * a_cols + p.col) * receivers + q.row * b_cols + q.col), 1}};
            }};
  }

 private:
  Index a_cols_, b_cols_, senders_, receivers_, count_ = 0;
  std::vector<Index> lengths_, steps_;                      // of each sender and receiver
  std::vector<Index> left_of_senders_, left_of_receivers_;  // messages
};

bool too_large(const Traffic& traffic) {
  return traffic.rows.a.procs * traffic.cols.a.procs > max_processes ||
         traffic.rows.b.procs * traffic.cols.b.procs > max_processes;
}

constexpr Index nobody = -1;

Classes classes_of(const Overlap& o) { return Classes(o, Classes::Lone::one); }

// Schedules one axis. P and Q processes are blocks of g; a class has one message from each block to each block and
// process in it, so max(P, Q) / g steps serve all blocks of both sides.
Schedule class_after_class(const Overlap& o) {
  const Classes classes = classes_of(o);
  const Index each = std::max(classes.n, classes.m);
  return {classes.W * each, [classes, each](Coord p, Coord q) {
            return Parts{{classes.t(p.row, q.row) * each + modulo(classes.i(p.row) - classes.j(q.row), each), 1}};
          }};
}

}  // namespace

std::optional<Schedule> stepwise(const Traffic& traffic) {
  if (too_large(traffic)) return std::nullopt;
  Grid grid(traffic);
  while (const Index most = grid.most_left()) grid.take_step(most);
  return std::move(grid).schedule();
}

std::optional<Schedule> greedy(const Traffic& traffic) {
  if (too_large(traffic)) return std::nullopt;
  Grid grid(traffic);
  while (grid.most_left() > 0) grid.take_step(nobody);
  return std::move(grid).schedule();
}

std::string_view why_no_classes(const Traffic& traffic) {
  for (const Overlap* o : {&traffic.rows, &traffic.cols}) {
    if (!is_cyclic(*o)) return "needs blocks, not partitions";
    const Classes classes = classes_of(*o);
    if (classes.a > 1 || classes.b > 1) return "needs gcd(r, Q) = gcd(s, P) = 1 along each axis";
  }
  return {};
}

std::optional<Schedule> by_class(const Traffic& traffic) {
  if (!why_no_classes(traffic).empty()) return std::nullopt;
  Schedule cols = class_after_class(traffic.cols);
  return product(class_after_class(traffic.rows), {cols.count, [parts = std::move(cols.parts)](Coord p, Coord q) {
                                                     return parts({p.col, 0}, {q.col, 0});
                                                   }});
}

}  // namespace papers
