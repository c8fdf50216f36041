#include "exchange/process.hpp"

#include <mpi.h>

#include <cstddef>
#include <new>

namespace xredist {
namespace {

// Neither is freed at exit, for MPI may be finalized later than static objects are: by one of them, or by a function
// registered with atexit.
std::recursive_mutex& mutex() {
  alignas(std::recursive_mutex) static std::byte memory[sizeof(std::recursive_mutex)];
  static auto* const instance = new (memory) std::recursive_mutex;
  return *instance;
}
alignas(Process) std::byte memory_of_process[sizeof(Process)];
constinit Process* current = nullptr;

// MPI_Finalize begins by deleting the attributes of MPI_COMM_SELF: the last moment at which MPI works.
int at_finalize(MPI_Comm, int hook, void*, void*) {
  const std::scoped_lock lock(mutex());
  current->~Process();
  current = nullptr;
  return MPI_Comm_free_keyval(&hook);
}

bool multiple() {
  int provided = MPI_THREAD_SINGLE;
  MPI_Query_thread(&provided);
  return provided == MPI_THREAD_MULTIPLE;
}

}  // namespace

Process::Process() : many_threads(multiple()) {
  int hook = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_finalize, &hook, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, hook, nullptr);
}

Turn::Turn() : lock_(mutex()) {
  if (current == nullptr) current = new (memory_of_process) Process;
  process_ = current;
}

std::thread::id Turn::lane() const {
  return process_->many_threads ? std::this_thread::get_id() : std::thread::id{};
}

void Turn::complete(MPI_Request& request) {
  if (!process_->many_threads && process_->queue.empty()) {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return;
  }
  for (;;) {
    int completed = 0;
    MPI_Test(&request, &completed, MPI_STATUS_IGNORE);
    if (completed) return;
    process_->queue.advance();
    pause();
  }
}

void Turn::pause() {
  if (!process_->many_threads) return;
  const Apart apart(lock_);
  std::this_thread::yield();
}

}  // namespace xredist
