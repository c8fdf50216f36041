// SPDX-License-Identifier: BSD-3-Clause
// The sentences of the watch.
#pragma once

#include <string>
#include <string_view>

#include "watch/call.hpp"

namespace xredist::core {

/// This process.
struct Who {
  int rank = 0, size = 1;  ///< in MPI_COMM_WORLD
  std::string host{};
};

/// Returns "PDGEMR2D (100 x 80, from 2 x 2 to 1 x 4 processes), call 17 of context 0", without what is unknown.
std::string text_of(const Call& call);

/// Returns where a call is: "agreement by a reduction, which ends when all 4 processes have called". `answer`: of the
/// calling thread, or nullptr if it has not answered.
std::string text_of(const Call& call, Phase phase, const std::string* answer);

/// Returns "rank 3 on node7 has been in PDGEMR2D (...), call 17 of context 0, for 60 s: ...".
std::string line_of(const Who& who, const Call& call, double seconds, std::string_view where);

}  // namespace xredist::core
