/* SPDX-License-Identifier: BSD-3-Clause */
/* Removes the macros of begin.h, so that none of them is defined in a program. */
#undef XREDIST_API
#undef XREDIST_ZERO
