/* SPDX-License-Identifier: BSD-3-Clause */
/* usage: own_blas FOLDER
 * A program that has its BLAS from FOLDER keeps it: the name dgemm_, as every library of the program sees it, is bound
 * there. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void Cblacs_pinfo(int* rank, int* size);
void Cblacs_exit(int more);

int main(int argc, char** argv) {
  int rank, size;
  Cblacs_pinfo(&rank, &size); /* the program needs ScaLAPACK */
  void* const product = dlsym(RTLD_DEFAULT, "dgemm_");
  Dl_info library;
  char file[4096], folder[4096];
  if (argc != 2 || product == NULL || dladdr(product, &library) == 0) return 2;
  if (realpath(library.dli_fname, file) == NULL || realpath(argv[1], folder) == NULL) return 2;
  *strrchr(file, '/') = '\0';
  const int kept = strcmp(file, folder) == 0;
  if (!kept) fprintf(stderr, "dgemm_ is that of %s, expected %s\n", library.dli_fname, folder);
  Cblacs_exit(0);
  return kept ? 0 : 1;
}
