// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/process.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>

#include "plan/log.hpp"

namespace xredist::core {
namespace {

// Neither object is destroyed at exit: MPI may be finalized by a static object or by a function registered with atexit,
// after static objects of this library would have been destroyed.
std::recursive_mutex& mutex() {
  alignas(std::recursive_mutex) static std::byte memory[sizeof(std::recursive_mutex)];
  static auto* const instance = new (memory) std::recursive_mutex;
  return *instance;
}
alignas(Process) std::byte memory_of_process[sizeof(Process)];
constinit Process* current = nullptr;

// MPI_Finalize begins with deleting the attributes of MPI_COMM_SELF. That is the last moment at which MPI can be used.
int at_finalize(MPI_Comm, int hook, void*, void*) {
  const std::scoped_lock lock(mutex());
  current->~Process();
  current = nullptr;
  return MPI_Comm_free_keyval(&hook);
}

// If the library was preloaded into a program of another MPI, it calls that MPI's functions with the wrong handles.
void demand_own_mpi() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string_view version(text, static_cast<std::size_t>(length));
#ifdef OPEN_MPI
  const char* const own = "Open MPI";
  const bool other = version.find("MPICH") != version.npos || version.find("Intel") != version.npos;
#else
  const char* const own = "MPICH or a relative of it";
  const bool other = version.find("Open MPI") != version.npos;
#endif
  if (!other) return;
  write_log("this library was built with %s, but the program uses another MPI: %s", own,
            std::string(version.substr(0, version.find('\n'))).c_str());
  std::abort();
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
  if (current == nullptr) {
    demand_own_mpi();
    current = new (memory_of_process) Process;
  }
  process_ = current;
}

std::thread::id Turn::lane() const { return process_->many_threads ? std::this_thread::get_id() : std::thread::id{}; }

void Turn::complete(MPI_Request& request) {
  if (!process_->many_threads && process_->queue.empty())
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  else
    process_->queue.wait(request, *this);
}

void Turn::pause() {
  if (!process_->many_threads) return;
  const Apart apart(lock_);
  std::this_thread::yield();
}

}  // namespace xredist::core
