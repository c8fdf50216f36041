/* SPDX-License-Identifier: BSD-3-Clause */
void* mr2d_malloc(int);
void Cpdtrmr2d(void);
void pdtrmr2d_(void);
void Cpdtrmr2do(void);
void pdtrmr2do_(void);
void Cdtrlacpy(void);

void Cpdtrmr2d(void) { mr2d_malloc(1); }
void pdtrmr2d_(void) { Cpdtrmr2d(); }
void Cpdtrmr2do(void) { Cpdtrmr2d(); }
void pdtrmr2do_(void) { Cpdtrmr2do(); }
void Cdtrlacpy(void) {}
