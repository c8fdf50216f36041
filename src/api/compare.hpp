// SPDX-License-Identifier: BSD-3-Clause
// Processes compare arguments that should be equal on all of them.
#pragma once

#include <array>
#include <new>
#include <optional>
#include <utility>

#include "api/arguments.hpp"
#include "exchange/errors.hpp"
#include "exchange/extremes.hpp"

namespace xredist::core {

/// An argument that should be equal on all processes that know its value.
struct Compared {
  ArgumentRef name;
  Index value;  ///< `unknown` on a process that does not know it
  /// Follows the name in the message about a difference. nullptr: " differs between processes: from <min> to <max>".
  const char* difference = nullptr;
};

/// For arguments whose values say nothing in a message, such as hashes.
inline constexpr const char* differs = " differs between processes";

/// Returns the error that processes pass different values of an argument; nothing if `min` equals `max`.
MaybeError difference_error(const ArgumentRef& argument, Index min, Index max);

/// Compares arguments between the processes of comm by one reduction. Returns, on all processes, the error of the first
/// argument that differs. Afterwards all processes have the maximum of the known values. Collective.
template <std::size_t N>
MaybeError first_difference(std::array<Compared, N>& arguments, MPI_Comm comm, Progress& progress) {
  std::array<Index, N> values;
  std::ranges::transform(arguments, values.begin(), &Compared::value);
  const auto [min, max] = extremes(values, comm, progress);
  MaybeError error;
  for (std::size_t k = 0; k < N; ++k) {
    arguments[k].value = max[k];
    if (error || min[k] == max[k]) continue;
    const auto& [name, value, difference] = arguments[k];
    error = difference != nullptr ? ArgumentError{name, difference} : difference_error(name, min[k], max[k]);
  }
  return error;
}

/// The error in the arguments of this process, or a lack of memory for its sentence: the other processes wait to be
/// told of either.
struct Finding {
  MaybeError error;
  bool lacks_memory = false;

  bool nothing() const { return !error && !lacks_memory; }
};

/// Returns the finding of `check`, which returns a MaybeError.
template <class Check>
Finding finding_of(const Check& check) {
  try {
    return {check()};
  } catch (const std::bad_alloc&) {
    return {{}, true};
  }
}

/// Checks the arguments of this process, and compares some of them as first_difference does. `check` returns a
/// MaybeError. If it finds an error on any process, all processes return an error: their own, or that another process
/// has one. If it lacks memory on any process, all throw OutOfMemorySomewhere. Collective.
template <class Check, std::size_t N>
MaybeError first_error(const Check& check, std::array<Compared, N>& arguments, MPI_Comm comm, Progress& progress) {
  constexpr Index valid = 0, invalid = 1, lacks_memory = 2;
  Finding own = finding_of(check);
  std::array<Compared, N + 1> all{{{{"an argument"}, valid, " is invalid on another process"}}};
  std::ranges::copy(arguments, all.begin() + 1);
  Index& worst = all.front().value;  // of this process, and of all after the comparison
  worst = own.lacks_memory ? lacks_memory : own.error ? invalid : valid;
  MaybeError error = first_difference(all, comm, progress);
  if (worst == lacks_memory) throw OutOfMemorySomewhere();
  std::copy(all.begin() + 1, all.end(), arguments.begin());
  return own.error ? std::move(own.error) : std::move(error);
}

}  // namespace xredist::core
