// SPDX-License-Identifier: BSD-3-Clause
// The functions of xredist.h that make plans and describe them.
#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "api/arguments.hpp"
#include "api/compare.hpp"
#include "api/errors.hpp"
#include "api/operation.hpp"
#include "api/plan.hpp"
#include "exchange/channels.hpp"
#include "exchange/progress.hpp"
#include "plan/buffers.hpp"
#include "schedule/algorithm.hpp"
#include "settings/log.hpp"

using namespace xredist::core;

namespace {

// The partitions of a layout, as processes compare them.
Compared compared_partition(const ArgumentRef& name, const xredist_layout* layout,
                            const xredist_partition* xredist_layout::*partition) {
  return {name, layout == nullptr ? 0 : fingerprint(layout->*partition), differs};
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

void xredist_plan::tune(const char* routine, std::span<const int> ranks_a, std::span<const int> ranks_b,
                        const Options& options, Queue& queue) {
  // Programs have up to three executions of one plan under way. Then no start waits.
  tuning = tuning_of({.routine = routine,
                      .modelled = parts,
                      .ranks_a = ranks_a,
                      .ranks_b = ranks_b,
                      .options = options,
                      .executions = executions_of_plan,
                      .overlap = 4},
                     channel, queue);
  if (!tuning) return;
  for (const BufferSize& size : tuning->buffers()) queue.reserve(size);
}

Plan xredist::core::plan_on_channel(const char* routine, const Channel& channel, const Redistribution& redistribution,
                                    std::span<const int> ranks_a, std::span<const int> ranks_b, Options options,
                                    double executions) {
  // Before the links are explored, the few small calls take less time than it takes to find the best schedule.
  if (!channel.explored() && options.algorithm == AlgorithmId::by_default) options.algorithm = AlgorithmId::shifted;
  Plan plan = plan_process(redistribution, ranks_a, ranks_b, channel.rank(), options, channel.links(), executions);
  if (channel.rank() == 0 && options.verbose >= 1) write_log("%s plans %s", routine, description_of(plan).c_str());
  return plan;
}

std::unique_ptr<xredist_plan> xredist::core::plan_of_layouts(Channel& channel, const LibraryLock& lock,
                                                             const Options& options, const xredist_layout* a,
                                                             const xredist_layout* b,
                                                             const xredist_operation& operation, Type integer,
                                                             const MaybeError& found) {
  channel.explore(lock->progress);
  // No conditional expression: GCC 12 destroys the temporary objects of an operand wrongly if one of them throws.
  const auto check = [&]() -> MaybeError {
    if (found) return found;
    return first_of({elements_error(operation, integer), submatrix_error(a, b, operation, channel.size())});
  };
  if (options.check != 0) {
    std::array partitions{compared_partition({"a", -1, ".rows"}, a, &xredist_layout::rows),
                          compared_partition({"a", -1, ".cols"}, a, &xredist_layout::cols),
                          compared_partition({"b", -1, ".rows"}, b, &xredist_layout::rows),
                          compared_partition({"b", -1, ".cols"}, b, &xredist_layout::cols)};
    demand(first_error(check, partitions, channel.comm(), lock->progress));
  } else {
    demand(check());
  }
  const Layout layout_a = layout_of(*a, operation.ia, operation.ja);
  const Layout layout_b = layout_of(*b, operation.ib, operation.jb);
  const std::vector<int> ranks_a = ranks_of(*a), ranks_b = ranks_of(*b);
  auto made = std::make_unique<xredist_plan>(channel);
  for (const auto& [region, of_elements] : parts_of(operation, integer)) {
    const Redistribution redistribution =
        redistribution_of(layout_a, layout_b, operation.m, operation.n, region, operation.bytes, of_elements);
    made->add(
        plan_on_channel("xredist_plan_create", channel, redistribution, ranks_a, ranks_b, options, executions_of_plan),
        lock->queue);
  }
  made->tune("xredist_plan_create", ranks_a, ranks_b, options, lock->queue);
  made->lda = max_min_ld(*made, &Plan::a);
  made->ldb = max_min_ld(*made, &Plan::b);
  return made;
}

void xredist::core::create_plan_on_communicator(MPI_Comm comm, const xredist_layout* a, const xredist_layout* b,
                                                const xredist_operation* passed, Type integer, const MaybeError& found,
                                                xredist_plan** plan) {
  if (plan != nullptr) *plan = nullptr;
  demand(communicator_error(comm));
  LibraryLock lock;
  Channel& channel = channel_of(comm, lock);
  const MaybeError error = first_of({found, null_error({"operation"}, passed), null_error({"plan"}, plan)});
  std::unique_ptr<xredist_plan> made =
      plan_of_layouts(channel, lock, channel.options(), a, b,
                      with_defaults(passed != nullptr ? *passed : xredist_operation{}), integer, error);
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
      for (const Round& round : part.rounds) {
        for (const Transfer& transfer : round.sends) info->bytes_sent += bytes_of(part, transfer);
        for (const Transfer& transfer : round.receives) info->bytes_received += bytes_of(part, transfer);
        for (const Transfer& copy : round.copies) info->bytes_kept += bytes_of(part, copy);
      }
      info->steps += part.steps;
      info->rounds = std::max<Index>(info->rounds, rounds_of_panel(part.route));  // the parts travel together
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
