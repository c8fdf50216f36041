// SPDX-License-Identifier: BSD-3-Clause
// How the elements of a run get from one place to another, and how threads share the columns of a piece. For the files
// that walk runs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "layout/layout.hpp"
#include "plan/operation.hpp"

namespace xredist::core {

inline std::size_t size(Index bytes) { return static_cast<std::size_t>(bytes); }

// Runs of at most 16 elements are copied by moves whose size is known at compile time: a call of memcpy for each run
// would take longer than the copy.
constexpr Index short_run = 16;

// Stores bypass the caches only for runs of at least so many bytes.
constexpr Index least_stream = 256;

#ifdef __SSE2__
// memcpy with stores that bypass the caches, and so do not read what they overwrite. Only whole cache lines are stored
// this way: for parts of a line, runs of 36 doubles took five times as long.
[[gnu::noinline]] inline void stream_run(std::byte* to, const std::byte* from, std::size_t n) {
  constexpr std::size_t line = 64;
  const std::size_t head = std::min(n, (line - reinterpret_cast<std::uintptr_t>(to) % line) % line);
  std::memcpy(to, from, head);
  for (to += head, from += head, n -= head; n >= line; to += line, from += line, n -= line) {
    __m128i quarters[4];
    std::memcpy(quarters, from, line);
    for (int i = 0; i < 4; ++i) _mm_stream_si128(reinterpret_cast<__m128i*>(to) + i, quarters[i]);
  }
  std::memcpy(to, from, n);
}
// Such stores are ordered with other stores by a fence only.
inline void end_streams() { _mm_sfence(); }
#else
inline void stream_run(std::byte* to, const std::byte* from, std::size_t n) { std::memcpy(to, from, n); }
inline void end_streams() {}
#endif

// Inline, but for its rare parts: the loops over runs then take the fewest instructions.
template <Index bytes>
[[gnu::always_inline]] inline void copy_run(std::byte* to, const std::byte* from, Index n, bool stream) {
  if (n > short_run) {
    if (stream && n * bytes >= least_stream)
      stream_run(to, from, size(n * bytes));
    else
      std::memcpy(to, from, size(n * bytes));
    return;
  }
  const auto move = [&]<Index count>(std::integral_constant<Index, count>) {
    if (n & count) {
      std::memcpy(to, from, size(count * bytes));
      to += count * bytes;
      from += count * bytes;
    }
  };
  move(std::integral_constant<Index, 16>{});
  move(std::integral_constant<Index, 8>{});
  move(std::integral_constant<Index, 4>{});
  move(std::integral_constant<Index, 2>{});
  move(std::integral_constant<Index, 1>{});
}

/// Copies runs; of `length` elements each, or of any length if that is 0.
template <Index bytes, Index length = 0>
struct CopyOfRun {
  static constexpr Index from_bytes = bytes, to_bytes = bytes;
  static constexpr bool fetches = false;
  bool stream;

  void operator()(std::byte* to, const std::byte* from, Index its_length) const {
    if constexpr (length > 0)
      std::memcpy(to, from, size(length * bytes));
    else
      copy_run<bytes>(to, from, its_length, stream);
  }
};

/// Changes runs of B by those of A, or of a buffer. Stores that bypass the caches would take twice as long: what is
/// stored has just been read.
struct ChangeOfRun {
  static constexpr bool fetches = true;
  const Change& how;
  Index from_bytes, to_bytes;

  explicit ChangeOfRun(const Change& change)
      : how(change), from_bytes(bytes_of(change.a, 0)), to_bytes(bytes_of(change.b, 0)) {}
  void operator()(std::byte* to, const std::byte* from, Index length) const { change(how, from, to, length); }

  /// A run that will be changed soon begins to come into the cache: arithmetic waits for what it reads, and processors
  /// foresee places only within a run. Of arrays that no cache holds, runs of 8 to 64 elements take 0.4 to 0.7 of the
  /// time. (GCC leaves out calls of functions that do nothing else.)
  [[gnu::always_inline]] void fetch(std::byte* to, const std::byte* from, Index length) const {
    constexpr Index most = 1024, line = 64;
    for (Index at = 0; at < std::min(length * to_bytes, most); at += line) __builtin_prefetch(to + at, 1);
    for (Index at = 0; at < std::min(length * from_bytes, most); at += line) __builtin_prefetch(from + at);
  }
};

// Calls copy(share) for so many equal shares of the columns, each on a thread of its own if OpenMP has as many.
template <class Copy>
void in_shares(Index columns, int shares, const Copy& copy) {
  if (shares == 1) return copy(Interval{0, columns});
#ifdef _OPENMP
#pragma omp parallel for num_threads(shares) schedule(static, 1)
#endif
  for (int k = 0; k < shares; ++k) copy(Interval{columns * k / shares, columns * (k + 1) / shares});
}

}  // namespace xredist::core
