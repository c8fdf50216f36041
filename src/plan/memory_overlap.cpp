// SPDX-License-Identifier: BSD-3-Clause
#include "plan/memory_overlap.hpp"

#include <cstddef>
#include <cstdint>

#include "copy/strides.hpp"

namespace xredist::core {
namespace {

// Returns whether the memory between the first and the last elements of both subarrays overlaps.
bool spans_overlap(const ConstArray& a, Index bytes_a, const Array& b, Index bytes_b) {
  const auto at = [](const std::byte* data, Index offset) { return reinterpret_cast<std::intptr_t>(data) + offset; };
  const Interval &in_a = a.strides->span, &in_b = b.strides->span;
  return at(a.data, in_a.begin * bytes_a) < at(b.data, in_b.end * bytes_b) &&
         at(b.data, in_b.begin * bytes_b) < at(a.data, in_a.end * bytes_a);
}

}  // namespace

bool overlap_in_memory(const Plan& plan, ConstArray a, Array b) {
  if (!plan.a.accessed || !plan.b.accessed) return false;
  const Index bytes_a = plan.redistribution.element_bytes_a(), bytes = plan.redistribution.element_bytes_b();
  if (a.strides != nullptr) return spans_overlap(a, bytes_a, b, bytes);
  const auto at = [](const std::byte* data, Index i, Index j, Index ld, Index element) {
    return reinterpret_cast<std::intptr_t>(data) + (i + j * ld) * element;
  };
  const auto a_begin = at(a.data, plan.a.rows.begin, plan.a.cols.begin, a.ld, bytes_a),
             a_end = at(a.data, plan.a.rows.end, plan.a.cols.end - 1, a.ld, bytes_a);
  const auto b_begin = at(b.data, plan.b.rows.begin, plan.b.cols.begin, b.ld, bytes),
             b_end = at(b.data, plan.b.rows.end, plan.b.cols.end - 1, b.ld, bytes);
  if (a_begin >= b_end || b_begin >= a_end) return false;
  if (a.ld * bytes_a != b.ld * bytes) return true;
  // Columns repeat every ld elements, so the distance of the first rows counts modulo that, in bytes.
  const Index column = a.ld * bytes;
  const Index ahead = modulo(b_begin - a_begin, column);
  return ahead < plan.a.rows.length() * bytes_a || ahead + plan.b.rows.length() * bytes > column;
}

}  // namespace xredist::core
