// SPDX-License-Identifier: BSD-3-Clause
// In place of exchange/collectives.cpp: reductions and broadcasts of simulated processes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "exchange/progress.hpp"
#include "simulation.hpp"

namespace xredist::core {
namespace {

template <class Value>
void take_maxima(void* into, const void* from, std::size_t bytes) {
  auto* const values = static_cast<Value*>(into);
  const auto* const others = static_cast<const Value*>(from);
  std::transform(values, values + bytes / sizeof(Value), others, values,
                 [](Value a, Value b) { return std::max(a, b); });
}

}  // namespace

// The library needs the maximum of integers only.
void reduce(void* values, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm, Progress&) {
  EXPECT_EQ(operation, MPI_MAX);
  const auto bytes = static_cast<std::size_t>(count) * static_cast<std::size_t>(type);
  testing::all_reduce(comm, values, bytes, type == MPI_INT ? take_maxima<int> : take_maxima<std::int64_t>);
}

void broadcast(void* values, int count, MPI_Datatype type, MPI_Comm comm, Progress&, int root) {
  testing::broadcast_from(comm, values, static_cast<std::size_t>(count) * static_cast<std::size_t>(type), root);
}

}  // namespace xredist::core
