/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the programs: an N x N matrix with 2 on its diagonal and 1 beside it, whose columns are distributed
 * cyclically to two processes. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <math.h>
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 12, BLOCK = 2, PROCESSES = 2, LOCAL = N / PROCESSES, WORK = 4096 };

extern void Cblacs_get(int context, int what, int* value);
extern void Cblacs_gridinit(int* context, const char* order, int nprow, int npcol);
extern void Cblacs_exit(int keep_mpi);
extern void descinit_(int* desc, const int* m, const int* n, const int* mb, const int* nb, const int* rsrc,
                      const int* csrc, const int* context, const int* lld, int* info);

static const int zero = 0, one = 1, size = N, block = BLOCK;

static void require(int condition, const char* what) {
  if (condition) return;
  fprintf(stderr, "wrong: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static int rank_of_two(void) {
  int rank, processes;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  require(processes == PROCESSES, "number of processes");
  return rank;
}

static void describe(int* desc, int nprow, int npcol) {
  int context, info, lld = N / nprow;
  Cblacs_get(0, 0, &context);
  Cblacs_gridinit(&context, "R", nprow, npcol);
  descinit_(desc, &size, &size, &block, &block, &zero, &zero, &context, &lld, &info);
  require(info == 0, "descriptor");
}

/* Returns the global index of local column (or row) i. */
static int global(int i, int rank) { return (i / BLOCK * PROCESSES + rank) * BLOCK + i % BLOCK; }

static void fill(double a[LOCAL][N], int rank) {
  for (int j = 0; j < LOCAL; ++j)
    for (int i = 0; i < N; ++i) {
      const int distance = abs(i - global(j, rank));
      a[j][i] = distance == 0 ? 2 : distance == 1 ? 1 : 0;
    }
}

static void finish(void) {
  Cblacs_exit(1);
  MPI_Finalize();
}

#endif
