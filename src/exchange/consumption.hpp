// SPDX-License-Identifier: BSD-3-Clause
// The memory of A that goes back to the system while an exchange sends A.
#pragma once

#include <cstdint>
#include <vector>

#include "exchange/pages.hpp"
#include "plan/batch.hpp"

namespace xredist::core {

/// The local array A of a job that consumes it, as lines: columns of a matrix, or runs of an array along the axes that
/// are fastest in memory. The bytes of a line are given up when all of its elements have left, so lines cost little
/// even if messages have short runs. Nothing fails: if there is no memory for the numbers of a line, A keeps its pages.
class Consumption {
 public:
  /// Asks for small pages of A and B. The job outlives the object.
  explicit Consumption(const Job& job) noexcept;

  /// Records that the elements of a transfer have been sent, or copied to B.
  void left(const Transfer& transfer) noexcept;
  /// Returns to the system the whole pages of the lines that have left.
  void release() noexcept { pages_.release(); }

 private:
  // An axis across the lines: local indices of A, and the distance of neighbours among the numbers of lines.
  struct Across {
    Interval held;
    Index step;
  };
  // The elements of a transfer along an axis across the lines: what each adds to the number and to the place of a line.
  struct Part {
    Index line, offset;
  };
  using Parts = std::vector<Part>;

  void set_lines();
  Interval held_along(const Axis& axis, Index p, Index n);
  void add_across(const Interval& held);
  bool lines_are_runs() const;
  Pages pages() const;
  Parts rows_of(const Transfer& transfer) const;
  std::vector<Parts> cols_of(const Transfer& transfer) const;
  Index columns_in_line(const Transfer& transfer) const;
  void leave(const Transfer& transfer);
  void leave_line(const Part& line, Index units);
  void leave_runs(const Part& line, const Transfer& transfer);

  const Job* job_;
  std::vector<Across> across_{};  // the rows of a transposed A, then the groups of columns across the lines
  Interval along_{};              // local indices of a line, in elements of the matrix
  bool gaps_ = false;             // some elements of a line do not move
  Index lines_ = 1;
  std::vector<std::uint32_t> to_go_{};  // units of each line that have not left; empty until a part of a line leaves
  Pages pages_{};
};

}  // namespace xredist::core
