/* SPDX-License-Identifier: BSD-3-Clause */
/* Macros of the other headers, which end.h removes at the end of each: XREDIST_API marks functions that the libraries
 * export; XREDIST_ZERO makes members of structs 0 in C++. This header has no guard, because each header includes it. */
#if defined(__GNUC__)
#define XREDIST_API __attribute__((visibility("default")))
#else
#define XREDIST_API
#endif
#ifdef __cplusplus
#define XREDIST_ZERO \
  {}
#else
#define XREDIST_ZERO
#endif
