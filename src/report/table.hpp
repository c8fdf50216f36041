// SPDX-License-Identifier: BSD-3-Clause
// The table of calls that XREDIST_REPORT=1 and xredist-try print.
#pragma once

#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "layout/layout.hpp"

namespace xredist::core {

/// A distribution as the table shows it.
struct Shape {
  Index mb, nb;  ///< block sizes; -k: a partition of k intervals; 0: several axes of an array
  Index nprow, npcol;
};

/// Calls that share a row of the table. Rows are sent as bytes, so they contain no pointers.
struct Case {
  char routine[24];  ///< padded with zeros
  Index m, n;
  Shape a, b;

  friend bool operator<(const Case& x, const Case& y) { return std::memcmp(&x, &y, sizeof x) < 0; }
};
static_assert(std::has_unique_object_representations_v<Case>);

Case case_of(std::string_view routine, Index m, Index n, const Shape& a, const Shape& b);

/// The cost of one of the two routines.
struct Cost {
  double seconds = 0;
  Index memory = -1;  ///< bytes by which calls raised the peak of resident memory; -1: not measured
};

struct Row {
  Case key;
  Index calls = 0, bytes = 0;  ///< counted by the first process of each call
  Index different = 0;         ///< elements of B
  Index passed_on = 0;         ///< calls that only the program's own routine carried out
  Cost own{}, xredist{};
};

/// Adds a row of the same process: seconds add up.
void add(Row& row, const Row& call);
/// Adds a row of another process: the slower process and the larger memory count.
void merge(Row& row, const Row& other);

/// Rows, and their total as one more row.
class Rows {
 public:
  Rows();
  /// Takes the rows of all processes.
  explicit Rows(std::span<const Row> of_all);

  /// Returns the row of a case, which is made if there is none.
  Row& operator[](const Case& key);
  /// Adds a call to its row and to the total.
  void add(const Row& call);

  const Row& total() const { return rows_.front(); }
  /// Returns the total followed by the rows.
  const std::vector<Row>& all() const { return rows_; }

 private:
  std::vector<Row> rows_;
  std::map<Case, std::size_t> places_;
};

/// Returns the number of elements of an m x n submatrix that move.
Index elements_of(const Region& region, Index m, Index n);

/// The columns of a table.
enum class TableColumns { xredist, compared, xredist_with_memory };

/// Returns the lines of the table, without line ends: the rows with the most seconds, and the total. run_seconds:
/// duration of the program so far.
std::vector<std::string> lines_of(const Rows& rows, TableColumns columns, double run_seconds);

}  // namespace xredist::core
