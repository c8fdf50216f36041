/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into the processes of an emulated network. Open MPI polls and calls sched_yield after an unsuccessful poll.
 * This sched_yield sleeps, so that waiting processes leave the cores to others; otherwise the cores would be the
 * bottleneck, not the network. With shorter sleeps, Linux would stop these real-time programs for 50 milliseconds of
 * each second, because they use more than 95 % of it. */
#define _GNU_SOURCE
#include <sys/prctl.h>
#include <time.h>

__attribute__((constructor)) static void wake_in_time(void) { prctl(PR_SET_TIMERSLACK, 1000UL, 0, 0, 0); }

int sched_yield(void) {
  const struct timespec pause = {0, 200000};
  return nanosleep(&pause, 0);
}
