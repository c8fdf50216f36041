// SPDX-License-Identifier: BSD-3-Clause
// The functions of xredist.h with which a program, or a library, forms functions like those of this one: failures,
// their agreement, the options of a communicator, waiting, and names for the watch.
#include <string>

#include "api/arguments.hpp"
#include "api/everywhere.hpp"
#include "api/failure.hpp"
#include "exchange/channels.hpp"
#include "exchange/communicator.hpp"
#include "watch/watched.hpp"
#include "xredist/xredist.h"

using namespace xredist::core;

int xredist_fail(int code, const char* sentence) {
  if (code == XREDIST_SUCCESS) return code;
  const Failure failure(code, sentence != nullptr ? sentence : "");
  return code_of(&failure);
}

int xredist_agree(MPI_Comm comm, int code) {
  return coded([&] {
    demand(communicator_error(comm));
    const InCall call("xredist_agree");
    state_if_watched([&](auto& of) { of.processes = size_of(comm); });
    LibraryLock lock;
    everywhere([&] { demand_success(code); }, comm, lock->progress);
  });
}

int xredist_wait_mpi(MPI_Request* request) {
  return coded([&] {
    demand(first_of({mpi_error({"request"}), null_error({"request"}, request)}));
    if (*request == MPI_REQUEST_NULL) return;
    const InCall call("xredist_wait_mpi");
    const InPhase phase(Phase::request);
    LibraryLock lock;
    lock->progress.complete(*request);
  });
}

void xredist_watch_enter(const char* routine, int64_t m, int64_t n) {
  enter_call(routine != nullptr ? routine : "a function of the program", m, n);
}

void xredist_watch_leave() { leave_call(); }

void xredist_watch_wait(const char* text) { state_wait(text); }

int xredist_get_option(MPI_Comm comm, const char* name, char* value, size_t size) {
  return coded([&] {
    const InCall call("xredist_get_option");
    demand(communicator_error(comm));
    LibraryLock lock;
    const Options& options = channel_of(comm, lock).options();
    demand(first_of({null_error({"name"}, name), null_error({"value"}, value)}));
    const auto text = option_text(options, name);
    if (!text) throw InvalidArgument(Text() << name << ": no such option");
    if (text->size() >= size)
      throw InvalidArgument(Text() << "size is " << size << ", must be more than " << text->size()
                                   << ", the length of the value");
    text->copy(value, text->size());
    value[text->size()] = '\0';
  });
}
