/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the library's messages go: errors of the drop-in, and what XREDIST_VERBOSE asks for. */
#ifndef XREDIST_LOG_H
#define XREDIST_LOG_H

#include <stddef.h>

#include "xredist/api.h"
#include "xredist/integer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* From now on the messages of this process go to "stderr", to nowhere ("none"), or to the end of the file that has any
 * other name. A file is opened anew for every line. The name is copied; it has at most 4095 characters. Until the first
 * call the variable XREDIST_LOG decides, which has the same values; without it messages go to stderr. May be called
 * before MPI_Init. Returns 0, or -1 and changes nothing if the file cannot be written. */
XREDIST_API int xredist_set_log(const char* place);

/* Fortran; module xredist_library. */
XREDIST_API void xredist_set_log_(const char* place, xredist_int* error, size_t length);

#ifdef __cplusplus
}
#endif
#endif
