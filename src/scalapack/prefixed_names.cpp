// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack/names.hpp"

XREDIST_DEFINE_ALL(xredist_p, xredist_Cp, xredist_C)
