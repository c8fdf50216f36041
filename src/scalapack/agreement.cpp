// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack/agreement.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "exchange/progress.hpp"

namespace xredist::core {
namespace {

using Words = std::array<Index, 1 + 9 + 2 * 9>;
static_assert(sizeof(Ballot) == sizeof(Words) && std::is_trivially_copyable_v<Ballot>);

Words negated(Words values) {
  for (Index& value : values)
    if (value != unknown) value = -value;
  return values;
}

}  // namespace

Outcome compare(const Ballot& ballot, bool by_first, MPI_Comm comm, LibraryLock& lock) {
  struct {
    Words values, negatives;
  } both{std::bit_cast<Words>(ballot), negated(std::bit_cast<Words>(ballot))};
  static_assert(sizeof both == 2 * sizeof(Words));
  if (by_first) {
    Words first = both.values;
    broadcast(first.data(), static_cast<int>(first.size()), MPI_INT64_T, comm, lock);
    const Agreement values = std::bit_cast<Ballot>(first).values;
    by_first = values.a.roster >= 0 && values.b.roster >= 0;
    if (by_first) {
      const auto max = [](Index x, Index y) { return std::max(x, y); };
      std::ranges::transform(both.values, first, both.values.begin(), max);
      std::ranges::transform(both.negatives, negated(first), both.negatives.begin(), max);
    }
  }
  if (!by_first) reduce(&both, 2 * static_cast<int>(both.values.size()), MPI_INT64_T, MPI_MAX, comm, lock);
  return {std::bit_cast<Ballot>(negated(both.negatives)), std::bit_cast<Ballot>(both.values), by_first};
}

}  // namespace xredist::core
