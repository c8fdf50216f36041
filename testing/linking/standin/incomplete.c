/* SPDX-License-Identifier: BSD-3-Clause */
/* A replacement that breaks the rule: one name out of a family. */
void pdgemr2d_(void);

void pdgemr2d_(void) {}
