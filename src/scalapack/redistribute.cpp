// The way of a call: agree, plan, execute.
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "exchange/exchange.hpp"
#include "scalapack/agree.hpp"
#include "scalapack/blacs.hpp"
#include "scalapack/call.hpp"

namespace xredist {
namespace {

// For errors where there is no context to have a rank in.
int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

Context& context_for(const Call& call) {
  if (call.whole_world) return context_of(MPI_COMM_WORLD);
  if (!Grid(call.ctxt).member())
    fail(call, world_rank(), name_of(call, Argument::ctxt) + " is " + std::to_string(call.ctxt) +
                      ", not a context with this process");
  return context_of(communicator(call.ctxt));
}

std::string described(const Layout& layout) {
  const auto by = [](Index x, Index y) { return std::to_string(x) + "x" + std::to_string(y); };
  return by(layout.rows.procs, layout.cols.procs) + " grid of " + by(layout.rows.block, layout.cols.block) + " blocks";
}

Plan plan_for(const Call& call, Context& context, const PlanKey& key) {
  const Matter matter{{overlap(key.a.rows, key.b.rows, key.m), overlap(key.a.cols, key.b.cols, key.n)}, key.region, key.bytes};
  Channel& channel = context.channel();
  Plan plan = make_plan(matter, context.roster(key.roster_a)->ranks, context.roster(key.roster_b)->ranks,
                        channel.rank(), channel.options(), channel.shared_bytes());
  if (channel.rank() == 0 && channel.options().verbose >= 1)
    std::fprintf(stderr, "xredist: %s plans %lld x %lld elements of %lld bytes, %s -> %s: %lld steps (%.*s); rank 0 sends %zu, receives %zu messages\n",
                 call.routine, static_cast<long long>(key.m), static_cast<long long>(key.n),
                 static_cast<long long>(key.bytes), described(key.a).c_str(), described(key.b).c_str(),
                 static_cast<long long>(plan.steps), static_cast<int>(plan.algorithm.size()), plan.algorithm.data(), plan.sends.size(), plan.receives.size());
  return plan;
}

void run(const Call& call, Context& context) {
  const PlanKey key = agree(call, context);
  const Plan* plan = context.find_plan(key);
  if (plan == nullptr) plan = &context.add_plan(key, plan_for(call, context, key));

  Channel& channel = context.channel();
  const bool from_a = plan->own_rows > 0 || !plan->sends.empty(), to_b = plan->own_rows > 0 || !plan->receives.empty();
  if (from_a && call.a.data == nullptr) fail(call, channel.rank(), name_of(call, Argument::a) + " is NULL on a process that holds a part of it");
  if (to_b && call.b.data == nullptr) fail(call, channel.rank(), name_of(call, Argument::b) + " is NULL on a process that holds a part of it");

  const double start = channel.options().verbose >= 2 ? MPI_Wtime() : 0;
  const Job job{plan, {static_cast<const std::byte*>(call.a.data), from_a ? call.a.desc[lld_] : 0},
                {static_cast<std::byte*>(call.b.data), to_b ? call.b.desc[lld_] : 0}};
  if (from_a || to_b) queue().wait(*queue().start({job}, channel));
  if (channel.rank() == 0 && channel.options().verbose >= 2)
    std::fprintf(stderr, "xredist: %s moved %d x %d elements in %.6f s\n", call.routine, call.m, call.n, MPI_Wtime() - start);
}

}  // namespace

void redistribute(const Call& call) noexcept {
  if (call.m == 0 || call.n == 0) return;
  try {
    run(call, context_for(call));
  } catch (const std::bad_alloc&) {
    fail(call, 0, "out of memory");
  } catch (const std::exception& error) {
    fail(call, world_rank(), error.what());
  }
}

}  // namespace xredist
