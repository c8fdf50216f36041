// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/library.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>

#include "exchange/errors.hpp"
#include "exchange/watched_process.hpp"
#include "settings/log.hpp"
#include "watch/watch.hpp"

namespace xredist::core {
namespace {

// Neither object is destroyed at exit: a static object, or a function registered with atexit, may finalize MPI after
// the static objects of this library would have been destroyed.
ReentrantMutex& mutex() {
  alignas(ReentrantMutex) static std::byte memory[sizeof(ReentrantMutex)];
  static auto* const instance = new (memory) ReentrantMutex;
  return *instance;
}
alignas(Process) std::byte memory_of_process[sizeof(Process)];
constinit Process* current = nullptr;

// Destroys the state when MPI_Finalize deletes the attributes of MPI_COMM_SELF: the last moment at which MPI can be
// used.
int at_finalize(MPI_Comm, int hook, void*, void*) {
  tell_watch_of_finalize();
  const std::scoped_lock lock(mutex());
  current->~Process();
  current = nullptr;
  return MPI_Comm_free_keyval(&hook);
}

// Ends the program if the library was preloaded into a program of another MPI, whose handles differ.
// The other MPI may write more than MPI_MAX_LIBRARY_VERSION_STRING bytes: 256 with Open MPI, 8192 with MPICH.
void demand_own_mpi() {
  static char text[std::max(MPI_MAX_LIBRARY_VERSION_STRING, 1 << 14)];
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string_view version(text, as_size(length));
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

void demand_running_mpi() {
  int running = 0, over = 0;
  MPI_Initialized(&running);
  MPI_Finalized(&over);
  if (running == 0) throw MpiNotRunning("MPI is not initialised");
  if (over != 0) throw MpiNotRunning("MPI is finalized");
}

bool multiple() {
  int provided = MPI_THREAD_SINGLE;
  MPI_Query_thread(&provided);
  return provided == MPI_THREAD_MULTIPLE;
}

}  // namespace

Process::Process(ReentrantMutex& mutex) : progress(mutex, queue, multiple()), attributes(mutex) {
  int hook = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_finalize, &hook, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, hook, nullptr);
  if (const char* text = std::getenv("XREDIST_WATCH")) watch_process(text);
}

LibraryLock::LibraryLock() : lock_(mutex()) {
  if (current == nullptr) {
    demand_own_mpi();
    demand_running_mpi();
    current = new (memory_of_process) Process(mutex());
  }
  process_ = current;
}

}  // namespace xredist::core
