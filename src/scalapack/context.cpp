// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack/context.hpp"

#include <algorithm>
#include <utility>

#include "api/plan.hpp"
#include "exchange/channels.hpp"
#include "exchange/errors.hpp"
#include "exchange/progress.hpp"

namespace xredist::core {
namespace {

// The links are explored at the ninth call, or at the first call above 32 KiB per process. Programs create contexts for
// a few small calls, which take less time than exploring the links.
constexpr Index max_calls_unexplored = 8, max_bytes_unexplored = Index{32} << 10;

}  // namespace

// A program may receive messages of any tag on MPI_COMM_WORLD, so the library duplicates that communicator.
Context::Context(MPI_Comm comm, const LibraryLock& lock)
    : rosters(lock->attributes),
      comm_(comm),
      within_(comm == MPI_COMM_WORLD ? nullptr : channel_within(comm, lock)),
      channel_(within_ ? *within_ : channel_of(comm, lock)) {}

Context::Context(MPI_Comm comm, Channel& channel, const LibraryLock& lock)
    : rosters(lock->attributes), comm_(comm), channel_(channel) {
  positions();
}

std::span<int> Context::positions() {
  positions_.resize(2 * as_size(channel_.size()));
  return positions_;
}

void Context::explore_for(Index bytes, Progress& progress) {
  if (channel_.explored()) return;
  if (calls_++ < max_calls_unexplored && bytes <= max_bytes_unexplored * channel_.size()) return;
  plans.clear();  // they were made without links
  channel_.explore(progress);
}

bool Context::is_known(const Arguments& arguments) const {
  return std::ranges::find(known_, arguments) != known_.end();
}

void Context::remember(const Arguments& arguments) {
  if (arguments.values.a.roster == -1 || arguments.values.b.roster == -1) return;
  last_known_ = (last_known_ + 1) % known_.size();
  known_[last_known_] = arguments;
}

namespace {

struct PlanContext : Context {
  using Context::Context;
};

}  // namespace

OrError<MPI_Comm> communicator_of(std::optional<xredist_int> ctxt) {
  if (!ctxt) return MPI_COMM_WORLD;
  if (MaybeError error = context_error({"CTXT"}, *ctxt)) return *std::move(error);
  return communicator(*ctxt);
}

Context& context_of(MPI_Comm comm, const LibraryLock& lock) {
  Attributes& attributes = lock->attributes;
  if (Context* context = attributes.find<Context>(comm)) return *context;
  return attributes.attach(comm, std::make_unique<Context>(comm, lock));
}

// Either all processes make the context or none does.
Context& context_for_plans(MPI_Comm comm, const LibraryLock& lock) {
  Attributes& attributes = lock->attributes;
  if (PlanContext* known = attributes.find<PlanContext>(comm)) return *known;
  Channel& channel = channel_of(comm, lock);
  channel.explore(lock->progress);
  std::unique_ptr<PlanContext> made;
  int room = 1;
  try {
    attributes.reserve<PlanContext>();
    made = std::make_unique<PlanContext>(comm, channel, lock);
  } catch (const std::bad_alloc&) {
    room = 0;
  }
  reduce(&room, 1, MPI_INT, MPI_MIN, channel.comm(), lock->progress);
  if (room == 0) throw OutOfMemorySomewhere();
  return attributes.attach(comm, std::move(made));
}

PlanSource plan_source(const Routine& routine, const Context& context, const CallValues& agreed, double executions) {
  return {routine.name, context.rosters.find(agreed.a.roster)->ranks, context.rosters.find(agreed.b.roster)->ranks,
          context.channel().options(), executions};
}

Plan plan_call(const MatrixMove& move, const Context& context, const CallValues& agreed, const PlanSource& source) {
  const Redistribution redistribution =
      redistribution_of(agreed_layout(agreed.a, move.a), agreed_layout(agreed.b, move.b), move.m, move.n, move.region,
                        move.bytes, move.operation);
  return plan_on_channel(context.channel(), redistribution, source);
}

}  // namespace xredist::core
