// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/consumption.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <span>
#include <utility>

#include "plan/execution_panels.hpp"

namespace xredist::core {
namespace {

const Redistribution& moved_by(const Job& job) { return job.plan->redistribution; }
bool is_transposed(const Job& job) { return moved_by(job).operation.transposed; }

// Returns the factors of the columns; the columns themselves if these are no product.
std::span<const Overlap> factors_of(const Overlap& cols) {
  return is_product(cols) ? std::span<const Overlap>(*cols.factors()) : std::span<const Overlap>(&cols, 1);
}

// Calls visit(run) for the runs after the first `skipped` elements, `count` elements in all.
template <class From, class Visit>
void visit_runs(From runs, Index skipped, Index count, Visit visit) {
  while (skipped > 0) skipped -= runs.next(skipped).length;
  while (count > 0) {
    const Run run = runs.next(count);
    visit(run);
    count -= run.length;
  }
}

// Calls visit(run) for the elements in `part` that process p of A shares with process q of B.
template <class Visit>
void for_runs(const Overlap& o, const RunTable& table, Index p, Index q, const Interval& part, Visit visit) {
  if (table.empty())
    visit_runs(Runs(o, p, q), part.begin, part.length(), visit);
  else
    visit_runs(TableRuns(table.pair(q), part.begin), 0, part.length(), visit);
}

// Returns the bytes of a local array, from its begin, between the first element that moves and the last one.
Interval memory_of(const LocalPart& part, const ArrayStrides* strides, Index ld, Index bytes) {
  if (strides != nullptr) return {strides->span.begin * bytes, strides->span.end * bytes};
  return {(part.rows.begin + part.cols.begin * ld) * bytes, (part.rows.end + (part.cols.end - 1) * ld) * bytes};
}

// Returns a visitor of runs that calls visit(local index in A) for each element.
template <class Visit>
auto for_each_local(Visit visit) {
  return [visit](const Run& run) {
    for (Index i = 0; i < run.length; ++i) visit(run.a + i);
  };
}

}  // namespace

// B grows in small pages while A shrinks. Otherwise B would be resident as soon as its first panel is.
Consumption::Consumption(const Job& job) noexcept : job_(&job) {
  if (!job.consumes) return;
  if (job.plan->b.accessed) {
    const Interval b = memory_of(job.plan->b, job.b.strides, job.b.ld, moved_by(job).element_bytes_b());
    ask_for_small_pages(job.b.data + b.begin, job.b.data + b.end);
  }
  if (!job.plan->a.accessed) return;
  try {
    set_lines();
    const Index units = along_.length() * moved_by(job).units;
    if (lines_are_runs() && (!gaps_ || cuts_lines(*job_->plan)) && units <= std::numeric_limits<std::uint32_t>::max())
      pages_ = pages();
  } catch (const std::bad_alloc&) {
  }
}

// The lines of a transposed array are along the first group of its columns, which is fastest in A.
void Consumption::set_lines() {
  const auto& [rows, cols] = moved_by(*job_).traffic;
  const Coord at = *job_->plan->a.at;
  const Index units = moved_by(*job_).units;
  const auto in_elements = [&](const Interval& held) { return Interval{held.begin / units, held.end / units}; };
  if (is_transposed(*job_))
    add_across(in_elements(local_range(rows.a, at.row, rows.n)));
  else
    along_ = in_elements(held_along(rows.a, at.row, rows.n));
  Index p = at.col;
  bool along = is_transposed(*job_);
  for (const Overlap& factor : factors_of(cols)) {
    const Index coordinate = p % factor.a.procs;
    p /= factor.a.procs;
    if (std::exchange(along, false))
      along_ = held_along(factor.a, coordinate, factor.n);
    else
      add_across(local_range(factor.a, coordinate, factor.n));
  }
}

// Returns the local indices along the lines, and finds out whether all of them have elements that move.
Interval Consumption::held_along(const Axis& axis, Index p, Index n) {
  const Interval held = local_range(axis, p, n);
  gaps_ = held.length() > local_count(axis, p, axis.first + n) - local_count(axis, p, axis.first);
  return held;
}

void Consumption::add_across(const Interval& held) {
  across_.push_back({held, lines_});
  lines_ *= held.length();
}

bool Consumption::lines_are_runs() const {
  const ArrayStrides* strides = job_->a.strides;
  if (strides == nullptr) return true;
  const GroupStrides& along = is_transposed(*job_) ? strides->cols.front() : strides->rows;
  return along.is_regular() && along.step() == 1;
}

// The job says that A is undefined after the execution, so its memory may be written.
Pages Consumption::pages() const {
  auto* const data = const_cast<std::byte*>(job_->a.data);
  const Interval a = memory_of(job_->plan->a, job_->a.strides, job_->a.ld, moved_by(*job_).element_bytes_a());
  return {data + a.begin, data + a.end};
}

void Consumption::left(const Transfer& transfer) noexcept {
  if (pages_.empty() || transfer.forwarded()) return;
  try {
    leave(transfer);
  } catch (const std::bad_alloc&) {
    pages_ = {};
  }
}

// Returns the parts of the lines of a transposed A: its columns, which are rows of the traffic in units.
Consumption::Parts Consumption::rows_of(const Transfer& transfer) const {
  const Redistribution& moved = moved_by(*job_);
  const Across& across = across_.front();
  Parts parts;
  const auto add = [&](Index unit) {
    const Index l = unit / moved.units;
    const Index place = job_->a.strides != nullptr ? job_->a.strides->rows.offset(l) : l * job_->a.ld;
    parts.push_back({(l - across.held.begin) * across.step, place * moved.element_bytes_a()});
  };
  for_runs(moved.traffic.rows, job_->plan->a.runs.rows, transfer.p.row, transfer.q.row, transfer.rows,
           for_each_local(add));
  return parts;
}

// Returns the parts of the lines along each group of columns across them. A single group has the columns of the
// transfer only, a product all columns of the message.
std::vector<Consumption::Parts> Consumption::cols_of(const Transfer& transfer) const {
  const Redistribution& moved = moved_by(*job_);
  const ArrayStrides* strides = job_->a.strides;
  const bool transposed = is_transposed(*job_);
  const Index bytes = transposed || strides == nullptr ? moved.element_bytes_a() : moved.bytes_a();
  std::vector<Parts> all;
  std::size_t group = transposed ? 1 : 0;  // and, of a transposed A, its place in across_
  const auto part_of = [&](Index l) {
    const Across& across = across_[group];
    return Part{(l - across.held.begin) * across.step,
                (strides != nullptr ? strides->cols[group].offset(l) : l * job_->a.ld) * bytes};
  };
  const RunTables& runs = job_->plan->a.runs;
  if (!is_product(moved.traffic.cols)) {
    if (transposed) return all;
    Parts& parts = all.emplace_back();
    const auto add = [&](Index l) { parts.push_back(part_of(l)); };
    for_runs(moved.traffic.cols, runs.cols, transfer.p.col, transfer.q.col, transfer.cols, for_each_local(add));
    return all;
  }
  std::size_t number = 0;
  runs.factors.for_factors(transfer.q.col, [&](const ProductRuns::Factor& factor, Index peer) {
    if (number++ < group) return;
    Parts& parts = all.emplace_back();
    factor.for_runs(peer, 0, factor.elements(peer), for_each_local([&](Index l) { parts.push_back(part_of(l)); }));
    ++group;
  });
  return all;
}

// Returns the columns of a message that are in one line.
Index Consumption::columns_in_line(const Transfer& transfer) const {
  if (!is_transposed(*job_)) return 1;
  Index columns = transfer.cols.end;
  bool first = true;
  if (is_product(moved_by(*job_).traffic.cols))
    job_->plan->a.runs.factors.for_factors(transfer.q.col, [&](const ProductRuns::Factor& factor, Index peer) {
      if (std::exchange(first, false)) columns = factor.elements(peer);
    });
  return columns;
}

void Consumption::leave(const Transfer& transfer) {
  const bool transposed = is_transposed(*job_);
  const Parts rows = transposed ? rows_of(transfer) : Parts{{0, 0}};
  const std::vector<Parts> cols = cols_of(transfer);
  const Index inner = columns_in_line(transfer);
  const Interval& columns = transfer.cols;
  const Index first = columns.begin / inner, listed = is_product(moved_by(*job_).traffic.cols) ? 0 : first;
  for (Index outer = first; outer * inner < columns.end; ++outer) {
    const Index in_line = std::min(columns.end, (outer + 1) * inner) - std::max(columns.begin, outer * inner);
    Part line{0, along_.begin * moved_by(*job_).element_bytes_a()};
    Index rest = outer - listed;
    for (const Parts& parts : cols) {
      const Part& part = at(parts, rest % std::ssize(parts));
      line = {line.line + part.line, line.offset + part.offset};
      rest /= std::ssize(parts);
    }
    for (const Part& row : rows) {
      const Part whole{line.line + row.line, line.offset + row.offset};
      if (cuts_lines(*job_->plan))
        leave_runs(whole, transfer);
      else
        leave_line(whole, transposed ? in_line : transfer.rows.length());
    }
  }
}

// The elements of a line in a transfer. A transposed element that is cut has units, and does not come here.
void Consumption::leave_runs(const Part& line, const Transfer& transfer) {
  const Redistribution& moved = moved_by(*job_);
  const auto& [rows, cols] = moved.traffic;
  const RunTables& runs = job_->plan->a.runs;
  const Index bytes = moved.bytes_a();
  auto* const begin = const_cast<std::byte*>(job_->a.data) + line.offset - along_.begin * moved.element_bytes_a();
  const auto give_up = [&](const Run& run) {
    pages_.give_up(begin + run.a * bytes, begin + (run.a + run.length) * bytes);
  };
  if (is_transposed(*job_))
    for_runs(cols, runs.cols, transfer.p.col, transfer.q.col, transfer.cols, give_up);
  else
    for_runs(rows, runs.rows, transfer.p.row, transfer.q.row, transfer.rows, give_up);
}

void Consumption::leave_line(const Part& line, Index units) {
  const Redistribution& moved = moved_by(*job_);
  const Index all = along_.length() * moved.units;
  if (units < all) {
    if (to_go_.empty()) to_go_.assign(as_size(lines_), static_cast<std::uint32_t>(all));
    std::uint32_t& to_go = at(to_go_, line.line);
    to_go -= static_cast<std::uint32_t>(units);
    if (to_go > 0) return;
  }
  auto* const begin = const_cast<std::byte*>(job_->a.data) + line.offset;
  pages_.give_up(begin, begin + along_.length() * moved.element_bytes_a());
}

}  // namespace xredist::core
