// SPDX-License-Identifier: BSD-3-Clause
// Runs the fuzzer's target without the fuzzer: on the files named, or on as many random inputs as the
// first argument says, the same in every run.
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s COUNT | FILE...\n", argv[0]);
    return 2;
  }
  int count = 0;
  if (const char* end = argv[1] + std::strlen(argv[1]); std::from_chars(argv[1], end, count).ptr == end) {
    std::mt19937_64 random(1);
    for (int k = 0; k < count; ++k) {
      std::vector<std::uint8_t> bytes(8 + random() % 40);
      for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
      LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    }
    return 0;
  }
  for (int k = 1; k < argc; ++k) {
    std::ifstream file(argv[k], std::ios::binary);
    if (!file) {
      std::fprintf(stderr, "cannot read %s\n", argv[k]);
      return 2;
    }
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
}
