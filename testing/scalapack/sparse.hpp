// SPDX-License-Identifier: BSD-3-Clause
// Memory beyond 32 bits, of which only the pages in use exist.
#pragma once

#include <sys/mman.h>

#include <cstddef>

namespace xredist::testing {

/// An array of zeros.
class Sparse {
 public:
  explicit Sparse(std::size_t bytes)
      : bytes_(bytes),
        data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~Sparse() {
    if (*this) munmap(data_, bytes_);
  }
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;

  explicit operator bool() const { return data_ != MAP_FAILED; }
  std::byte* bytes() const { return static_cast<std::byte*>(data_); }
  double* doubles() const { return static_cast<double*>(data_); }

 private:
  std::size_t bytes_;
  void* data_;
};

}  // namespace xredist::testing
