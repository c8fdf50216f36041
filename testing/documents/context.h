/* SPDX-License-Identifier: BSD-3-Clause */
/* Names that the documents' statements in C use and do not declare. */
#include <stdio.h>
#include <stdlib.h>
#include <xredist/array.h>
#include <xredist/blacs.h>
#include <xredist/file.h>
#include <xredist/fit.h>
#include <xredist/gridmap.h>
#include <xredist/log.h>
#include <xredist/relabel.h>
#include <xredist/scalapack.h>
#include <xredist/version.h>

static MPI_Comm comm;
static xredist_int ctxt, desca[9], descb[9], local_rows, local_cols;
static int size, side, rank, done;
static int64_t m, n, nx, ny, nz, rows, cols, bounds[2], i[1], j[1], order[1];
static double data[6], *local_a = data, *local_b = data + 1, *local_h = data + 2, *group_h = data + 3;
static double *local_s = data + 4, *group_s = data + 5;
static xredist_layout a, b, layout, other_layout;
static xredist_file file;
static xredist_plan *plan, *plan_h, *plan_s, *there, *back;
static xredist_operation copy;
static double w[1], *local_z = data + 4;
static double* group_z = data + 5;
static int max_processes, block, groups, group, points, group_of[1];
static const int64_t *first_band, *first_row;
static xredist_plan* plans[1];
static xredist_job jobs[1];
static double *sent[1], *received[1];
void solve_pair(int64_t size, double* h, double* s, const xredist_int* desc, double* values, double* vectors);
void solve(int64_t size, double* matrix, const xredist_int* desc, double* values, double* vectors);
static xredist_request* request;
static char text[512];
void work(void);
