// SPDX-License-Identifier: BSD-3-Clause
// The functions of version.h and log.h. Compiled for each library, because xredist_build() names the BLACS and the
// integers of the library.
#include "xredist/version.h"

#include <mpi.h>

#include <algorithm>
#include <new>
#include <string_view>

#include "api/arguments.hpp"
#include "settings/log.hpp"
#include "xredist/integer.h"
#include "xredist/log.h"

// Last, because other headers remove its macro XREDIST_API.
#include "xredist/begin.h"

namespace {

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

constexpr std::string_view build =
    "xredist " XREDIST_VERSION
#if defined(OPEN_MPI)
    ", Open MPI " TEXT(OMPI_MAJOR_VERSION) "." TEXT(OMPI_MINOR_VERSION) "." TEXT(OMPI_RELEASE_VERSION)
#elif defined(I_MPI_VERSION)
    ", Intel MPI " I_MPI_VERSION
#elif defined(MVAPICH2_VERSION)
    ", MVAPICH2 " MVAPICH2_VERSION
#elif defined(MPICH_VERSION)
    ", MPICH " MPICH_VERSION
#else
    ", MPI " TEXT(MPI_VERSION) "." TEXT(MPI_SUBVERSION)
#endif
#ifdef XREDIST_BLACS
        ", BLACS " XREDIST_BLACS
#endif
#ifdef __clang__
        ", Clang " __clang_version__
#else
    ", GCC " __VERSION__
#endif
#ifdef XREDIST_INTEGER_BITS
        ", integers of " TEXT(XREDIST_INTEGER_BITS) " bits"
#endif
    ;

void fill(char* text, std::size_t length, std::string_view with) {
  const std::size_t copied = std::min(length, with.size());
  std::fill(std::copy_n(with.data(), copied, text), text + length, ' ');
}

}  // namespace

const char* xredist_version() { return XREDIST_VERSION; }

const char* xredist_build() { return build.data(); }

extern "C" XREDIST_API void xredist_version_(char* text, std::size_t length) { fill(text, length, XREDIST_VERSION); }

extern "C" XREDIST_API void xredist_build_(char* text, std::size_t length) { fill(text, length, build); }

int xredist_set_log(const char* place) { return place != nullptr && xredist::core::set_log(place) ? 0 : -1; }

extern "C" XREDIST_API void xredist_set_log_(const char* place, xredist_int* error, std::size_t length) {
  try {
    *error = xredist_set_log(xredist::core::trimmed(place, length).c_str());
  } catch (const std::bad_alloc&) {
    *error = -1;
  }
}
