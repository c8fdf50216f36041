// SPDX-License-Identifier: BSD-3-Clause
#include "api/outcome.hpp"

#include <array>
#include <cstring>

#include "exchange/progress.hpp"

namespace xredist::core {

void demand_on_all(int code, const Channel& channel) {
  LibraryLock lock;
  int first = code != XREDIST_SUCCESS ? channel.rank() : channel.size();
  reduce(&first, 1, MPI_INT, MPI_MIN, channel.comm(), lock->progress);
  if (first == channel.size()) return;
  struct Verdict {
    std::array<char, 512> sentence{};
    char code = 0;
  } verdict;
  if (channel.rank() == first) {
    std::strncpy(verdict.sentence.data(), xredist_error(), verdict.sentence.size() - 1);
    verdict.code = static_cast<char>(code);
  }
  static_assert(sizeof(Verdict) == 513);
  reduce(&verdict, sizeof verdict, MPI_UNSIGNED_CHAR, MPI_MAX, channel.comm(), lock->progress);
  throw CodedError(verdict.code, verdict.sentence.data());
}

}  // namespace xredist::core
