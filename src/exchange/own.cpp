// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/own.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "layout/index.hpp"

namespace xredist::core {
namespace {

// So large that testing the requests after each piece costs little.
constexpr Index own_piece = Index{1} << 20;
// What is done to elements takes several passes, in the cache.
constexpr Index own_changed_piece = Index{128} << 10;

// The local rows (columns) of process p that belong to the submatrix: from the first to the last.
Interval local_range(const Axis& axis, Index p, Index n) {
  return {local_count(axis, p, axis.first), local_count(axis, p, axis.first + n)};
}

// Whether the local parts of A's and of B's submatrix share memory. Two submatrices of one array that lie side by side,
// or one below the other, do not.
bool overlap_in_memory(const Plan& plan, ConstArray a, Array b) {
  const Traffic& t = plan.redistribution.traffic;
  Interval rows_a = local_range(t.rows.a, plan.in_a->row, t.rows.n),
           cols_a = local_range(t.cols.a, plan.in_a->col, t.cols.n);
  const Interval rows_b = local_range(t.rows.b, plan.in_b->row, t.rows.n),
                 cols_b = local_range(t.cols.b, plan.in_b->col, t.cols.n);
  const bool transposed = plan.redistribution.operation.transposed;
  if (transposed) std::swap(rows_a, cols_a);
  const Index bytes_a = plan.redistribution.bytes_a(), bytes = plan.redistribution.bytes_b();
  const auto at = [](const std::byte* data, Index i, Index j, Index ld, Index element) {
    return reinterpret_cast<std::intptr_t>(data) + (i + j * ld) * element;
  };
  const auto a_begin = at(a.data, rows_a.begin, cols_a.begin, a.ld, bytes_a),
             a_end = at(a.data, rows_a.end, cols_a.end - 1, a.ld, bytes_a);
  const auto b_begin = at(b.data, rows_b.begin, cols_b.begin, b.ld, bytes),
             b_end = at(b.data, rows_b.end, cols_b.end - 1, b.ld, bytes);
  if (a_begin >= b_end || b_begin >= a_end) return false;
  if (a.ld * bytes_a != b.ld * bytes) return true;
  // Columns repeat every ld elements, so the distance of the first rows counts modulo that, in bytes.
  const Index column = a.ld * bytes;
  const Index ahead = modulo(b_begin - a_begin, column);
  return ahead < (rows_a.end - rows_a.begin) * bytes_a || ahead + (rows_b.end - rows_b.begin) * bytes > column;
}

}  // namespace

OwnMessage::OwnMessage(const Job& job, Packer& packer) : job_(job), packer_(packer) {
  if (job.plan->own_rows == 0) return;
  if (overlap_in_memory(*job.plan, job.a, job.b)) {
    copy_aside();
  } else {
    pieces_ = pieces();
    next_ = pieces_->next();
  }
}

void OwnMessage::step() {
  packer_.copy(job_.plan->redistribution, *next_, job_.a, job_.b, job_.scalars);
  next_ = pieces_->next();
}

Pieces OwnMessage::pieces() const {
  const Plan& plan = *job_.plan;
  const Index limit = is_copy(plan.redistribution, job_.scalars) ? own_piece : own_changed_piece;
  return {plan.redistribution, *plan.in_a, *plan.in_b, {0, plan.own_rows}, {0, plan.own_cols}, limit, &plan.send_runs};
}

void OwnMessage::copy_aside() {
  const Plan& plan = *job_.plan;
  std::vector<std::byte> copy(static_cast<std::size_t>(plan.own_rows * plan.own_cols * plan.redistribution.bytes));
  std::byte* at = copy.data();
  Pieces from = pieces();
  while (const auto piece = from.next()) at += packer_.pack(plan.redistribution, *piece, job_.a, at);
  at = copy.data();
  Pieces to = pieces();
  while (const auto piece = to.next()) at += packer_.unpack(plan.redistribution, *piece, at, job_.b, job_.scalars);
}

}  // namespace xredist::core
