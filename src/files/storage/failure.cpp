// SPDX-License-Identifier: BSD-3-Clause
#include "storage/failure.hpp"

#include <new>

#include "file/error.hpp"
#include "storage/marks.hpp"

namespace xredist::files {

int code_of_current() noexcept {
  try {
    throw;
  } catch (const Failure& failure) {
    return xredist_fail(failure.code, failure.what());
  } catch (const FileError& error) {
    return xredist_fail(XREDIST_FILE_ERROR, error.what());
  } catch (const std::bad_alloc&) {
    return xredist_fail(XREDIST_NO_MEMORY, "out of memory");
  }
}

void demand_success(int code) {
  if (code != XREDIST_SUCCESS) throw Failure(code, xredist_error());
}

void broadcast_bytes(MPI_Comm comm, void* data, int bytes) {
  const InWait wait("the first process opens or creates the file, and has not answered");
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(data, bytes, MPI_BYTE, 0, comm, &request);
  demand_success(xredist_wait_mpi(&request));
}

}  // namespace xredist::files
