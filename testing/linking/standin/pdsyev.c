/* SPDX-License-Identifier: BSD-3-Clause */
void pdgemr2d_(void);
void pdsyev_(void);

void pdsyev_(void) { pdgemr2d_(); }
