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
static_assert(sizeof(Contribution) == 4 * sizeof(Index) + sizeof(Values) && std::is_trivially_copyable_v<Contribution>);

// What process 0 broadcasts.
struct First {
  CallId call;
  Values values;
};

}  // namespace

// A letter of ASCII has seven bits, so the first bit of the number is 0.
Index packed_name(std::string_view name) {
  Index packed = 0;
  for (std::size_t k = 0; k < sizeof packed; ++k) packed = 256 * packed + (k < name.size() ? name[k] & 127 : 0);
  return packed;
}

std::string unpacked_name(Index number) {
  std::string name;
  for (int shift = 56; shift >= 0; shift -= 8)
    if (const auto letter = static_cast<char>(number >> shift & 127); letter != 0) name += letter;
  return name;
}

ContributionRange compare(const Contribution& contribution, std::span<Index> words, MPI_Comm comm, Progress& progress) {
  const auto [min, max] = extremes(std::bit_cast<Words<Contribution>>(contribution), words, comm, progress);
  return {std::bit_cast<Contribution>(min), std::bit_cast<Contribution>(max)};
}

std::optional<ValueRange> compare_with_first(const CallId& call, const Values& values, MPI_Comm comm,
                                             Progress& progress) {
  First told{call, values};
  broadcast(&told, static_cast<int>(sizeof told / sizeof(Index)), MPI_INT64_T, comm, progress);
  const auto& [call_of_first, of_first] = told;
  const auto mine = std::bit_cast<Words<Values>>(values), first = std::bit_cast<Words<Values>>(of_first);
  if (of_first.matrices[0].roster < 0 || of_first.matrices[1].roster < 0) return std::nullopt;
  auto min = first, max = first;  // process 0 knows all values
  for (std::size_t k = 0; k < mine.size(); ++k) {
    if (mine[k] == unknown) continue;
    min[k] = std::min(mine[k], first[k]);
    max[k] = std::max(mine[k], first[k]);
  }
  return ValueRange{call_of_first, std::bit_cast<Values>(min), std::bit_cast<Values>(max)};
}

}  // namespace xredist::core
