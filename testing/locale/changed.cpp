// SPDX-License-Identifier: BSD-3-Clause
// usage: changed TEXT   prints numbers by a stream and by printf, and returns whether they are TEXT.
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>

int main(int argc, char** argv) {
  std::ostringstream stream;
  stream << 1234567 << ' ' << 1.5;
  char number[32];
  std::snprintf(number, sizeof number, " %.1f", 1.5);
  const std::string text = stream.str() + number;
  std::puts(text.c_str());
  return argc == 2 && text == argv[1] ? 0 : 1;
}
