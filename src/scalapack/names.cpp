// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack/names.hpp"

XREDIST_DEFINE_ALL(p, Cp, C)
