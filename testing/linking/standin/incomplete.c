/* SPDX-License-Identifier: BSD-3-Clause */
/* A wrong replacement: it has one name of a family only. */
void pdgemr2d_(void);

void pdgemr2d_(void) {}
