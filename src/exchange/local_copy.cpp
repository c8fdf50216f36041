// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/local_copy.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "layout/index.hpp"

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

bool LocalCopy::overlaps(const Transfer& copy) const {
  const Job& job = at(batch_.jobs, copy.job);
  return overlap_in_memory(*job.plan, job.a, job.b);
}

// Nothing has been received in the round when overlapping arrays are copied.
void LocalCopy::open(std::span<const Transfer> copies) {
  if (copies.empty()) return;
  finish();
  if (std::ranges::none_of(copies, [this](const Transfer& copy) { return overlaps(copy); }))
    return packets_.open(batch_, copies, TransferList::copies);
  for (std::size_t k = 0; k < copies.size(); ++k) {
    if (overlaps(copies[k])) {
      copy_aside(copies[k]);
    } else {
      packets_.open(batch_, copies.subspan(k, 1), TransferList::copies);
      finish();
    }
  }
}

void LocalCopy::step() {
  for (const Chunk& chunk : packets_.current().chunks) {
    const Job& job = at(batch_.jobs, chunk.job);
    packer_.copy(job.plan->redistribution, chunk, job.a, job.b, job.scalars);
  }
  packets_.advance();
}

void LocalCopy::copy_aside(const Transfer& transfer) {
  const Job& job = at(batch_.jobs, transfer.job);
  const Redistribution& redistribution = job.plan->redistribution;
  std::vector<std::byte> copy(as_size(transfer.elements() * redistribution.bytes));
  std::byte* at = copy.data();
  const auto for_chunks = [&](auto visit) {
    for (packets_.open(batch_, std::span(&transfer, 1), TransferList::copies); !done(); packets_.advance())
      for (const Chunk& chunk : packets_.current().chunks) visit(chunk);
  };
  for_chunks([&](const Chunk& chunk) { at += packer_.pack(redistribution, chunk, job.a, at); });
  at = copy.data();
  for_chunks([&](const Chunk& chunk) {
    at += packer_.unpack(redistribution, chunk, at, copy.data() + copy.size() - at, job.b, job.scalars).value();
  });
}

}  // namespace xredist::core
