// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack/values.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>

namespace xredist::core {
namespace {

template <class Compared>
using Words = std::array<Index, sizeof(Compared) / sizeof(Index)>;
static_assert(sizeof(Values) == sizeof(Index) * (max_fields + 22) && std::is_trivially_copyable_v<Values>);
static_assert(sizeof(Contribution) == 2 * sizeof(Index) + sizeof(Values) && std::is_trivially_copyable_v<Contribution>);

}  // namespace

ContributionRange compare(const Contribution& contribution, MPI_Comm comm, Progress& progress) {
  const auto [min, max] = extremes(std::bit_cast<Words<Contribution>>(contribution), comm, progress);
  return {std::bit_cast<Contribution>(min), std::bit_cast<Contribution>(max)};
}

std::optional<ValueRange> compare_with_first(const Values& values, MPI_Comm comm, Progress& progress) {
  const auto mine = std::bit_cast<Words<Values>>(values);
  auto first = mine;
  broadcast(first.data(), static_cast<int>(first.size()), MPI_INT64_T, comm, progress);
  const auto of_first = std::bit_cast<Values>(first);
  if (of_first.matrices[0].roster < 0 || of_first.matrices[1].roster < 0) return std::nullopt;
  auto min = first, max = first;  // process 0 knows all values
  for (std::size_t k = 0; k < mine.size(); ++k) {
    if (mine[k] == unknown) continue;
    min[k] = std::min(mine[k], first[k]);
    max[k] = std::max(mine[k], first[k]);
  }
  return ValueRange{std::bit_cast<Values>(min), std::bit_cast<Values>(max)};
}

}  // namespace xredist::core
