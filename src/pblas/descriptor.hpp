// SPDX-License-Identifier: BSD-3-Clause
// The descriptors of PBLAS.
#pragma once

#include <algorithm>

#include "xredist/integer.h"

namespace xredist::core {

/// A descriptor of type 1, made from one of type 1 or 2. Type 2 also has the size of the first block. A descriptor is
/// not known if that size differs from the size of all blocks, or if all rows or columns of processes hold the same
/// elements (source -1): PBLAS alone carries out such calls.
struct PblasDescriptor {
  xredist_int entries[9];  ///< DTYPE_ stays 1 or 2
  bool known;

  explicit PblasDescriptor(const xredist_int* desc) : entries{}, known(false) {
    if (desc[0] == 1) {
      std::copy_n(desc, 9, entries);
      known = true;
    } else if (desc[0] == 2) {
      std::copy_n(desc, 4, entries);
      std::copy_n(desc + 6, 5, entries + 4);
      known = desc[4] == desc[6] && desc[5] == desc[7];
    }
    known = known && entries[6] >= 0 && entries[7] >= 0;
  }
};

}  // namespace xredist::core
