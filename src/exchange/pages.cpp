// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/pages.hpp"

#include <unistd.h>

#include <algorithm>

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
  page_bytes_ = system_page_bytes();
  const WholePages pages(begin, end);
  if (!pages.are_private_anonymous()) return;
  first_ = pages.first(begin);
  given_up_.resize(pages.bytes() / as_size(page_bytes_));
  keep_small(first_, pages.bytes());
#endif
}

void Pages::give_up(std::byte* begin, std::byte* end) {
  if (empty()) return;
  begin = std::max(begin, first_);
  end = std::min(end, first_ + length());
  while (begin < end && !empty()) {  // a release that fails leaves no pages
    const Index into = (begin - first_) % page_bytes_;
    if (into == 0 && end - begin >= page_bytes_) {
      const Index whole = (end - begin) / page_bytes_ * page_bytes_;
      add(begin, begin + whole);
      begin += whole;
    } else {
      const Index bytes = std::min<Index>(end - begin, page_bytes_ - into);
      give_up_page(begin - into, bytes);
      begin += bytes;
    }
  }
}

void Pages::give_up_page(std::byte* page, Index bytes) {
  std::uint32_t& sum = at(given_up_, (page - first_) / page_bytes_);
  sum += static_cast<std::uint32_t>(bytes);
  if (sum == page_bytes_) add(page, page + page_bytes_);
}

void Pages::add(std::byte* begin, std::byte* end) {
  if (begin != end_) {
    release();
    if (empty()) return;
    begin_ = begin;
  }
  end_ = end;
}

// By the function of the C library: MPIs intercept it to forget pages that they have registered with an adapter.
void Pages::release() {
#ifdef __linux__
  if (begin_ != end_ && madvise(begin_, as_size(end_ - begin_), MADV_DONTNEED) != 0) given_up_.clear();
#endif
  begin_ = end_ = nullptr;
}

}  // namespace xredist::core
