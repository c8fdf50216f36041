// SPDX-License-Identifier: BSD-3-Clause
// A position among the runs of a pair of processes.
#pragma once

#include <variant>

#include "layout/overlap.hpp"
#include "layout/run_table.hpp"

namespace xredist::core {

/// Element `number` of a pair whose runs are tabulated. The table outlives the cursor.
struct TableCursor {
  const RunTable* table;
  Index peer, number;

  RunTable::Pair pair() const { return table->pair(peer); }
};

/// The next element of a pair along one axis, from which its runs are enumerated: by a table, or by Runs. monostate: on
/// a process that only forwards the elements, and does not need their indices.
using RunCursor = std::variant<std::monostate, TableCursor, Runs>;

}  // namespace xredist::core
