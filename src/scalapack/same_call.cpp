// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack/same_call.hpp"

#include <array>
#include <cstdio>
#include <string>
#include <string_view>

#include "exchange/extremes.hpp"
#include "layout/digest.hpp"

namespace xredist::core {
namespace {

using Text = std::array<char, 128>;

Index number_of(std::string_view name) {
  Digest digest;
  digest.add(name);
  return digest.number();
}

// Returns "PDGEMR2D (100 x 80), call 17".
Text text_of(const Routine& routine, Index m, Index n, Index call) {
  Text text{};
  std::snprintf(text.data(), text.size(), "%.40s (%lld x %lld), call %lld", routine.name, static_cast<long long>(m),
                static_cast<long long>(n), static_cast<long long>(call));
  return text;
}

Text told_by(int rank, Text mine, MPI_Comm comm, Progress& progress) {
  broadcast(mine.data(), static_cast<int>(mine.size()), MPI_CHAR, comm, progress, rank);
  return mine;
}

}  // namespace

void demand_same_call(const Routine& routine, Index m, Index n, const Context& context, Progress& progress) {
  const Channel& channel = context.channel();
  const auto [min, max] = extremes(std::array{number_of(routine.name), context.call()}, channel.comm(), progress);
  if (min == max) return;
  const Text mine = text_of(routine, m, n, context.call());
  const Text first = told_by(0, mine, channel.comm(), progress);
  const Index differing = mine == first ? unknown : Index{channel.rank()};
  const int other = static_cast<int>(extremes(std::array{differing}, channel.comm(), progress).min[0]);
  const Text second = told_by(other, mine, channel.comm(), progress);
  demand(routine, ArgumentError{{},
                                std::string("process 0 of the context is in ") + first.data() + ", but process " +
                                    std::to_string(other) + " is in " + second.data()});
}

}  // namespace xredist::core
