#include "exchange/workspace.hpp"

namespace xredist {

std::byte* Workspace::reserve(std::size_t slots, Index bytes) {
  requests.assign(4 * slots, MPI_REQUEST_NULL);
  completed.resize(requests.size());
  statuses.resize(requests.size());
  if (arriving.size() < slots) arriving.resize(slots);
  if (leaving.size() < slots) leaving.resize(slots);
  if (bytes > size_) {
    memory_.reset();
    size_ = 0;
    memory_.reset(new (std::nothrow) std::byte[static_cast<std::size_t>(bytes)]);
    if (!memory_) throw OutOfMemory(bytes);
    size_ = bytes;
  }
  return memory_.get();
}

}  // namespace xredist
