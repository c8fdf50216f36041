// SPDX-License-Identifier: BSD-3-Clause
// Headers of NumPy's files. Input: a whole file. A header that is read is written again and read as the same array.
#include "file/npy.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "demand.hpp"
#include "file/error.hpp"
#include "layout/layout.hpp"

namespace xredist::testing {
namespace {

using namespace files;

void check(const NpyHeader& header, const std::string& file) {
  demand(header.bytes > 0 && header.bytes <= std::ssize(file), "the header is a part of the file");
  demand(header.shape.size() <= as_size(max_dims), "the number of axes is in its range");
  demand(std::ranges::all_of(header.shape, [](Index n) { return n >= 0 && n <= max_elements; }),
         "sizes are in their range");
  demand(!too_large(header.shape), "the number of elements is in its range");
  const auto element = element_of(header.descr);
  if (!element) return;
  demand(element->bytes >= 1 && element->bytes <= Index{4} << 20, "an element has some bytes");
  const std::string written = npy_header(header.descr, header.fortran_order, header.shape);
  const NpyHeader again = parse_npy_header(written);
  demand(again.descr == header.descr && again.fortran_order == header.fortran_order && again.shape == header.shape &&
             again.bytes == std::ssize(written),
         "a header that is written is read again", written);
}

}  // namespace
}  // namespace xredist::testing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string file(reinterpret_cast<const char*>(data), size);
  try {
    xredist::testing::check(xredist::files::parse_npy_header(file), file);
  } catch (const xredist::files::FileError&) {
  }
  return 0;
}
