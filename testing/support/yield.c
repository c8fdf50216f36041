/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into the processes of tests, which are more than the cores, and share the cores with other programs.
 *
 * Open MPI yields its core while it waits. Where another program computes, a yield takes a whole time slice, so that
 * thousands of small messages take minutes. So processes ask the kernel for short slices, and once a yield has taken
 * long, the next ones sleep: a process that wakes up runs before one that computes.
 *
 * MPICH polls UCX and never yields: then the process that others wait for hardly runs. So each poll that finds nothing
 * yields. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SLEEP_NS = 20000, SLICE_NS = 100000, LONG_YIELD_NS = 3000000, SLEEPS = 300, MAX_YIELDS = 20 };

static int64_t nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * (int64_t)1000000000 + now.tv_nsec;
}

static int nap(void) { return clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){0, SLEEP_NS}, NULL); }

/* Kernels before 6.12 ignore the slice. */
__attribute__((constructor)) static void shorten(void) {
  const struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t slice, deadline, period;
  } attributes = {.size = sizeof attributes, .slice = SLICE_NS};
  prctl(PR_SET_TIMERSLACK, 1);
  (void)syscall(SYS_sched_setattr, 0, &attributes, 0);
}

int sched_yield(void) {
  static _Thread_local int sleeps;
  if (sleeps > 0) return --sleeps, nap();
  const int64_t start = nanoseconds();
  (void)syscall(SYS_sched_yield);
  if (nanoseconds() - start > LONG_YIELD_NS) sleeps = SLEEPS;
  return 0;
}

#ifdef XREDIST_MPICH
unsigned ucp_worker_progress(void* worker);

unsigned ucp_worker_progress(void* worker) {
  static unsigned (*progress)(void*);
  static int empty_polls;
  if (!progress) *(void**)&progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
  const unsigned found = progress(worker);
  empty_polls = found ? 0 : empty_polls + 1;
  if (empty_polls > MAX_YIELDS)
    nap();
  else if (empty_polls > 0)
    sched_yield();
  return found;
}
#endif
