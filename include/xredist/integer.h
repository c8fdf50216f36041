/* SPDX-License-Identifier: BSD-3-Clause */
/* The INTEGER of the program's Fortran code. A program with 64-bit integers (ILP64) defines XREDIST_ILP64 and links
 * libxredist_scalapack_ilp64. */
#ifndef XREDIST_INTEGER_H
#define XREDIST_INTEGER_H

#ifdef XREDIST_ILP64
#include <stdint.h>
typedef int64_t xredist_int;
#else
typedef int xredist_int;
#endif

#endif
