// How the papers' programs take times: a barrier, the call, the slowest process.
#pragma once

#include <cstddef>
#include <functional>

namespace papers {

struct Times {
  std::size_t count;
  double median, least, most;  ///< seconds
};

/// Collective over MPI_COMM_WORLD. One call before those that are timed, for what is done only once. `prepare` comes
/// before each, and is not timed.
Times timed(int repetitions, const std::function<void()>& prepare, const std::function<void()>& call);
Times timed(int repetitions, const std::function<void()>& call);

/// Whether it holds on all processes.
bool everywhere(bool holds);

}  // namespace papers
