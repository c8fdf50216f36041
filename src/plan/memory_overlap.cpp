// SPDX-License-Identifier: BSD-3-Clause
#include "plan/memory_overlap.hpp"

#include <cstdint>

namespace xredist::core {

// Subarrays with strides are taken to have all of the memory between their elements.
bool overlap_in_memory(const Plan& plan, ConstArray a, Array b) {
  if (!plan.a.accessed || !plan.b.accessed) return false;
  const Index bytes_a = plan.redistribution.element_bytes_a(), bytes = plan.redistribution.element_bytes_b();
  const Interval in_a = memory_of(plan.a, a, bytes_a), in_b = memory_of(plan.b, b, bytes);
  const auto at_a = reinterpret_cast<std::intptr_t>(a.data), at_b = reinterpret_cast<std::intptr_t>(b.data);
  if (at_a + in_a.begin >= at_b + in_b.end || at_b + in_b.begin >= at_a + in_a.end) return false;
  if (a.strides != nullptr || a.ld * bytes_a != b.ld * bytes) return true;
  // Columns repeat every ld elements, so the distance of the first rows counts modulo that, in bytes.
  const Index column = a.ld * bytes;
  const Index ahead = modulo(at_b + in_b.begin - at_a - in_a.begin, column);
  return ahead < plan.a.rows.length() * bytes_a || ahead + plan.b.rows.length() * bytes > column;
}

}  // namespace xredist::core
