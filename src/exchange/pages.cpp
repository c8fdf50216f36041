// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/pages.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <utility>

#ifdef __linux__
#include <sys/mman.h>

#include <cstdio>
#include <memory>
#endif

namespace xredist::core {
namespace {

#ifdef __linux__
struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

// Returns whether all of [begin, end) is private anonymous memory that can be written. The list of the process's
// mappings ascends; a mapping of a file, of shared memory or of huge pages has an inode. (smaps says more, but the
// system would walk all pages of the process.)
bool is_private_anonymous(std::uintptr_t begin, std::uintptr_t end) {
  const std::unique_ptr<std::FILE, Close> maps(std::fopen("/proc/self/maps", "re"));
  if (!maps) return false;
  for (char line[512]; begin < end && std::fgets(line, sizeof line, maps.get()) != nullptr;) {
    unsigned long first = 0, last = 0, inode = 0;
    char rights[5] = "";
    if (std::sscanf(line, "%lx-%lx %4s %*s %*s %lu", &first, &last, rights, &inode) != 4) continue;
    if (last <= begin) continue;
    if (first > begin || inode != 0 || rights[1] != 'w' || rights[3] != 'p') return false;
    begin = last;
  }
  return begin >= end;
}

// The whole pages of [begin, end), as addresses.
struct WholePages {
  WholePages(const std::byte* begin, const std::byte* end) {
    const auto page = static_cast<std::uintptr_t>(system_page_bytes());
    from = (reinterpret_cast<std::uintptr_t>(begin) + page - 1) / page * page;
    to = reinterpret_cast<std::uintptr_t>(end) / page * page;
  }
  bool are_private_anonymous() const { return from < to && is_private_anonymous(from, to); }
  // `begin` is what the pages were made of.
  std::byte* first(std::byte* begin) const { return begin + (from - reinterpret_cast<std::uintptr_t>(begin)); }
  std::size_t bytes() const { return to - from; }

  std::uintptr_t from, to;
};

// Fails, without harm, where the system has no huge pages.
void keep_small([[maybe_unused]] std::byte* first, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_NOHUGEPAGE
  madvise(first, bytes, MADV_NOHUGEPAGE);
#endif
}
#endif

}  // namespace

Index system_page_bytes() {
  static const Index bytes = sysconf(_SC_PAGESIZE);
  return bytes;
}

void ask_for_small_pages([[maybe_unused]] std::byte* begin, [[maybe_unused]] std::byte* end) noexcept {
#ifdef __linux__
  if (end - begin < Pages::min_array) return;
  const WholePages pages(begin, end);
  if (pages.are_private_anonymous()) keep_small(pages.first(begin), pages.bytes());
#endif
}

Pages::Pages([[maybe_unused]] std::byte* begin, [[maybe_unused]] std::byte* end) {
#ifdef __linux__
  if (end - begin < min_array) return;
  const WholePages pages(begin, end);
  if (!pages.are_private_anonymous()) return;
  first_ = pages.first(begin);
  page_bits_ = std::countr_zero(as_size(system_page_bytes()));
  given_up_.resize(pages.bytes() >> page_bits_);
  keep_small(first_, pages.bytes());
#endif
}

// Adds bytes of a page, which may be outside of the array.
void Pages::add(Index page, Index bytes) {
  if (page < 0 || page >= std::ssize(given_up_)) return;
  if ((at(given_up_, page) += static_cast<std::uint32_t>(bytes)) == page_bytes())
    whole_ = {std::min(whole_.begin, page), std::max(whole_.end, page + 1)};
}

void Pages::give_up(Index begin, Index end) {
  begin = std::max<Index>(begin, 0), end = std::min(end, std::ssize(given_up_) << page_bits_);
  for (Index next = begin; begin < end; begin = next) {
    const Index page = begin >> page_bits_;
    next = std::min(end, (page + 1) << page_bits_);
    add(page, next - begin);
  }
}

// The last part that begins in a page may end in another one.
void Pages::give_up(std::byte* column, std::span<const ColumnPart> parts) {
  for (const Index start = column - first_; !parts.empty();) {
    const Index page = (start + parts.front().begin) >> page_bits_, end = (page + 1) << page_bits_;
    const auto next = std::ranges::lower_bound(parts, end - start, {}, &ColumnPart::begin);
    const ColumnPart& last = next[-1];
    const Index beyond = std::max<Index>(start + last.end - end, 0);
    add(page, last.before + last.end - last.begin - parts.front().before - beyond);
    give_up(end, end + beyond);
    parts = {next, parts.end()};
  }
}

// By the function of the C library: MPIs intercept it to forget pages that they have registered with an adapter.
void Pages::release() {
#ifdef __linux__
  const auto [first, last] = std::exchange(whole_, no_pages);
  for (Index page = first, end = page; page < last && !empty(); page = end + 1) {
    for (end = page; end < last && at(given_up_, end) == page_bytes(); ++end) at(given_up_, end) = 0;
    if (end > page && madvise(first_ + page * page_bytes(), as_size((end - page) * page_bytes()), MADV_DONTNEED) != 0)
      given_up_.clear();
  }
#endif
}

}  // namespace xredist::core
