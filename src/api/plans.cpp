// SPDX-License-Identifier: BSD-3-Clause
// The functions of xredist.h that make plans and describe them.
#include <algorithm>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include "api/arguments.hpp"
#include "api/errors.hpp"
#include "api/operation.hpp"
#include "api/plan.hpp"
#include "exchange/channels.hpp"
#include "exchange/errors.hpp"
#include "exchange/progress.hpp"
#include "plan/buffers.hpp"
#include "schedule/algorithm.hpp"
#include "settings/log.hpp"

using namespace xredist::core;

namespace {

Index fingerprint_of(const xredist_layout* layout) {
  return layout == nullptr ? 0 : fingerprint(layout->rows) ^ fingerprint(layout->cols) / 2;
}

// Compares partitions between the processes. Returns `error`, or else the error that the comparison has found. Throws
// OutOfMemorySomewhere.
MaybeError agreed(const MaybeError& error, bool lacks_memory, const xredist_layout* a, const xredist_layout* b,
                  const Channel& channel, Progress& progress) {
  const Index of_a = fingerprint_of(a), of_b = fingerprint_of(b);
  struct Comparison {
    Index error, a, minus_a, b, minus_b;
  } compared{lacks_memory ? 2 : error ? 1 : 0, of_a, -of_a, of_b, -of_b};
  static_assert(sizeof(Comparison) == 5 * sizeof(Index));
  reduce(&compared, sizeof(Comparison) / sizeof(Index), MPI_INT64_T, MPI_MAX, channel.comm(), progress);
  if (compared.error == 2) throw OutOfMemorySomewhere();
  if (error) return error;
  if (compared.error != 0) return ArgumentError{{"an argument"}, " is invalid on another process"};
  if (compared.a != -compared.minus_a) return ArgumentError{{"a"}, ": partitions differ between processes"};
  if (compared.b != -compared.minus_b) return ArgumentError{{"b"}, ": partitions differ between processes"};
  return {};
}

Index max_min_ld(const xredist_plan& plan, LocalPart Plan::*side) {
  Index ld = 0;
  for (const Plan& part : *plan.parts) ld = std::max(ld, (part.*side).rows.end);
  return ld;
}

const xredist_plan& demanded(const xredist_plan* plan) {
  demand(null_error({"plan"}, plan));
  return *plan;
}

}  // namespace

void xredist_plan::add(Plan part, Queue& queue) {
  parts->push_back(std::move(part));
  queue.reserve(buffers_of(*parts));
}

void xredist_plan::tune(const char* routine, std::span<const int> ranks_a, std::span<const int> ranks_b, Queue& queue) {
  // Programs have up to three executions of one plan under way. Then no start waits.
  tuning = tuning_of({.routine = routine,
                      .modelled = parts,
                      .ranks_a = ranks_a,
                      .ranks_b = ranks_b,
                      .executions = executions_of_plan,
                      .overlap = 4},
                     channel, queue);
  if (!tuning) return;
  for (const BufferSize& size : tuning->buffers()) queue.reserve(size);
}

Plan xredist::core::plan_on_channel(const char* routine, const Channel& channel, const Redistribution& redistribution,
                                    std::span<const int> ranks_a, std::span<const int> ranks_b, double executions) {
  Options options = channel.options();
  // Before the links are explored, the few small calls take less time than it takes to find the best schedule.
  if (!channel.explored() && options.algorithm == AlgorithmId::by_default) options.algorithm = AlgorithmId::shifted;
  Plan plan = plan_process(redistribution, ranks_a, ranks_b, channel.rank(), options, channel.links(), executions);
  if (channel.rank() == 0 && channel.options().verbose >= 1)
    write_log("%s plans %s", routine, description_of(plan).c_str());
  return plan;
}

void xredist::core::create_plan_on_communicator(MPI_Comm comm, const xredist_layout* a, const xredist_layout* b,
                                                const xredist_operation* passed, Type integer, const MaybeError& found,
                                                xredist_plan** plan) {
  if (plan != nullptr) *plan = nullptr;
  demand(communicator_error(comm));
  LibraryLock lock;
  Channel& channel = channel_of(comm, lock);
  channel.explore(lock->progress);
  const xredist_operation operation = with_defaults(passed != nullptr ? *passed : xredist_operation{});
  MaybeError error = first_of({found, null_error({"operation"}, passed), null_error({"plan"}, plan)});
  const bool comparing = channel.options().check != 0;
  bool lacks_memory = false;
  try {
    if (!error)
      error = first_of({elements_error(operation, integer), submatrix_error(a, b, operation, channel.size())});
  } catch (const std::bad_alloc&) {
    if (!comparing) throw;
    lacks_memory = true;
  }
  if (comparing) error = agreed(error, lacks_memory, a, b, channel, lock->progress);
  demand(error);
  const Layout layout_a = layout_of(*a, operation.ia, operation.ja);
  const Layout layout_b = layout_of(*b, operation.ib, operation.jb);
  const std::vector<int> ranks_a = ranks_of(*a), ranks_b = ranks_of(*b);
  auto made = std::make_unique<xredist_plan>(channel);
  for (const auto& [region, of_elements] : parts_of(operation, integer)) {
    const Redistribution redistribution =
        redistribution_of(layout_a, layout_b, operation.m, operation.n, region, operation.bytes, of_elements);
    made->add(plan_on_channel("xredist_plan_create", channel, redistribution, ranks_a, ranks_b, executions_of_plan),
              lock->queue);
  }
  made->tune("xredist_plan_create", ranks_a, ranks_b, lock->queue);
  made->lda = max_min_ld(*made, &Plan::a);
  made->ldb = max_min_ld(*made, &Plan::b);
  *plan = made.release();
}

