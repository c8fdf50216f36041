// SPDX-License-Identifier: BSD-3-Clause
#include "api/compare.hpp"

#include <array>

#include "api/failure.hpp"
#include "exchange/communicator.hpp"
#include "exchange/extremes.hpp"
#include "layout/digest.hpp"

namespace xredist::core {
namespace {

using Name = std::array<char, 128>;

Name told_by(int rank, Name mine, MPI_Comm comm, Progress& progress) {
  broadcast(mine.data(), static_cast<int>(mine.size()), MPI_BYTE, comm, progress, rank);
  return mine;
}

}  // namespace

Text different_calls(std::string_view first, std::string_view mine, MPI_Comm comm, Progress& progress) {
  Name own{};
  mine.copy(own.data(), own.size() - 1);
  const Name of_first = told_by(0, own, comm, progress);
  const Index differing = own == of_first ? unknown : Index{rank_in(comm)};
  const int other = static_cast<int>(extremes(std::array{differing}, comm, progress).min[0]);
  const Name of_other = told_by(other, own, comm, progress);
  return Text() << first << of_first.data() << ", but process " << other << " is in " << of_other.data();
}

void demand_same_function(std::string_view name, MPI_Comm comm, Progress& progress) {
  Digest digest;
  digest.add(name);
  const auto [min, max] = extremes(std::array{digest.number()}, comm, progress);
  if (min != max) throw InvalidArgument(different_calls("process 0 of the communicator is in ", name, comm, progress));
}

MaybeError difference_error(const Field& field, Index min, Index max) {
  if (min == max) return {};
  if (field.difference != nullptr) return ArgumentError{field.name, field.difference};
  return ArgumentError{field.name, Text() << differs << ": from " << min << " to " << max};
}

}  // namespace xredist::core
