// A process's part of a matrix, with contents that show where they belong.
#pragma once

#include <vector>

#include "case.hpp"

namespace networks {

/// Column-major; empty where the process is not in the grid.
class Local {
 public:
  Local(const Distribution& d, Index m, Index n, Index rank);

  /// Gives each element a number of its own.
  void number();
  void clear();
  /// Whether each element has the number that number() would give it.
  bool numbered() const;

  double* data() { return elements_.data(); }
  Index leading() const { return rows_ > 0 ? rows_ : 1; }

 private:
  double value(Index row, Index col) const;

  Distribution d_;
  Index n_, grid_row_, grid_col_, rows_ = 0, cols_ = 0;
  std::vector<double> elements_;
};

}  // namespace networks
