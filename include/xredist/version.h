/* SPDX-License-Identifier: BSD-3-Clause */
/* Which xredist this is. CMake, too, reads the version here. */
#ifndef XREDIST_VERSION_H
#define XREDIST_VERSION_H

#include <stddef.h>

#include "xredist/api.h"

#define XREDIST_VERSION_MAJOR 0
#define XREDIST_VERSION_MINOR 1
#define XREDIST_VERSION_PATCH 0
#define XREDIST_VERSION "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that the program runs with: "0.1.0". */
XREDIST_API const char* xredist_version(void);

/* What that library was built with, in one line: version, MPI, ScaLAPACK (in libxredist_scalapack), compiler and the
 * size of the drop-in's integers. */
XREDIST_API const char* xredist_build(void);

/* Fortran: both texts, padded with blanks or cut; module xredist_library. */
XREDIST_API void xredist_version_(char* text, size_t length);
XREDIST_API void xredist_build_(char* text, size_t length);

#ifdef __cplusplus
}
#endif
#endif
