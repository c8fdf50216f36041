#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "scalapack/blacs.hpp"
#include "scalapack/call.hpp"

namespace xredist {

std::string name_of(const Call& call, Argument argument, int entry) {
  static constexpr const char* arguments[] = {"M", "N", "A", "IA", "JA", "DESCA", "B", "IB", "JB", "DESCB", "CTXT"};
  static constexpr const char* entries[] = {"DTYPE_", "CTXT_", "M_", "N_", "MB_", "NB_", "RSRC_", "CSRC_", "LLD_"};
  const int place = static_cast<int>(argument);
  std::string name = "argument " + std::to_string(place + (call.trapezoid ? 2 : 0)) + " (" + arguments[place - 1] + ")";
  if (entry >= 0) name += ", entry " + std::to_string(entry + 1) + " (" + entries[entry] + ")";
  return name;
}

void fail(const Call& call, int rank, const std::string& what) {
  if (rank > 0) std::this_thread::sleep_for(std::chrono::milliseconds(500 + 500 * std::min(rank, 10)));
  std::fprintf(stderr, "xredist: %s: %s\n", call.routine, what.c_str());
  std::fflush(stderr);
  Cblacs_abort(call.whole_world ? -1 : call.ctxt, 1);
  std::abort();
}

}  // namespace xredist
