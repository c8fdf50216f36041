/* SPDX-License-Identifier: BSD-3-Clause */
/* A library as an extension module of Python is: Python opens it, and with it ScaLAPACK, for itself alone (RTLD_LOCAL).
 */
#include <stdlib.h>

void Cblacs_get(int ctxt, int what, int* value);
void Cblacs_gridinit(int* ctxt, const char* order, int nprow, int npcol);
void Cblacs_gridinfo(int ctxt, int* nprow, int* npcol, int* myrow, int* mycol);
void pdgemr2d_(const int* m, const int* n, const double* a, const int* ia, const int* ja, const int* desca, double* b,
               const int* ib, const int* jb, const int* descb, const int* ctxt);
void pdgeadd_(const char* trans, const int* m, const int* n, const double* alpha, const double* a, const int* ia,
              const int* ja, const int* desca, const double* beta, double* c, const int* ic, const int* jc,
              const int* descc);

enum { n = 30 };
static const int order = n, one = 1;

/* Fills the columns of a row of processes in blocks, or compares them. The first block has `first` columns. Returns the
 * number of wrong elements. */
static int visit(double* x, int first, int block, int me, int processes, double factor, int compare) {
  int wrong = 0, local = 0;
  for (int j = 0; j < n; ++j) {
    if ((j < first ? 0 : 1 + (j - first) / block) % processes != me) continue;
    for (int i = 0; i < n; ++i) {
      double* const element = x + i + (long)local * n;
      if (compare)
        wrong += *element != factor * (i + 100 * j);
      else
        *element = factor * (i + 100 * j);
    }
    ++local;
  }
  return wrong;
}

/* Calls PDGEMR2D, and PDGEADD with descriptors that PBLAS alone supports. Returns the number of wrong elements. */
int call_scalapack(int processes) {
  int ctxt, nprow, npcol, myrow, me;
  Cblacs_get(-1, 0, &ctxt);
  Cblacs_gridinit(&ctxt, "R", 1, processes);
  Cblacs_gridinfo(ctxt, &nprow, &npcol, &myrow, &me);
  double *a = calloc(n * n, sizeof *a), *b = calloc(n * n, sizeof *b);
  const int desca[] = {1, ctxt, n, n, n, 4, 0, 0, n}, descb[] = {1, ctxt, n, n, n, 7, 0, 0, n};
  visit(a, 4, 4, me, processes, 1, 0);
  pdgemr2d_(&order, &order, a, &one, &one, desca, b, &one, &one, descb, &ctxt);
  int wrong = visit(b, 7, 7, me, processes, 1, 1);
  const int with_first_block[] = {2, ctxt, n, n, n, 3, n, 5, 0, 0, n};
  const double two = 2, zero = 0;
  visit(a, 3, 5, me, processes, 1, 0);
  pdgeadd_("N", &order, &order, &two, a, &one, &one, with_first_block, &zero, b, &one, &one, with_first_block);
  wrong += visit(b, 3, 5, me, processes, 2, 1);
  free(a), free(b);
  return wrong;
}
