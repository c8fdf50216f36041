/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls MKL's other spellings of PDGEMR2D, with matrices of 2, 3 and 4 rows and columns. */
typedef const int* Int;

void Cblacs_pinfo(int* process, int* processes);
void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int rows, int columns);
void Cblacs_exit(int more);
void pdgemr2d(Int, Int, double*, Int, Int, Int, double*, Int, Int, Int, Int);
void PDGEMR2D(Int, Int, double*, Int, Int, Int, double*, Int, Int, Int, Int);
void PDGEMR2D_(Int, Int, double*, Int, Int, Int, double*, Int, Int, Int, Int);

int main(void) {
  int process, processes, context;
  Cblacs_pinfo(&process, &processes);
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "R", 1, processes);
  const int one = 1, two = 2, three = 3, four = 4;
  const int desca[] = {1, context, 4, 4, 4, 1, 0, 0, 4}, descb[] = {1, context, 4, 4, 4, 2, 0, 0, 4};
  double a[16] = {0}, b[16];
  pdgemr2d(&two, &two, a, &one, &one, desca, b, &one, &one, descb, &context);
  PDGEMR2D(&three, &three, a, &one, &one, desca, b, &one, &one, descb, &context);
  PDGEMR2D_(&four, &four, a, &one, &one, desca, b, &one, &one, descb, &context);
  Cblacs_exit(0);
}
