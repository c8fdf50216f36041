// SPDX-License-Identifier: BSD-3-Clause
// A position among the runs of a pair of processes.
#pragma once

#include <variant>

#include "layout/overlap.hpp"
#include "layout/product_runs.hpp"
#include "layout/run_table.hpp"

namespace xredist::core {

/// Element `number` of a pair whose runs are tabulated. The table outlives the cursor.
struct TableCursor {
  const RunTable* table;
  Index peer, number;

  RunTable::Pair pair() const { return table->pair(peer); }
};

/// Element `number` of a pair of a product. The runs outlive the cursor.
struct ProductCursor {
  const ProductRuns* runs;
  Index peer, number;
};

/// The next element of a pair along one axis, from which its runs are enumerated: by a table, by Runs, or along the
/// factors of a product. monostate: on a process that only forwards the elements, and does not need their indices.
using RunCursor = std::variant<std::monostate, TableCursor, Runs, ProductCursor>;

}  // namespace xredist::core
