/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>

void Cblacs_abort(int context, int error);

void Cblacs_abort(int context, int error) { MPI_Abort(MPI_COMM_WORLD, context == 0 ? error : 1); }
