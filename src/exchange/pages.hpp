// SPDX-License-Identifier: BSD-3-Clause
// The pages of an array that go back to the system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "copy/chunk_move.hpp"
#include "layout/index.hpp"

namespace xredist::core {

/// Returns the size of a page of this system (bytes).
Index system_page_bytes();

/// Asks the system to fill private anonymous memory with pages of that size: the first write to a transparent huge page
/// makes 2 MiB resident. Does nothing to other memory, to small arrays, and to pages that are resident already. The
/// memory keeps this setting.
void ask_for_small_pages(std::byte* begin, std::byte* end) noexcept;

/// The whole pages of an array. A page goes back when all of its bytes have been given up, so pages that the array
/// shares with other data stay, and so do pages with gaps. The array gets small pages for good: otherwise the system
/// (khugepaged) would make a new huge page, full of zeros, of a huge page that has gone in part.
class Pages {
 public:
  /// Bytes: to find out about the memory of a smaller array would cost more than its pages are worth.
  static constexpr Index min_array = Index{1} << 20;

  /// Has no pages.
  Pages() = default;
  /// Has no pages unless the array is large and its memory is private and anonymous: pages of shared memory belong to
  /// other processes, too, and those of a file or of hugetlbfs are not freed. Throws std::bad_alloc.
  Pages(std::byte* begin, std::byte* end);

  bool empty() const { return given_up_.empty(); }
  /// Gives up bytes of the array, each byte once.
  void give_up(std::byte* begin, std::byte* end) { give_up(begin - first_, end - first_); }
  /// Gives up parts of a column, ascending, in a time that the number of pages determines.
  void give_up(std::byte* column, std::span<const ColumnPart> parts);
  /// Returns all pages to the system that have been given up. If the system refuses (locked memory), there are no pages
  /// any more.
  void release();

 private:
  static constexpr Interval no_pages{std::numeric_limits<Index>::max(), 0};

  void give_up(Index begin, Index end);
  void add(Index page, Index bytes);
  Index page_bytes() const { return Index{1} << page_bits_; }

  int page_bits_ = 0;                    // log2 of the bytes of a page
  std::byte* first_ = nullptr;           // page
  std::vector<std::uint32_t> given_up_;  // bytes of each page that have been given up, and have not gone back
  Interval whole_ = no_pages;            // all pages that can go back are among these
};

}  // namespace xredist::core
