/* SPDX-License-Identifier: BSD-3-Clause */
/* A stand-in for a static ScaLAPACK. Each file defines and uses the names of ScaLAPACK's object file of the same name;
 * the choice of the linker depends on nothing else. */
void* mr2d_malloc(int);
void Cpdgemr2d(void);
void pdgemr2d_(void);
void Cpdgemr2do(void);
void pdgemr2do_(void);
void Cdgelacpy(void);

void Cpdgemr2d(void) { mr2d_malloc(1); }
void pdgemr2d_(void) { Cpdgemr2d(); }
void Cpdgemr2do(void) { Cpdgemr2d(); }
void pdgemr2do_(void) { Cpdgemr2do(); }
void Cdgelacpy(void) {}
