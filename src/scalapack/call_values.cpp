// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack/call_values.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>

namespace xredist::core {
namespace {

template <class Values>
using Words = std::array<Index, sizeof(Values) / sizeof(Index)>;
static_assert(sizeof(CallValues) == sizeof(Index) * (9 + 2 * 9) && std::is_trivially_copyable_v<CallValues>);
static_assert(sizeof(Ballot) == sizeof(Index) + sizeof(CallValues) && std::is_trivially_copyable_v<Ballot>);

}  // namespace

Outcome compare(const Ballot& ballot, MPI_Comm comm, Progress& progress) {
  const auto [min, max] = extremes(std::bit_cast<Words<Ballot>>(ballot), comm, progress);
  return {std::bit_cast<Ballot>(min), std::bit_cast<Ballot>(max)};
}

std::optional<ValueRange> compare_with_first(const CallValues& values, MPI_Comm comm, Progress& progress) {
  const auto mine = std::bit_cast<Words<CallValues>>(values);
  auto first = mine;
  broadcast(first.data(), static_cast<int>(first.size()), MPI_INT64_T, comm, progress);
  const auto of_first = std::bit_cast<CallValues>(first);
  if (of_first.a.roster < 0 || of_first.b.roster < 0) return std::nullopt;
  auto min = first, max = first;  // process 0 knows all values
  for (std::size_t k = 0; k < mine.size(); ++k) {
    if (mine[k] == unknown) continue;
    min[k] = std::min(mine[k], first[k]);
    max[k] = std::max(mine[k], first[k]);
  }
  return ValueRange{std::bit_cast<CallValues>(min), std::bit_cast<CallValues>(max)};
}

}  // namespace xredist::core
