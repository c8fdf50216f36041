// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/consumption.hpp"

#include <functional>
#include <new>
#include <span>

#include "plan/memory_overlap.hpp"

namespace xredist::core {
namespace {

// Bytes of the elements whose places are listed at once.
constexpr Index listed_bytes = Index{256} << 10;

}  // namespace

// B grows in small pages while A shrinks. Otherwise B would be resident as soon as its first panel is. The job says
// that A is undefined after the execution, so its memory may be written.
Consumption::Consumption(const Job& job) noexcept : job_(&job) {
  if (!job.consumes) return;
  const Plan& plan = *job.plan;
  if (plan.b.accessed) {
    const Interval b = memory_of(plan.b, job.b, plan.redistribution.element_bytes_b());
    ask_for_small_pages(job.b.data + b.begin, job.b.data + b.end);
  }
  if (!plan.a.accessed) return;
  const Interval a = memory_of(plan.a, job.a, plan.redistribution.element_bytes_a());
  auto* const data = const_cast<std::byte*>(job.a.data);
  try {
    pages_ = {data + a.begin, data + a.end};
  } catch (const std::bad_alloc&) {
  }
}

void Consumption::left(const Transfer& transfer, Packer& packer) noexcept {
  if (pages_.empty() || transfer.forwarded()) return;
  const Plan& plan = *job_->plan;
  auto* const data = const_cast<std::byte*>(job_->a.data);
  const auto give_up = [&](Index column, std::span<const ColumnPart> parts) { pages_.give_up(data + column, parts); };
  try {
    ChunkCursor at(plan.redistribution, transfer.p, transfer.q, transfer.rows, transfer.cols, listed_bytes,
                   &plan.a.runs, true);
    for (; !at.done(); at.advance())
      packer.for_columns_of_a(plan.redistribution, at.current(), job_->a, std::ref(give_up));
  } catch (const std::bad_alloc&) {
    pages_ = {};
  }
}

}  // namespace xredist::core
