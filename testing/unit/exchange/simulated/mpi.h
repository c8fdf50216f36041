// SPDX-License-Identifier: BSD-3-Clause
// The part of MPI on which exchanges rest, simulated in memory (simulation.hpp). The rest of MPI is missing, so the
// unit tests show which functions an exchange calls.
#pragma once

namespace xredist::testing {
struct SimulatedComm;
struct SimulatedRequest;
}  // namespace xredist::testing

using MPI_Comm = xredist::testing::SimulatedComm*;
using MPI_Request = xredist::testing::SimulatedRequest*;
// The value is the number of bytes of an element.
enum MPI_Datatype : int { MPI_BYTE = 1, MPI_INT = 4, MPI_INT64_T = 8 };
enum MPI_Op : int { MPI_MAX, MPI_MIN, MPI_BOR };
using MPI_Fint = int;

struct MPI_Status {
  int MPI_SOURCE, MPI_TAG, MPI_ERROR, bytes;
};

inline constexpr MPI_Comm MPI_COMM_NULL = nullptr;
extern const MPI_Comm MPI_COMM_WORLD;  // has attributes, and is not used otherwise
inline constexpr MPI_Request MPI_REQUEST_NULL = nullptr;
inline constexpr MPI_Status* MPI_STATUS_IGNORE = nullptr;
inline constexpr int MPI_SUCCESS = 0, MPI_ERR_TRUNCATE = 15, MPI_ERR_IN_STATUS = 18, MPI_ANY_SOURCE = -1,
                     MPI_UNDEFINED = -2, MPI_TAG_UB = 1, MPI_KEYVAL_INVALID = -3;

int MPI_Initialized(int* initialized);
int MPI_Finalized(int* finalized);
int MPI_Comm_rank(MPI_Comm comm, int* rank);
int MPI_Comm_size(MPI_Comm comm, int* size);
int MPI_Comm_test_inter(MPI_Comm comm, int* inter);
MPI_Comm MPI_Comm_f2c(MPI_Fint handle);

using MPI_Comm_copy = int(MPI_Comm comm, int keyval, void* extra, void* in, void* out, int* flag);
using MPI_Comm_delete = int(MPI_Comm comm, int keyval, void* value, void* extra);
inline MPI_Comm_copy* const MPI_COMM_NULL_COPY_FN = nullptr;
int MPI_Comm_create_keyval(MPI_Comm_copy* copy, MPI_Comm_delete* destroy, int* keyval, void* extra);
int MPI_Comm_free_keyval(int* keyval);
int MPI_Comm_set_attr(MPI_Comm comm, int keyval, void* value);
int MPI_Comm_get_attr(MPI_Comm comm, int keyval, void* value, int* found);
int MPI_Comm_delete_attr(MPI_Comm comm, int keyval);
int MPI_Comm_free(MPI_Comm* comm);
int MPI_Comm_call_errhandler(MPI_Comm comm, int code);

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request);
int MPI_Issend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request);
int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request);
int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* found, MPI_Status* status);
int MPI_Cancel(MPI_Request* request);
int MPI_Wait(MPI_Request* request, MPI_Status* status);
int MPI_Test(MPI_Request* request, int* done, MPI_Status* status);
int MPI_Waitsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]);
int MPI_Testsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]);
int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count);
