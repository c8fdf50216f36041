// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack/context.hpp"

#include <algorithm>
#include <utility>

#include "api/plan_handle.hpp"
#include "exchange/channels.hpp"
#include "exchange/errors.hpp"
#include "exchange/progress.hpp"

namespace xredist::core {
namespace {

// The links are explored at the ninth call, or at the first call above 128 KiB per process. Programs create contexts
// for a few small calls, which take less time than exploring the links, or than a first exchange through shared memory:
// a first call of 45 to 125 KB per process takes 0.5 to 0.6 of the time without it, and a later call up to 60 us more.
constexpr Index max_calls_unexplored = 8, max_bytes_unexplored = Index{128} << 10;

}  // namespace

// A program may receive messages of any tag on MPI_COMM_WORLD, so the library duplicates that communicator.
Context::Context(MPI_Comm comm, const LibraryLock& lock)
    : rosters(lock->attributes, comm, rank_in(comm)),
      comm_(comm),
      within_(comm == MPI_COMM_WORLD ? nullptr : channel_within(comm, lock)),
      channel_(within_ ? *within_ : channel_of(comm, lock)) {
  rosters.reserve(channel_.size());
}

Context::Context(MPI_Comm comm, Channel& channel, const LibraryLock& lock)
    : rosters(lock->attributes, comm, channel.rank()), comm_(comm), channel_(channel) {
  rosters.reserve(channel.size());
}

void Context::state_call(const View& view, Call& call) const {
  auto& [a_rows, a_cols, b_rows, b_cols] = call.grids;
  const Grid &a = view.grids[0].grid, &b = view.grids[1].grid;
  a_rows = a.nprow, a_cols = a.npcol, b_rows = b.nprow, b_cols = b.npcol;
  channel_.state_communicator(call);
  call.number = rosters.calls;
}

void Context::explore_for(Index bytes, Progress& progress) {
  if (channel_.explored()) return;
  if (calls_++ < max_calls_unexplored && bytes <= max_bytes_unexplored * channel_.size()) return;
  plans.clear();  // they were made without links
  channel_.explore(progress);
}

bool Context::is_known(const Passed& arguments) const { return std::ranges::find(known_, arguments) != known_.end(); }

void Context::remember(const Passed& arguments) {
  const auto is_new = [](const MatrixValues& matrix) { return matrix.roster == -1; };
  if (std::ranges::any_of(arguments.values.matrices, is_new)) return;
  last_known_ = (last_known_ + 1) % known_.size();
  known_[last_known_] = arguments;
}

namespace {

struct PlanContext : Context {
  using Context::Context;
};

}  // namespace

MPI_Comm communicator_of(const Caller& caller) {
  if (!caller.ctxt) return MPI_COMM_WORLD;
  demand(caller.routine, context_error({"CTXT"}, *caller.ctxt));
  return communicator(*caller.ctxt);
}

Context& context_of(MPI_Comm comm, const LibraryLock& lock) {
  Attributes& attributes = lock->attributes;
  if (Context* context = attributes.find<Context>(comm)) return *context;
  return attributes.attach(comm, std::make_unique<Context>(comm, lock));
}

Context& context_for_plans(MPI_Comm comm, const LibraryLock& lock) {
  Attributes& attributes = lock->attributes;
  if (PlanContext* known = attributes.find<PlanContext>(comm)) {
    known->channel().state_call();
    return *known;
  }
  Channel& channel = channel_of(comm, lock);
  channel.explore(lock->progress);
  auto made = everywhere(
      [&] {
        attributes.reserve<PlanContext>();
        return std::make_unique<PlanContext>(comm, channel, lock);
      },
      channel.comm(), lock->progress);
  return attributes.attach(comm, std::move(made));
}

Layout agreed_layout(const MatrixValues& values, const MatrixArguments& matrix) {
  const auto axis = [&](int k) {
    const AxisValues& of = at(values.axes, k);
    return make_axis(at(matrix.partitions, k), of.block, of.procs, of.source, of.first - 1);
  };
  return {axis(0), axis(1)};
}

PlanSource plan_source(const Routine& routine, const Context& context, const Values& agreed, const Options& options,
                       double executions) {
  const auto& [a, b] = agreed.matrices;
  Channel& channel = context.channel();
  return {routine.name,
          channel.grids(context.rosters.find(a.roster)->ranks, a.axes[1].procs, context.rosters.find(b.roster)->ranks,
                        b.axes[1].procs),
          options, executions};
}

Redistribution redistribution_of(const MatrixMove& move, const Values& agreed) {
  return redistribution_of(agreed_layout(agreed.matrices[0], move.matrices[0]),
                           agreed_layout(agreed.matrices[1], move.matrices[1]), move.m, move.n, move.region, move.bytes,
                           move.operation);
}

Plan plan_call(const MatrixMove& move, const Context& context, const Values& agreed, const PlanSource& source) {
  return plan_on_channel(context.channel(), redistribution_of(move, agreed), source);
}

}  // namespace xredist::core
