/* SPDX-License-Identifier: BSD-3-Clause */
/* No program of the tests makes a grid with this BLACS. */
void blacs_gridmap_(int* context, const int* usermap, const int* ldumap, const int* nprow, const int* npcol);

void blacs_gridmap_(int* context, const int* usermap, const int* ldumap, const int* nprow, const int* npcol) {
  *context = *nprow == 1 && *npcol == 1 && *ldumap >= 1 && usermap[0] == 0 ? 0 : -1;
}
