/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded, replaces the function of the library: plans report success but move nothing. */
int xredist_execute(const void* job);

int xredist_execute(const void* job) {
  (void)job;
  return 0;
}
