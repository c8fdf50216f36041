// SPDX-License-Identifier: BSD-3-Clause
// Copies and updates of one run, and the division of a chunk's columns among threads. Included by the kernels only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "copy/copy_runs.hpp"
#include "copy/operation.hpp"
#include "copy/team.hpp"
#include "layout/layout.hpp"

namespace xredist::core {

// Elements: runs up to this length are copied by moves of a size known at compile time. A call of memcpy for each run
// would take longer than the copy. Example: 13 elements are copied by moves of 8, 4 and 1.
constexpr Index short_run = 16;

// Bytes: stores bypass the caches only for runs of this length. Example: runs of 32 doubles have at least 3 whole cache
// lines of 64 bytes.
constexpr Index min_stream_bytes = 256;

// Bytes.
constexpr Index cache_line = 64;

#ifdef __SSE2__
// Copies with stores that bypass the caches, so that the old contents are not read. Only whole cache lines are stored
// this way: with parts of lines, runs of 36 doubles took five times as long.
[[gnu::noinline]] inline void stream_run(std::byte* to, const std::byte* from, std::size_t n) {
  constexpr std::size_t line = as_size(cache_line);
  const std::size_t head = std::min(n, (line - reinterpret_cast<std::uintptr_t>(to) % line) % line);
  std::memcpy(to, from, head);
  for (to += head, from += head, n -= head; n >= line; to += line, from += line, n -= line) {
    // Four variables: GCC 12 also stores an array of them to the stack.
    const auto quarter = [&](int i) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from) + i); };
    const __m128i first = quarter(0), second = quarter(1), third = quarter(2), fourth = quarter(3);
    const auto store = [&](int i, __m128i value) { _mm_stream_si128(reinterpret_cast<__m128i*>(to) + i, value); };
    store(0, first), store(1, second), store(2, third), store(3, fourth);
  }
  std::memcpy(to, from, n);
}
// Orders these stores with other stores.
inline void end_streams() { _mm_sfence(); }
#else
inline void stream_run(std::byte* to, const std::byte* from, std::size_t n) { std::memcpy(to, from, n); }
inline void end_streams() {}
#endif

// Copies n elements. Inline except for its rare parts, because the loops over runs then take the fewest instructions.
template <Index bytes>
[[gnu::always_inline]] inline void copy_run(std::byte* to, const std::byte* from, Index n, bool stream) {
  if (n > short_run) {
    if (stream && n * bytes >= min_stream_bytes)
      stream_run(to, from, as_size(n * bytes));
    else
      std::memcpy(to, from, as_size(n * bytes));
    return;
  }
  const auto move = [&]<Index count>(std::integral_constant<Index, count>) {
    if (n & count) {
      std::memcpy(to, from, as_size(count * bytes));
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

// Prefetches the beginning of a run: hardware prefetches only within a run. GCC 12 removes calls of functions that only
// prefetch, even if they are always inline; the empty statement keeps them.
template <int write, Index max_bytes = 1024>
[[gnu::always_inline]] inline void fetch_lines(const std::byte* at, Index bytes) {
  asm volatile("");
  for (Index k = 0; k < std::min(bytes, max_bytes); k += cache_line) __builtin_prefetch(at + k, write);
}

/// Copies runs of `length` elements each, or of any length if `length` is 0.
template <Index bytes, Index length = 0>
struct CopyOfRun {
  static constexpr Index from_bytes = bytes, to_bytes = bytes;
  static constexpr bool fetches = length == 0;
  bool stream;

  /// Prefetches a run that will be copied soon. Of a run whose stores bypass the caches, only the lines at the ends are
  /// written in parts. Runs of 36 to 64 doubles of arrays beyond the caches take 0.8 of the time.
  [[gnu::always_inline]] void fetch(std::byte* to, const std::byte* from, Index n) const {
    fetch_lines<0>(from, n * bytes);
    if (!stream) return fetch_lines<1>(to, n * bytes);
    __builtin_prefetch(to, 1);
    __builtin_prefetch(to + n * bytes - 1, 1);
  }

  void operator()(std::byte* to, const std::byte* from, Index n) const {
    if constexpr (length > 0)
      std::memcpy(to, from, as_size(length * bytes));
    else
      copy_run<bytes>(to, from, n, stream);
  }
};

/// Updates runs of B by those of A or of a buffer. Stores that bypass the caches would take twice as long, because the
/// old contents have just been read.
struct UpdateOfRun {
  static constexpr bool fetches = true;
  const Update& how;
  Index from_bytes, to_bytes;

  explicit UpdateOfRun(const Update& update)
      : how(update), from_bytes(bytes_of(update.a, 0)), to_bytes(bytes_of(update.b, 0)) {}
  void operator()(std::byte* to, const std::byte* from, Index length) const { core::update(how, from, to, length); }

  /// Prefetches a run that will be updated soon. Runs of 8 to 64 elements of arrays beyond the caches take 0.4 to 0.7
  /// of the time.
  [[gnu::always_inline]] void fetch(std::byte* to, const std::byte* from, Index length) const {
    constexpr Index page = 4096;
    fetch_lines<1, page>(to, length * to_bytes);
    fetch_lines<0, page>(from, length * from_bytes);
  }
};

// Calls visit() with the size of an element as a constant: 1, 2, 4, 8 or 16 bytes.
template <class Visit>
auto with_bytes(Index bytes, Visit visit) {
  switch (bytes) {
    case 1: return visit(std::integral_constant<Index, 1>{});
    case 2: return visit(std::integral_constant<Index, 2>{});
    case 4: return visit(std::integral_constant<Index, 4>{});
    case 8: return visit(std::integral_constant<Index, 8>{});
    default: return visit(std::integral_constant<Index, 16>{});
  }
}

// Calls copy(share) for equal shares of the columns, on up to `threads` threads. `stream`: the copies bypass the
// caches.
template <class Copy>
void in_shares(Index columns, int threads, bool stream, const Copy& copy) {
  const auto copy_share = [&](const Interval& share) {
    copy(share);
    if (stream) end_streams();  // on the thread that stored
  };
  if (threads == 1) return copy_share({0, columns});
  const int shares =
      static_cast<int>(std::min<Index>(columns, Index{2} * threads));  // a thread that starts late does fewer
  const auto copy_numbered = [&](int k) { copy_share({columns * k / shares, columns * (k + 1) / shares}); };
  in_parallel(shares, threads, std::cref(copy_numbered));
}

}  // namespace xredist::core
