// SPDX-License-Identifier: BSD-3-Clause
// x?redist: times redistributions of one element type; XREDIST_LETTER is i, s, d, c or z.
#include "drivers/driver.hpp"

int main(int argc, char** argv) { return drivers::run(XREDIST_LETTER, argc, argv); }
