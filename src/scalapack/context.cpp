#include "scalapack/context.hpp"

#include <algorithm>
#include <utility>

#include "exchange/process.hpp"
#include "scalapack/blacs.hpp"

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
Context::Context(MPI_Comm comm, Turn& turn)
    : comm_(comm),
      within_(comm == MPI_COMM_WORLD ? nullptr : channel_within(comm, turn)),
      channel_(within_ ? *within_ : channel_of(comm, turn)),
      serial_(new_serial()) {}

const Roster* Context::roster(Index id) const {
  const auto found = std::ranges::find(rosters_, id, &Roster::id);
  return found == rosters_.end() ? nullptr : &*found;
}

const Roster* Context::roster_of(MPI_Comm grid) const {
  const Names* known = channel_.process().attributes.find<Names>(grid);
  if (known == nullptr) return nullptr;
  const auto found = std::ranges::find(known->names, serial_, &Names::Name::context);
  return found == known->names.end() ? nullptr : roster(found->roster);
}

void Context::forget_old_rosters() {
  while (rosters_.size() > most_rosters) rosters_.pop_front();
}

const Roster& Context::add_roster(std::vector<int> ranks, MPI_Comm grid) {
  const auto same = std::ranges::find(rosters_, ranks, &Roster::ranks);
  const Roster& added =
      same != rosters_.end() ? *same : rosters_.emplace_back(Roster{next_roster_++, std::move(ranks)});
  if (grid != MPI_COMM_NULL) {
    Attributes& attributes = channel_.process().attributes;
    Names* known = attributes.find<Names>(grid);
    if (known == nullptr) known = &attributes.attach(grid, std::make_unique<Names>());
    std::erase_if(known->names, [&](const Names::Name& name) { return name.context == serial_; });
    if (known->names.size() == most_names) known->names.pop_front();
    known->names.push_back({serial_, added.id});
  }
  return added;
}

const Links& Context::links_for(Index bytes, Turn& turn) {
  if (channel_.explored()) return channel_.links();
  if (calls_++ < few && bytes <= little * channel_.size()) return channel_.links();
  plans_.clear();  // they were made when nothing was known about links
  return channel_.explore(turn);
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

Context& context_of(const Call& call, Turn& turn) {
  if (!call.whole_world && !grid_of(call.ctxt).member())
    fail(call, world_rank(),
         name_of(call, {"CTXT"}) + " is " + std::to_string(call.ctxt) + ", not a context with this process");
  const MPI_Comm comm = call.whole_world ? MPI_COMM_WORLD : communicator(call.ctxt);
  Attributes& attributes = turn.process().attributes;
  if (Context* context = attributes.find<Context>(comm)) return *context;
  return attributes.attach(comm, std::make_unique<Context>(comm, turn));
}

}  // namespace xredist::core
