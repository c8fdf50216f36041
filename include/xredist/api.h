/* SPDX-License-Identifier: BSD-3-Clause */
/* XREDIST_API marks the functions that the libraries export. */
#ifndef XREDIST_API_H
#define XREDIST_API_H

#if defined(__GNUC__)
#define XREDIST_API __attribute__((visibility("default")))
#else
#define XREDIST_API
#endif

#endif
