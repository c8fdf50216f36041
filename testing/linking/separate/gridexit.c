/* SPDX-License-Identifier: BSD-3-Clause */
void blacs_gridexit_(const int* context);

void blacs_gridexit_(const int* context) { (void)context; }
