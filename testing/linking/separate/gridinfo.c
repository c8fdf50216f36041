/* SPDX-License-Identifier: BSD-3-Clause */
/* A BLACS whose only context is 0: a grid of one process. Each function has an object file of its own, as in archives
 * of BLACS. */
void Cblacs_gridinfo(int context, int* nprow, int* npcol, int* row, int* column);

void Cblacs_gridinfo(int context, int* nprow, int* npcol, int* row, int* column) {
  *nprow = *npcol = context == 0 ? 1 : -1;
  *row = *column = context == 0 ? 0 : -1;
}
