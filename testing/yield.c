/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into the processes of tests under MPICH, which polls over UCX and never gives its core away: with more
 * processes than cores, whoever is waited for hardly runs. Here a process gives way when UCX has found nothing, and
 * sleeps when it has found nothing for a while. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <time.h>

enum { FOR_A_WHILE = 20, NANOSECONDS = 20000 };

unsigned ucp_worker_progress(void* worker);

unsigned ucp_worker_progress(void* worker) {
  static unsigned (*progress)(void*);
  static int in_vain;
  if (!progress) *(void**)&progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
  const unsigned found = progress(worker);
  in_vain = found ? 0 : in_vain + 1;
  if (in_vain > FOR_A_WHILE)
    nanosleep(&(struct timespec){0, NANOSECONDS}, NULL);
  else if (in_vain > 0)
    sched_yield();
  return found;
}
