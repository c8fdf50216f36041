// SPDX-License-Identifier: BSD-3-Clause
// The pages of an array that go back to the system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

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
  void give_up(std::byte* begin, std::byte* end);
  /// Returns all pages to the system that have been given up. If the system refuses (locked memory), there are no pages
  /// any more.
  void release();

 private:
  void give_up_page(std::byte* page, Index bytes);
  void add(std::byte* begin, std::byte* end);
  Index length() const { return std::ssize(given_up_) * page_bytes_; }

  Index page_bytes_ = 0;
  std::byte* first_ = nullptr;                   // page
  std::vector<std::uint32_t> given_up_;          // bytes of each page that have been given up, unless all were at once
  std::byte *begin_ = nullptr, *end_ = nullptr;  // pages that can go back
};

}  // namespace xredist::core
