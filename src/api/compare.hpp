// SPDX-License-Identifier: BSD-3-Clause
// Processes compare the functions that they are in, and arguments that should be equal on all of them.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "api/arguments.hpp"
#include "api/everywhere.hpp"
#include "exchange/progress.hpp"
#include "layout/sentence.hpp"

namespace xredist::core {

/// Returns "<first>PDGEMR2D (100 x 80), call 17, but process 3 is in PDTRMR2D (5 x 5), call 17": the call of process 0,
/// and the first one that differs from it. `mine`: this process's call, of which 127 bytes are told. Collective: two
/// broadcasts and a reduction.
Text different_calls(std::string_view first, std::string_view mine, MPI_Comm comm, Progress& progress);

/// Throws InvalidArgument, on all processes, if they are in different functions of the library. Collective: one
/// reduction of a number, so that processes meet here whatever they call.
void demand_same_function(std::string_view name, MPI_Comm comm, Progress& progress);

/// A field, and the value that this process passes.
struct Compared {
  ArgumentRef name;
  Index value;  ///< `unknown` on a process that does not know it
  const char* difference = nullptr;

  Field field() const { return {name, difference}; }
};

/// For arguments whose values say nothing in a message, such as hashes.
inline constexpr const char* differs = " differs between processes";

/// Returns the error that processes pass different values of a field; nothing if `min` equals `max`.
MaybeError difference_error(const Field& field, Index min, Index max);

/// Compares the arguments that the processes of comm have checked and listed, by one reduction. All processes throw the
/// same failure: that of an attempt, or about the first argument that differs. Returns the maximum of the known values
/// of each argument. Collective.
template <std::size_t N>
std::array<Index, N> agreed_values(Attempt<std::array<Compared, N>> mine, MPI_Comm comm, Progress& progress) {
  const auto [rank, failed] = failing(mine.failure(), comm);
  std::array<Index, N + 2> values{rank, failed};
  if (const auto* arguments = mine.get()) std::ranges::transform(*arguments, values.begin() + 2, &Compared::value);
  const auto [min, max] = extremes(values, comm, progress);
  throw_lowest(mine.failure(), {min[0], min[1]}, comm, progress);
  std::array<Index, N> agreed;
  for (std::size_t k = 0; k < N; ++k) {
    const Index least = min[k + 2], greatest = agreed[k] = max[k + 2];
    if (least == greatest) continue;
    const Compared& argument = (*mine.get())[k];
    // All processes fail, with the sentence of the first one: others may have no memory for the sentence.
    everywhere([&] { demand(difference_error(argument.field(), least, greatest)); }, comm, progress);
  }
  return agreed;
}

}  // namespace xredist::core
