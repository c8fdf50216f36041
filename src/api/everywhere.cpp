// SPDX-License-Identifier: BSD-3-Clause
#include "api/everywhere.hpp"

#include <cstdio>
#include <string_view>
#include <type_traits>

namespace xredist::core {
namespace {

static_assert(std::is_trivially_copyable_v<Told>);

// Writes "process <rank>: <sentence>" without allocating.
std::array<char, 512> with_rank(int rank, const std::array<char, 512>& sentence) {
  std::array<char, 512> text{};
  std::snprintf(text.data(), text.size(), "process %d: %.480s", rank, sentence.data());
  return text;
}

}  // namespace

Failing failing(const Failure* mine, MPI_Comm comm) {
  if (mine == nullptr) return {};
  if (mine->code == XREDIST_PEER_FAILED) return {size_of(comm) + rank_in(comm), 0};
  return {rank_in(comm), 1};
}

void throw_lowest(const Failure* mine, const Failing& lowest, MPI_Comm comm, Progress& progress) {
  if (lowest.rank == unknown) return;
  const int speaker = static_cast<int>(lowest.rank % size_of(comm));
  Told told;
  if (speaker == rank_in(comm)) told.set(*mine);
  broadcast(&told, static_cast<int>(sizeof told), MPI_BYTE, comm, progress, speaker);
  const bool names_process = std::string_view(told.sentence.data()).starts_with("process ");
  if (lowest.failed != 1 && !names_process) told.sentence = with_rank(speaker, told.sentence);
  told.demand_success();
}

}  // namespace xredist::core
