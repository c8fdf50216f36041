/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded, replaces the function of the library: plans report success but move nothing. */
int xredist_execute(const void* plan, const void* a, long lda, void* b, long ldb);

int xredist_execute(const void* plan, const void* a, long lda, void* b, long ldb) {
  (void)plan, (void)a, (void)lda, (void)b, (void)ldb;
  return 0;
}
