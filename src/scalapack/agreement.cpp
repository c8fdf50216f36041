// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack/agreement.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>

namespace xredist::core {
namespace {

template <class Values>
using Words = std::array<Index, sizeof(Values) / sizeof(Index)>;
static_assert(sizeof(Agreement) == sizeof(Index) * (9 + 2 * 9) && std::is_trivially_copyable_v<Agreement>);
static_assert(sizeof(Ballot) == sizeof(Index) + sizeof(Agreement) && std::is_trivially_copyable_v<Ballot>);

template <class Array>
Array negated(Array values) {
  for (Index& value : values)
    if (value != unknown) value = -value;
  return values;
}

// Returns the greater of each two values; of a known and an unknown one, the known one.
template <class Array>
Array maxima(Array x, const Array& y) {
  std::ranges::transform(x, y, x.begin(), [](Index a, Index b) { return std::max(a, b); });
  return x;
}

}  // namespace

Outcome compare(const Ballot& ballot, MPI_Comm comm, Progress& progress) {
  const auto mine = std::bit_cast<Words<Ballot>>(ballot);
  std::array both{mine, negated(mine)};
  reduce(both.data(), 2 * static_cast<int>(mine.size()), MPI_INT64_T, MPI_MAX, comm, progress);
  return {std::bit_cast<Ballot>(negated(both[1])), std::bit_cast<Ballot>(both[0])};
}

std::optional<ValueRange> compare_with_first(const Agreement& values, MPI_Comm comm, Progress& progress) {
  const auto mine = std::bit_cast<Words<Agreement>>(values);
  auto first = mine;
  broadcast(first.data(), static_cast<int>(first.size()), MPI_INT64_T, comm, progress);
  const auto of_first = std::bit_cast<Agreement>(first);
  if (of_first.a.roster < 0 || of_first.b.roster < 0) return std::nullopt;
  return ValueRange{std::bit_cast<Agreement>(negated(maxima(negated(mine), negated(first)))),
                    std::bit_cast<Agreement>(maxima(mine, first))};
}

}  // namespace xredist::core
