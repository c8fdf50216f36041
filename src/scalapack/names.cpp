#include "scalapack/names.hpp"

XREDIST_DEFINE_ALL(p, Cp, C)
