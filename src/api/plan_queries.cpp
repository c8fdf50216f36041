// SPDX-License-Identifier: BSD-3-Clause
// The functions of xredist.h that describe plans and destroy them, and that set options.
#include <algorithm>
#include <string>
#include <string_view>

#include "api/arguments.hpp"
#include "api/failure.hpp"
#include "api/plan_calls.hpp"
#include "api/plan_handle.hpp"
#include "exchange/channels.hpp"
#include "exchange/watched_process.hpp"
#include "plan/buffers.hpp"
#include "plan/execution_panels.hpp"

using namespace xredist::core;

namespace {

// Returns the bytes of this process's parts of A and B.
Index bytes_of_parts(const xredist_plan& plan, const Plan& part) {
  const auto elements = [](const ArrayPart& local) {
    Index count = 1;
    for (const LocalAxis& axis : local.axes) count *= axis.held.length();
    return count;
  };
  const Redistribution& moved = part.redistribution;
  return elements(plan.a) * moved.element_bytes_a() + elements(plan.b) * moved.element_bytes_b();
}

// Returns the minimum leading dimension of a local matrix.
Index min_ld(const ArrayPart& local) { return local.accessed ? local.axes.front().held.end : 0; }

const xredist_plan& demanded(const xredist_plan* plan) {
  demand(null_error({"plan"}, plan));
  return *plan;
}

}  // namespace

void xredist_plan_destroy(xredist_plan* plan) { delete plan; }

int xredist_plan_query(const xredist_plan* plan, xredist_plan_info* info) {
  return coded([&] {
    demanded(plan);
    demand(null_error({"info"}, info));
    *info = {};
    info->buffer_bytes = buffers_of(*plan->parts).bytes();
    if (!plan->form) info->rows_a = min_ld(plan->a), info->rows_b = min_ld(plan->b);
    for (const Plan& part : *plan->parts) {
      for (const Round& round : part.rounds) {
        for (const Transfer& transfer : round.sends) info->bytes_sent += bytes_of(part, transfer);
        for (const Transfer& transfer : round.receives) info->bytes_received += bytes_of(part, transfer);
        for (const Transfer& copy : round.copies) info->bytes_kept += bytes_of(part, copy);
      }
      info->peak_bytes += plan->form && plan->form->copied ? bytes_of_parts(*plan, part) : peak_bytes(part);
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
    throw InvalidArgument(Text() << name << "=" << value << ": " << wrong);
  options = changed;
  if (std::string_view(name) == "watch") watch_process(value);
}

int xredist_set_option(MPI_Comm comm, const char* name, const char* value) {
  return coded([&] { set_option_on(comm, name, value); });
}
