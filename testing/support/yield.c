/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into the processes of tests under MPICH. MPICH polls UCX and never yields its core: with more processes
 * than cores, the process that others wait for hardly runs. This function yields when UCX has found nothing, and sleeps
 * when UCX has found nothing several times in a row. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <time.h>

enum { MAX_YIELDS = 20, SLEEP_NANOSECONDS = 20000 };

unsigned ucp_worker_progress(void* worker);

unsigned ucp_worker_progress(void* worker) {
  static unsigned (*progress)(void*);
  static int empty_polls;
  if (!progress) *(void**)&progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
  const unsigned found = progress(worker);
  empty_polls = found ? 0 : empty_polls + 1;
  if (empty_polls > MAX_YIELDS)
    nanosleep(&(struct timespec){0, SLEEP_NANOSECONDS}, NULL);
  else if (empty_polls > 0)
    sched_yield();
  return found;
}
