/* SPDX-License-Identifier: BSD-3-Clause */
/* The version of xredist. CMake reads it here too. */
#ifndef XREDIST_VERSION_H
#define XREDIST_VERSION_H

#include "xredist/begin.h"

#define XREDIST_VERSION_MAJOR 0
#define XREDIST_VERSION_MINOR 1
#define XREDIST_VERSION_PATCH 0
#define XREDIST_VERSION "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the version of the library that the program runs with: "0.1.0". */
XREDIST_API const char* xredist_version(void);

/* Returns one line about the build of this library: version, MPI, compiler, and for the drop-in the file of the BLACS
 * and the size of integers. */
XREDIST_API const char* xredist_build(void);

#ifdef __cplusplus
}
#endif

#include "xredist/end.h"

#endif
