// SPDX-License-Identifier: BSD-3-Clause
// The functions of xredist.h that make plans and describe them.
#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "api/arguments.hpp"
#include "api/compared_arrays.hpp"
#include "api/failure.hpp"
#include "api/matrix_operation.hpp"
#include "api/plan_handle.hpp"
#include "api/same_call.hpp"
#include "exchange/channels.hpp"
#include "exchange/progress.hpp"
#include "exchange/watched_process.hpp"
#include "plan/buffers.hpp"
#include "plan/consume.hpp"
#include "schedule/algorithm.hpp"
#include "settings/log.hpp"

using namespace xredist::core;

namespace {

constexpr const char* function = "xredist_plan_create";

Index max_min_ld(const xredist_plan& plan, LocalPart Plan::*side) {
  Index ld = 0;
  for (const Plan& part : *plan.parts) ld = std::max(ld, (part.*side).rows.end);
  return ld;
}

// Returns the bytes of this process's parts of A and B.
Index bytes_of_parts(const PlannedArray& array, const Plan& part) {
  const auto elements = [](const ArrayPart& local) {
    Index count = local.held.empty() ? 0 : 1;
    for (const Interval& held : local.held) count *= held.length();
    return count;
  };
  const Redistribution& moved = part.redistribution;
  return elements(array.a) * moved.element_bytes_a() + elements(array.b) * moved.element_bytes_b();
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

Plan xredist::core::plan_on_channel(const Channel& channel, const Redistribution& redistribution,
                                    const PlanSource& source) {
  Options options = source.options;
  // Before the links are explored, the few small calls take less time than it takes to find the best schedule.
  if (!channel.explored() && options.algorithm == AlgorithmId::by_default) options.algorithm = AlgorithmId::shifted;
  Plan plan = source.plan(redistribution, options, channel.links());
  if (channel.rank() == 0 && options.verbose >= 1)
    write_log("%s plans %s", source.routine, description_of(plan).c_str());
  return plan;
}

std::unique_ptr<xredist_plan> xredist::core::plan_of_layouts(Channel& channel, const LibraryLock& lock,
                                                             const xredist_layout* a, const xredist_layout* b,
                                                             const xredist_operation& operation, Type integer,
                                                             const Failure* callers) {
  const auto check = [&] {
    if (callers != nullptr) throw *callers;
    demand(elements_error(operation, integer));
    demand(submatrix_error(a, b, operation, channel.size()));
    return operation.options;
  };
  const Options options = agreed_options(function, channel, lock, check, [&] { return compared(*a, *b, operation); });
  const Layout layout_a = layout_of(*a, operation.ia, operation.ja);
  const Layout layout_b = layout_of(*b, operation.ib, operation.jb);
  const auto ranks_in = [](const xredist_layout& layout) {
    return std::make_shared<const std::vector<int>>(ranks_of(layout));
  };
  auto made = std::make_unique<xredist_plan>(
      channel,
      PlanSource{function, channel.grids(ranks_in(*a), a->npcol, ranks_in(*b), b->npcol), options, executions_of_plan});
  for (const auto& [region, of_elements] : parts_of(operation, integer)) {
    const Redistribution redistribution =
        redistribution_of(layout_a, layout_b, operation.m, operation.n, region, operation.bytes, of_elements);
    made->add(plan_on_channel(channel, redistribution, made->source), lock->queue);
  }
  made->lda = max_min_ld(*made, &Plan::a);
  made->ldb = max_min_ld(*made, &Plan::b);
  return made;
}

void xredist::core::create_plan(
    MPI_Comm comm, const void* operation, xredist_plan** plan, const Failure* callers,
    const std::function<std::unique_ptr<xredist_plan>(Channel&, const LibraryLock&, const Failure*)>& make) {
  if (plan != nullptr) *plan = nullptr;
  demand(communicator_error(comm));
  LibraryLock lock;
  Channel& channel = channel_of(comm, lock);
  const auto arguments = attempt([&] {
    if (callers != nullptr) throw *callers;
    demand(first_of({null_error({"operation"}, operation), null_error({"plan"}, plan)}));
  });
  std::unique_ptr<xredist_plan> made = make(channel, lock, arguments.failure());
  *plan = made.release();
}

void xredist::core::create_plan_on_communicator(MPI_Comm comm, const xredist_layout* a, const xredist_layout* b,
                                                const xredist_operation* passed, Type integer, const Failure* callers,
                                                xredist_plan** plan) {
  const InCall call(function, passed != nullptr ? CallSize{.m = passed->m, .n = passed->n} : CallSize{});
  const auto make = [&](Channel& channel, const LibraryLock& lock, const Failure* failure) {
    return plan_of_layouts(channel, lock, a, b, with_defaults(passed != nullptr ? *passed : xredist_operation{}),
                           integer, failure);
  };
  create_plan(comm, passed, plan, callers, std::ref(make));
}

int xredist_plan_create(MPI_Comm comm, const xredist_layout* a, const xredist_layout* b,
                        const xredist_operation* operation, xredist_plan** plan) {
  return coded([&] { create_plan_on_communicator(comm, a, b, operation, Type::integer, nullptr, plan); });
}

void xredist_plan_destroy(xredist_plan* plan) { delete plan; }

int xredist_plan_query(const xredist_plan* plan, xredist_plan_info* info) {
  return coded([&] {
    demanded(plan);
    demand(null_error({"info"}, info));
    *info = {};
    info->buffer_bytes = buffers_of(*plan->parts).bytes();
    for (const Plan& part : *plan->parts) {
      if (part.a.accessed && !plan->form) info->rows_a = std::max(info->rows_a, part.a.rows.end);
      if (part.b.accessed && !plan->form) info->rows_b = std::max(info->rows_b, part.b.rows.end);
      for (const Round& round : part.rounds) {
        for (const Transfer& transfer : round.sends) info->bytes_sent += bytes_of(part, transfer);
        for (const Transfer& transfer : round.receives) info->bytes_received += bytes_of(part, transfer);
        for (const Transfer& copy : round.copies) info->bytes_kept += bytes_of(part, copy);
      }
      info->peak_bytes += plan->form && plan->form->copied ? bytes_of_parts(*plan->form, part) : peak_bytes(part);
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
    for (const Plan& part : *plan->parts) all += (all.empty() ? "" : "; ") + description_of(part);
    if (plan->way) all += "; " + description_of(*plan->way);
    text[all.copy(text, size - 1)] = '\0';
  });
}

void xredist::core::set_option_on(MPI_Comm comm, const char* name, const char* value) {
  const InCall call("xredist_set_option");
  demand(first_of({communicator_error(comm), null_error({"name"}, name), null_error({"value"}, value)}));
  LibraryLock lock;
  Options& options = channel_of(comm, lock).options();
  Options changed = options;
  if (const std::string wrong = set_option(changed, name, value); !wrong.empty())
    throw InvalidArgument(std::string(name) + "=" + value + ": " + wrong);
  options = changed;
  if (std::string_view(name) == "watch") watch_process(value);
}

int xredist_set_option(MPI_Comm comm, const char* name, const char* value) {
  return coded([&] { set_option_on(comm, name, value); });
}
