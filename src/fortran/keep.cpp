// SPDX-License-Identifier: BSD-3-Clause
// Keeps descriptors of gfortran before version 12, which module xredist_files passes as they are.
#include <cstddef>
#include <cstdint>
#include <cstring>

// Last, because other headers remove its macro XREDIST_API.
#include "xredist/begin.h"

namespace {

// The descriptor of an array, since version 9.
struct Descriptor {
  void* address;
  std::size_t offset, element_bytes;
  int version;
  signed char rank, type;
  short attribute;
  std::ptrdiff_t span;
  struct {
    std::ptrdiff_t stride, lower, upper;
  } dimensions[15];
};
using Kept = std::int64_t[60];  // as module xredist_files declares it
static_assert(sizeof(Descriptor) <= sizeof(Kept));

std::size_t bytes_with(int dimensions) {
  return offsetof(Descriptor, dimensions) + static_cast<std::size_t>(dimensions) * sizeof(Descriptor::dimensions[0]);
}

}  // namespace

extern "C" {

XREDIST_API void xredist_fortran_keep_(const Descriptor* array, int dimensions, Kept* kept) {
  std::memcpy(kept, array, bytes_with(dimensions));
}

XREDIST_API void xredist_fortran_put_back_(Descriptor* array, int dimensions, const Kept* kept) {
  std::memcpy(array, kept, bytes_with(dimensions));
}

}  // extern "C"