int xredist_plan_create(MPI_Comm comm, const xredist_layout* a, const xredist_layout* b,
                        const xredist_operation* operation, xredist_plan** plan) {
  return coded([&] { create_plan_on_communicator(comm, a, b, operation, Type::integer, {}, plan); });
}

void xredist_plan_destroy(xredist_plan* plan) { delete plan; }

int xredist_plan_query(const xredist_plan* plan, xredist_plan_info* info) {
  return coded([&] {
    demanded(plan);
    demand(null_error({"info"}, info));
    *info = {};
    info->buffer_bytes = plan->tuning ? plan->tuning->buffer_bytes() : buffers_of(*plan->parts).bytes();
    for (const Plan& part : plan->best()) {
      if (part.a.accessed) info->rows_a = std::max(info->rows_a, part.a.rows.end);
      if (part.b.accessed) info->rows_b = std::max(info->rows_b, part.b.rows.end);
      const Index bytes = part.redistribution.bytes;
      for (const Round& round : part.rounds) {
        for (const Transfer& transfer : round.sends) info->bytes_sent += bytes * transfer.elements();
        for (const Transfer& transfer : round.receives) info->bytes_received += bytes * transfer.elements();
        for (const Transfer& copy : round.copies) info->bytes_kept += bytes * copy.elements();
      }
      info->steps += part.steps;
      info->rounds += rounds_of_panel(part.route);
    }
  });
}

int xredist_plan_describe(const xredist_plan* plan, char* text, size_t size) {
  return coded([&] {
    demanded(plan);
    demand(null_error({"text"}, text));
    if (size == 0) throw InvalidArgument("size is 0, must be at least 1");
    std::string all;
    for (const Plan& part : plan->best()) all += (all.empty() ? "" : "; ") + description_of(part);
    if (plan->tuning) all += "; " + plan->tuning->description();
    text[all.copy(text, size - 1)] = '\0';
  });
}

int xredist_local_size(const xredist_layout* layout, int64_t m, int64_t n, int rank, int64_t* rows, int64_t* cols) {
  return coded([&] {
    constexpr Index any_size = std::numeric_limits<Index>::max();
    demand(first_of({null_error({"layout"}, layout), bounds_error({"m"}, m, 0), bounds_error({"n"}, n, 0),
                     null_error({"rows"}, rows), null_error({"cols"}, cols)}));
    xredist_layout without_ranks = *layout;
    without_ranks.ranks = nullptr;
    demand(layout_error("layout", &without_ranks, any_size));
    const auto beyond = [](const ArgumentRef& name, Index size, const xredist_partition* partition) {
      if (partition == nullptr || size <= partition->bounds[partition->count]) return MaybeError();
      return value_error(name, size, ": the partition ends at " + std::to_string(partition->bounds[partition->count]));
    };
    demand(first_of({beyond({"m"}, m, layout->rows), beyond({"n"}, n, layout->cols)}));
    const Index size = Index{layout->nprow} * layout->npcol;
    const Index position =
        layout->ranks == nullptr ? rank : std::find(layout->ranks, layout->ranks + size, rank) - layout->ranks;
    const bool member = position >= 0 && position < size;
    const Layout shape = layout_of(*layout, 1, 1);
    *rows = member ? local_count(shape.rows, position / layout->npcol, m) : 0;
    *cols = member ? local_count(shape.cols, position % layout->npcol, n) : 0;
  });
}

int xredist_set_option(MPI_Comm comm, const char* name, const char* value) {
  return coded([&] {
    demand(first_of({communicator_error(comm), null_error({"name"}, name), null_error({"value"}, value)}));
    LibraryLock lock;
    Options& options = channel_of(comm, lock).options();
    Options changed = options;
    if (const std::string wrong = set_option(changed, name, value); !wrong.empty())
      throw InvalidArgument(std::string(name) + "=" + value + ": " + wrong);
    options = changed;
  });
}
