/* SPDX-License-Identifier: BSD-3-Clause */
void pdtrmr2d_(void);
void pdsyntrd_(void);

void pdsyntrd_(void) { pdtrmr2d_(); }
