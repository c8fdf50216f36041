// SPDX-License-Identifier: BSD-3-Clause
// The calls of a program that took longest.
#pragma once

#include <vector>

#include "report/table.hpp"

namespace xredist::trial {

/// A call, with the seconds of its slowest process. Sent as bytes.
struct SlowCall {
  core::Case key;
  core::Index number;  ///< among the calls of its case, from 1
  double begin;        ///< seconds since the start of the program
  double own, xredist;

  double seconds() const { return own > xredist ? own : xredist; }
};

/// The calls with the most seconds, in descending order.
class Slowest {
 public:
  void add(const SlowCall& call);
  const std::vector<SlowCall>& all() const { return calls_; }

 private:
  std::vector<SlowCall> calls_;
};

}  // namespace xredist::trial
