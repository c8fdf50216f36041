/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into the processes of an emulated network. Open MPI polls, and calls sched_yield where it has found
 * nothing: here that sleeps, so that many processes on few cores leave them to whom has work. Without it the
 * cores are the bottleneck, not the network; and with less sleep Linux stops real-time programs that take more than
 * 95% of a second for its rest, 50 milliseconds. */
#define _GNU_SOURCE
#include <sys/prctl.h>
#include <time.h>

__attribute__((constructor)) static void wake_in_time(void) { prctl(PR_SET_TIMERSLACK, 1000UL, 0, 0, 0); }

int sched_yield(void) {
  const struct timespec pause = {0, 200000};
  return nanosleep(&pause, 0);
}
