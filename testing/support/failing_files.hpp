// SPDX-License-Identifier: BSD-3-Clause
// Calls of files that lack memory.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <functional>
#include <iterator>

#include "failing.hpp"
#include "folder.hpp"
#include "plans.hpp"
#include "ranks.hpp"

namespace xredist::testing {

/// Fails each allocation of a call once, on one process. All processes return the same code and sentence, no file is
/// left in the folder beside the one, and the next call returns `expected`. Returns the number of allocations.
inline long fail_each_allocation_of(const std::function<int()>& call, int victim, int expected, const Folder& folder) {
  const auto judge = [&](int code, bool more, long k) {
    std::array<char, 256> sentence{};
    std::strncpy(sentence.data(), code == 0 ? "" : xredist_error(), sentence.size() - 1);
    std::array<char, 256> first = sentence;
    MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
    EXPECT_FALSE(anywhere(sentence != first)) << sentence.data() << " at allocation " << k;
    const auto files = std::distance(std::filesystem::directory_iterator(folder.name()), {});
    EXPECT_FALSE(anywhere(rank() == 0 && files > 1)) << files << " files after allocation " << k;
    const bool lacked = more && (code == XREDIST_NO_MEMORY || code == XREDIST_PEER_FAILED);
    EXPECT_FALSE(anywhere(code != expected && !lacked)) << code << " at allocation " << k;
    const int again = anywhere(code != expected) ? call() : expected;
    EXPECT_FALSE(anywhere(again != expected)) << "after allocation " << k << ": " << outcome(again);
  };
  return fail_each_allocation(
      victim, [] {}, call, judge);
}

}  // namespace xredist::testing
