// SPDX-License-Identifier: BSD-3-Clause
#include "storage/shared_failure.hpp"

#include <new>

#include "file/error.hpp"

namespace xredist::files {

int code_of_current() noexcept {
  try {
    throw;
  } catch (const Failure& failure) {
    return failure.code;
  } catch (const FileError& error) {
    return xredist_fail(XREDIST_FILE_ERROR, error.what());
  } catch (const std::bad_alloc&) {
    return xredist_fail(XREDIST_NO_MEMORY, "out of memory");
  }
}

void broadcast_bytes(MPI_Comm comm, void* data, int bytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(data, bytes, MPI_BYTE, 0, comm, &request);
  demand_success(xredist_wait_mpi(&request));
}

}  // namespace xredist::files
