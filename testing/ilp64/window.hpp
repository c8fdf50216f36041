// SPDX-License-Identifier: BSD-3-Clause
// Memory of any size that takes at most 64 MiB, because the same pages are mapped repeatedly.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "sparse.hpp"

namespace xredist::testing {

class Window {
 public:
  /// Sets every byte to `first`.
  Window(std::size_t bytes, std::byte first)
      : bytes_(bytes), first_(first), file_(memfd_create("window", 0)), all_((bytes + length - 1) / length * length) {
    if (file_ < 0 || ftruncate(file_, length) != 0 || !all_) return;
    window_ = static_cast<std::byte*>(mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0));
    std::fill_n(window_, length, first);
    for (std::size_t at = 0; at < bytes; at += length)
      mmap(all_.bytes() + at, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_, 0);
  }
  ~Window() {
    if (window_ != nullptr) munmap(window_, length);
    close(file_);
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  explicit operator bool() const { return window_ != nullptr; }
  std::byte* bytes() const { return all_.bytes(); }

  /// Maps the page of byte `at` to separate memory.
  void own_page(std::size_t at) {
    const std::size_t page = at / page_size * page_size;
    if (std::ranges::find(own_, page) != own_.end()) return;
    mmap(bytes() + page, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    std::fill_n(bytes() + page, page_size, first_);
    own_.push_back(page);
  }

  /// Counts the bytes that are not 0; bytes that share memory count once.
  std::ptrdiff_t not_zero() const {
    const auto zeros = [](const std::byte* from, std::size_t count) {
      return std::count(from, from + count, std::byte{0});
    };
    std::ptrdiff_t count = static_cast<std::ptrdiff_t>(length) - zeros(window_, length);
    for (const std::size_t page : own_) {
      const std::size_t used = std::min(page_size, bytes_ - page);
      count += static_cast<std::ptrdiff_t>(used) - zeros(bytes() + page, used);
    }
    return count;
  }

 private:
  static constexpr std::size_t length = std::size_t{64} << 20, page_size = 4096;
  std::size_t bytes_;
  std::byte first_;
  int file_;
  Sparse all_;
  std::byte* window_ = nullptr;
  std::vector<std::size_t> own_;  // where they begin
};

}  // namespace xredist::testing
