/* SPDX-License-Identifier: BSD-3-Clause */
/* The destination of the library's messages: errors of the drop-in, warnings about variables and files of the
 * environment, and the output of the options XREDIST_VERBOSE, XREDIST_REPORT and XREDIST_TUNE. */
#ifndef XREDIST_LOG_H
#define XREDIST_LOG_H

#include "xredist/begin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sends all further messages of this process to "stderr", to nowhere ("none"), or to the end of the file with any other
 * name of at most 4095 characters. The library opens the file for each line and keeps a copy of the name. Until the
 * first call, the variable XREDIST_LOG decides, which has the same values; the default is stderr. May be called before
 * MPI_Init. Returns 0, or -1 if the file cannot be written; then nothing changes. */
XREDIST_API int xredist_set_log(const char* place);

#ifdef __cplusplus
}
#endif

#include "xredist/end.h"

#endif
