/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the library like a plug-in, in a program that links neither MPI nor ScaLAPACK: all symbols are resolved at once
 * (RTLD_NOW), and other libraries do not see them (RTLD_LOCAL). */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  void* program = dlopen(NULL, RTLD_NOW);
  if (dlsym(program, "MPI_Init") != NULL) return fputs("the program itself has MPI\n", stderr), 1;
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return fprintf(stderr, "%s\n", dlerror()), 1;
  if (dlsym(library, "pdgemr2d_") == NULL) return fprintf(stderr, "%s\n", dlerror()), 1;
  return dlclose(library);
}
