/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the library like a plug-in, in a program that links neither MPI nor ScaLAPACK: all symbols are resolved at once
 * (RTLD_NOW), and other libraries do not see them (RTLD_LOCAL).
 * usage: load LIBRARY [BLACS]. BLACS is a library with Cblacs_gridinfo alone, which all libraries see: then the program
 * also calls the drop-in. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  void* program = dlopen(NULL, RTLD_NOW);
  if (dlsym(program, "MPI_Init") != NULL) return fputs("the program itself has MPI\n", stderr), 1;
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return fprintf(stderr, "%s\n", dlerror()), 1;
  if (dlsym(library, "pdgemr2d_") == NULL) return fprintf(stderr, "%s\n", dlerror()), 1;
  if (argc > 2) {
    const int desc[] = {1, 0, 1, 1, 1, 1, 0, 0, 1};
    const double a = 1;
    double b;
    int (*init)(int*, char***);
    void (*move)(int, int, const double*, int, int, const int*, double*, int, int, const int*, int);
    if (dlopen(argv[2], RTLD_NOW | RTLD_GLOBAL) == NULL) return fprintf(stderr, "%s\n", dlerror()), 1;
    *(void**)&init = dlsym(library, "MPI_Init");
    *(void**)&move = dlsym(library, "Cpdgemr2d");
    init(&argc, &argv);
    move(1, 1, &a, 1, 1, desc, &b, 1, 1, desc, 0);
  }
  return dlclose(library);
}
