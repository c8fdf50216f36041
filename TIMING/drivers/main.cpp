// SPDX-License-Identifier: BSD-3-Clause
// x?redist: times redistributions of one element type; XREDIST_LETTER is i, s, d, c or z.
namespace drivers {
int run(char letter, int argc, char** argv);  // driver.cpp
}

int main(int argc, char** argv) { return drivers::run(XREDIST_LETTER, argc, argv); }
