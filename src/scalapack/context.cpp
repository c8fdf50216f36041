// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack/context.hpp"

#include <algorithm>
#include <utility>

#include "api/plan.hpp"
#include "exchange/collectives.hpp"
#include "exchange/errors.hpp"
#include "exchange/channels.hpp"
#include "scalapack/blacs.hpp"
#include "scalapack/check.hpp"

namespace xredist::core {
namespace {

constexpr std::size_t most_rosters = 32;  // per context
constexpr std::size_t most_names = 8;     // per grid

// Contexts may come and go with a few small calls each. To find out about shared memory and the network would take
// longer than these calls: it is not done before so many calls, unless one has more bytes a process.
constexpr Index few = 8, little = Index{32} << 10;

// Attached to a grid's communicator: the roster that the grid has in each context.
struct Names {
  struct Name {
    Index context, roster;
  };
  std::deque<Name> names;
};

Index new_serial() {
  static Index last = 0;
  return ++last;
}

}  // namespace

// On MPI_COMM_WORLD a program may receive messages of any tag: there the library takes a duplicate.
Context::Context(MPI_Comm comm, LibraryLock& lock)
    : comm_(comm),
      attributes_(lock.process().attributes),
      within_(comm == MPI_COMM_WORLD ? nullptr : channel_within(comm, lock)),
      channel_(within_ ? *within_ : channel_of(comm, lock)),
      serial_(new_serial()) {}

Context::Context(MPI_Comm comm, Channel& channel, LibraryLock& lock)
    : comm_(comm), attributes_(lock.process().attributes), channel_(channel), serial_(new_serial()) {
  positions();
}

const Roster* Context::roster(Index id) const {
  const auto found = std::ranges::find(rosters_, id, &Roster::id);
  return found == rosters_.end() ? nullptr : &*found;
}

const Roster* Context::roster_of(MPI_Comm grid) const {
  const Names* known = attributes_.find<Names>(grid);
  if (known == nullptr) return nullptr;
  const auto found = std::ranges::find(known->names, serial_, &Names::Name::context);
  return found == known->names.end() ? nullptr : roster(found->roster);
}

void Context::forget_old_rosters() {
  while (rosters_.size() > most_rosters) rosters_.pop_front();
}

// The grids' communicators may name rosters that are forgotten, so the context gets another serial number.
void Context::forget_rosters() {
  rosters_.clear();
  next_roster_ = 0;
  serial_ = new_serial();
}

std::span<int> Context::positions() {
  positions_.resize(2 * static_cast<std::size_t>(channel_.size()));
  return positions_;
}

const Roster& Context::add_roster(std::vector<int> ranks, MPI_Comm grid) {
  const auto same = std::ranges::find(rosters_, ranks, &Roster::ranks);
  const Roster& added =
      same != rosters_.end() ? *same : rosters_.emplace_back(Roster{next_roster_++, std::move(ranks)});
  if (grid != MPI_COMM_NULL) {
    Names* known = attributes_.find<Names>(grid);
    if (known == nullptr) known = &attributes_.attach(grid, std::make_unique<Names>());
    std::erase_if(known->names, [&](const Names::Name& name) { return name.context == serial_; });
    if (known->names.size() == most_names) known->names.pop_front();
    known->names.push_back({serial_, added.id});
  }
  return added;
}

const Links& Context::links_for(Index bytes, LibraryLock& lock) {
  if (channel_.explored()) return channel_.links();
  if (calls_++ < few && bytes <= little * channel_.size()) return channel_.links();
  plans_.clear();  // they were made when nothing was known about links
  return channel_.explore(lock);
}

const Plan* Context::find_plan(const PlanKey& key) {
  const auto found = std::ranges::find_if(plans_, [&](const auto& known) { return known->key == key; });
  if (found == plans_.end()) return nullptr;
  std::rotate(plans_.begin(), found, found + 1);
  return &plans_.front()->plan;
}

const Plan& Context::add_plan(const PlanKey& key, Plan plan) {
  const auto most = static_cast<std::size_t>(channel_.options().cache);
  if (plans_.size() == most) plans_.pop_back();
  plans_.insert(plans_.begin(), std::make_unique<KnownPlan>(KnownPlan{key, std::move(plan)}));
  return plans_.front()->plan;
}

namespace {

struct PlanContext : Context {
  using Context::Context;
};

void demand_member(const Call& call) {
  if (!grid_of(call.ctxt).member())
    fail(call, world_rank(), is({"CTXT"}, call.ctxt, ", not a context with this process"));
}

}  // namespace

Context& context_of(const Call& call, LibraryLock& lock) {
  if (!call.whole_world) demand_member(call);
  const MPI_Comm comm = call.whole_world ? MPI_COMM_WORLD : communicator(call.ctxt);
  Attributes& attributes = lock.process().attributes;
  if (Context* context = attributes.find<Context>(comm)) return *context;
  return attributes.attach(comm, std::make_unique<Context>(comm, lock));
}

// It is made on all processes or on none.
Context& context_for_plans(const Call& call, LibraryLock& lock) {
  demand_member(call);
  const MPI_Comm comm = communicator(call.ctxt);
  Attributes& attributes = lock.process().attributes;
  if (PlanContext* known = attributes.find<PlanContext>(comm)) return *known;
  Channel& channel = channel_of(comm, lock);
  channel.explore(lock);
  std::unique_ptr<PlanContext> made;
  int room = 1;
  try {
    attributes.reserve<PlanContext>();
    made = std::make_unique<PlanContext>(comm, channel, lock);
  } catch (const std::bad_alloc&) {
    room = 0;
  }
  reduce(&room, 1, MPI_INT, MPI_MIN, channel.comm(), lock);
  if (room == 0) throw OutOfMemorySomewhere();
  return attributes.attach(comm, std::move(made));
}

Plan plan_for(const Call& call, const Context& context, const PlanKey& key, const Links& links) {
  const Redistribution redistribution =
      redistribution_of(key.a, key.b, key.m, key.n, key.region, key.bytes, key.operation);
  return planned(call.routine, context.channel(), links, redistribution, context.roster(key.roster_a)->ranks,
                 context.roster(key.roster_b)->ranks);
}

}  // namespace xredist::core
