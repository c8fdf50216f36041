// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/local_copy.hpp"

#include <cstdint>
#include <vector>

#include "layout/index.hpp"

namespace xredist::core {
namespace {

// Bytes: with chunks of this size, polling the requests after each chunk costs little.
constexpr Index copy_chunk_bytes = Index{1} << 20;
// Bytes: an update takes several passes over a chunk, which stays in the cache.
constexpr Index update_chunk_bytes = Index{256} << 10;

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

LocalCopy::LocalCopy(const Job& job, const Transfer& transfer, Packer& packer)
    : job_(job), transfer_(transfer), packer_(packer), later_(chunks()) {
  if (overlap_in_memory(*job.plan, job.a, job.b))
    copy_aside();
  else
    next_ = later_.next();
}

void LocalCopy::step() {
  packer_.copy(job_.plan->redistribution, *next_, job_.a, job_.b, job_.scalars);
  next_ = later_.next();
}

Chunks LocalCopy::chunks() const {
  const Redistribution& redistribution = job_.plan->redistribution;
  const Index max_bytes = is_copy(redistribution, job_.scalars) ? copy_chunk_bytes : update_chunk_bytes;
  return {redistribution, transfer_.p, transfer_.q,        transfer_.rows,
          transfer_.cols, max_bytes,   &job_.plan->a.runs, true};
}

void LocalCopy::copy_aside() {
  const Redistribution& redistribution = job_.plan->redistribution;
  std::vector<std::byte> copy(as_size(transfer_.elements() * redistribution.bytes));
  std::byte* at = copy.data();
  Chunks from = chunks();
  while (const auto chunk = from.next()) at += packer_.pack(redistribution, *chunk, job_.a, at);
  at = copy.data();
  Chunks to = chunks();
  while (const auto chunk = to.next())
    at += packer_.unpack(redistribution, *chunk, at, copy.data() + copy.size() - at, job_.b, job_.scalars).value();
}

}  // namespace xredist::core
